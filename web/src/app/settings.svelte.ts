/** What a person sets once, kept in the browser. */
export interface Settings {
  language: 'en' | 'es'
  theme: 'auto' | 'light' | 'dark'
  palette: 'faction' | 'safe'
  speed: number
  sound: boolean
  /** Notes of the browser when it is one's turn and the page is in the background. */
  notify: boolean
  confirm: boolean
  /** The cost from which the coach warns before a choice is made, as a share of 1; 0: never. */
  coach: number
  name: string
  /** The level of the bots last raced; empty before the first race. */
  level: string
  coached: string[]
}

/** The cost from which the coach warns when it is switched on, and others to choose from. */
export const COACH = 0.05
export const COACH_SHARES = [0, 0.02, COACH, 0.1]

const KEY = 'quadriga.settings'
const spoken = navigator.language.toLowerCase().startsWith('es') ? 'es' : 'en'
const DEFAULTS: Settings = {
  language: spoken,
  theme: 'auto',
  palette: 'faction',
  speed: 1,
  sound: false,
  notify: false,
  confirm: false,
  coach: 0,
  name: '',
  level: '',
  coached: [],
}

function stored(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>
  } catch {
    return {}
  }
}

export const settings: Settings = $state({ ...DEFAULTS, ...stored() })

/** Keep the settings, and let the style sheet know of them. */
export function applySettings(): void {
  const root = document.documentElement
  const dark =
    settings.theme === 'dark' ||
    (settings.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.dataset['theme'] = dark ? 'dark' : 'light'
  root.dataset['palette'] = settings.palette
  root.dataset['motion'] = settings.speed === 0 ? 'off' : 'on'
  root.lang = settings.language
  localStorage.setItem(KEY, JSON.stringify(settings))
}

export const still = () => settings.speed === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches
