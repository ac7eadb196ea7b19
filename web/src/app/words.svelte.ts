/** Words are data: the page's own catalogue, and those of the games, which the server sends. */
import en from '../../text/en.toml'
import es from '../../text/es.toml'
import { getOnce, Refused } from './api.ts'
import type { Game, GameEvent } from './protocol.ts'
import { settings } from './settings.svelte.ts'

type Entry = string | { [key: string]: Entry }
type Catalogue = { [key: string]: Entry }

const OWN: Record<string, string> = { en, es }

let loaded = $state.raw<{ language: string; own: Catalogue; games: Record<string, Catalogue> }>({
  language: '',
  own: {},
  games: {},
})

/** Load the page's own words in the language of the settings. */
export async function loadWords(): Promise<void> {
  const { language } = settings
  const own = (await (await fetch(OWN[language]!)).json()) as Catalogue
  loaded = { ...loaded, own, language }
  void loadGameWords('none').catch(() => undefined)
  whenIdle(() => inList([]))
}

const whenIdle = (work: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(work) : setTimeout(work, 300)
const lists = new Map<string, Intl.ListFormat>()

/** Names as they are told in a row; browsers take long to learn how, so that is done while nothing moves. */
export function inList(names: readonly string[]): string {
  const { language } = settings
  if (!lists.has(language)) lists.set(language, new Intl.ListFormat(language))
  return lists.get(language)!.format(names)
}

/** Load the words of a game in the language of the settings. */
export async function loadGameWords(game: string): Promise<void> {
  const { language } = settings
  const catalogue = await getOnce<Catalogue>(`/text/${language}/${game}`)
  loaded = { ...loaded, games: { ...loaded.games, [`${language}/${game}`]: catalogue } }
}

export const ready = () => loaded.language === settings.language
export const gameReady = (game: string) => `${settings.language}/${game}` in loaded.games

function find(catalogue: Catalogue | undefined, code: string): Entry | undefined {
  let found: Entry | undefined = catalogue
  for (const key of code.split('.')) found = typeof found === 'object' ? found[key] : undefined
  return found
}

/** Which form of a sentence goes with a count. */
function formFor(entry: object, count: number): string {
  if (count === 1) return 'one'
  return count === 0 && 'none' in entry ? 'none' : 'other'
}

const finger = matchMedia('(pointer: coarse)')
/** A verb that goes with how this device points: `{Click}` is "Tap" where there is no mouse. */
const verb = (name: string) => find(loaded.own, `pointing.${finger.matches ? 'finger' : 'mouse'}.${name}`)

/** A sentence with its parameters; `[[token|, with {token}]]` is said only where there is a token. */
function put(entry: Entry | undefined, params: Record<string, unknown>): string | undefined {
  if (entry === undefined) return undefined
  if (typeof entry === 'object') {
    const by = entry['by']
    if (typeof by !== 'string') return put(entry['name'], params)
    return put(entry[formFor(entry, Number(params[by]))], params)
  }
  return entry
    .replace(/\[\[(\w+)\|(.*?)\]\]/g, (_, name: string, part: string) => (params[`?${name}`] ? part : ''))
    .replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? verb(name) ?? ''))
}

/** The sentence of a dotted code of the page's own catalogue. */
export function w(code: string, params: Record<string, unknown> = {}): string {
  return put(find(loaded.own, code), params) ?? code
}

/** What went wrong, in the reader's language; the server's sentence where there is no better one. */
export function explain(error: unknown): string {
  if (!(error instanceof Refused)) return w('unreachable')
  const { code, params, sentence } = error.problem
  return (
    put(find(loaded.own, `errors.${code}`), params) ??
    put(find(loaded.games[`${settings.language}/none`], `errors.${code}`), params) ??
    sentence
  )
}

/** What somebody at a seat is called; bots bear names of charioteers. */
export function called({ seat, kind, name }: { seat: number; kind: string; name: string }): string {
  if (kind === 'open') return w('seat', { number: seat + 1 })
  return kind === 'person' || !has(`drivers.${seat}`) ? name : w(`drivers.${seat}`)
}

const ENGLISH: Record<string, string> = { one: 'st', two: 'nd', few: 'rd', other: 'th' }

/** A place in short: 1st, 2nd; 1.º, 2.º. */
export function ordinal(place: number): string {
  if (settings.language === 'es') return `${place}.º`
  return `${place}${ENGLISH[new Intl.PluralRules('en', { type: 'ordinal' }).select(place)]}`
}

/** The level that plays by networks; they know the standard edition alone. */
export const NETWORKED = 'champion'

/** A bot's level in words. */
export const levelName = (bot: string) => (has(`bots.${bot}`) ? w(`bots.${bot}`) : bot)

/** Whether the page's own catalogue has a code. */
export const has = (code: string) => find(loaded.own, code) !== undefined

