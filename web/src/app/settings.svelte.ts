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
  name: string
  /** The level of the bots last raced; empty before the first race. */
  level: string
  coached: string[]
}

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