/** What a game is called; one that the page has no words for goes by its own name. */
export const gameTitle = (game: string) =>
  has(`games.${game}.title`)
    ? w(`games.${game}.title`)
    : game.charAt(0).toUpperCase() + game.slice(1).replaceAll('_', ' ')

/** A piece of a sentence: plain, or the name of a seat, a chariot or a space of the board. */
export interface Part {
  text: string
  domain?: string
  value?: string
}

/** What the board shows, and sentences therefore point at. */
const SHOWN = ['seat', 'chariot', 'space', 'square']
/** Where such a name begins, its parts are divided, and it ends: signs that no text holds. */
const [OPENS, DIVIDES, CLOSES] = ['\u0001', '\u0002', '\u0003']

/** A sentence in pieces. */
const piecesOf = (sentence: string): Part[] =>
  sentence.split(OPENS).flatMap((piece, i) => {
    if (!i) return [{ text: piece }]
    const [name, rest] = piece.split(CLOSES) as [string, string]
    const [domain, value, text] = name.split(DIVIDES) as [string, string, string]
    return [{ text, domain, value }, { text: rest }]
  })

/** The words of one game, with the page's own names for its things where it has some. */
export class Words {
  /** Who drives a chariot, by name; undefined while nobody does. */
  driver: (chariot: string) => string | undefined = () => undefined

  constructor(
    readonly game: string,
    private readonly spell?: (words: Words, domain: string, value: string) => string | undefined,
  ) {}

  private get catalogue(): Catalogue | undefined {
    return loaded.games[`${settings.language}/${this.game}`]
  }

  say(code: string, params: Record<string, unknown> = {}): string {
    return (
      put(find(loaded.own, `${this.game}.${code}`), params) ??
      put(find(this.catalogue, `named.${code}`), params) ??
      put(find(this.catalogue, code), params) ??
      w(code, params)
    )
  }

  /** Which components are not those of the box; empty if the game does not say. */
  get reconstructed(): string {
    return put(find(this.catalogue, 'reconstructed'), {}) ?? ''
  }

  /** What people call a thing; a chariot by whoever drives it. */
  name(domain: string, value: string): string {
    const driver = domain === 'chariot' && this.driver(value)
    if (driver) return driver
    return this.spell?.(this, domain, value) ?? this.listed(domain, value)
  }

  /** A name of the catalogue; one that ends with a number may be listed without it (`red-` for `red-3`). */
  private listed(domain: string, value: string): string {
    const [, stem = value, tail = ''] = /^(\D+?)(\d+)$/.exec(value) ?? []
    for (const catalogue of [
      find(loaded.own, `${this.game}.names.${domain}`),
      find(this.catalogue, `names.${domain}`),
    ]) {
      if (typeof catalogue === 'object' && typeof catalogue[value] === 'string') return catalogue[value]
      if (typeof catalogue === 'object' && typeof catalogue[stem] === 'string') return catalogue[stem] + tail
    }
    return value
  }

  /** An event, action or refusal as a sentence; seats and chariots are called by the players' names. */
  message(section: string, message: GameEvent, game: Game, players: readonly string[]): string {
    return this.told(section, message, game, players)
      .map(({ text }) => text)
      .join('')
  }

  /** The same in pieces, so that names of what the board shows can be pointed at. */
  told(section: string, message: GameEvent, game: Game, players: readonly string[]): Part[] {
    const fields =
      (section === 'actions' ? game.actions : game.events).find((known) => known.kind === message.kind)
        ?.fields ?? []
    const params: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(message)) params[`?${key}`] = value
    for (const [key, value] of Object.entries(message))
      params[key] = this.shown(fields.find((f) => f.name === key)?.domain ?? null, value, players)
    return piecesOf(this.say(`${section}.${message.kind}`, { ...this.joined(message, params), ...params }))
  }

  /** Values told one by one (`first`, `second`, or `card_1`, `card_2`) as one list. */
  private joined(message: GameEvent, params: Record<string, unknown>): Record<string, unknown> {
    const keys = Object.keys(message).filter(
      (key) => /^(first|second|third|fourth|fifth|sixth|card_\d)$/.test(key) && message[key] !== null,
    )
    const list = keys.map((key) => params[key]).join(', ')
    return { chariots: list, faces: list, cards: list, list }
  }

  private shown(domain: string | null, value: unknown, players: readonly string[]): unknown {
    if (domain === null) return value
    if (Array.isArray(value)) return value.map((one) => this.shown(domain, one, players)).join(', ')
    if (value === null) return this.say('none')
    const text =
      domain === 'seat'
        ? (players[value as number] ?? w('seat', { number: Number(value) + 1 }))
        : this.name(domain, String(value))
    return SHOWN.includes(domain) ? [OPENS, domain, DIVIDES, value, DIVIDES, text, CLOSES].join('') : text
  }
}
