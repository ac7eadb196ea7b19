/** The shapes that travel; docs/protocol.md describes them. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- views, actions and events differ by game
export type Json = any
export type View = Record<string, Json>
export type Action = { kind: string } & Record<string, Json>
export type GameEvent = { kind: string } & Record<string, Json>

export interface Field {
  name: string
  domain: string | null
  flag: boolean
  most: number
  /** Of an action: where the field lies in its code. */
  shift?: number
  width?: number
  plus?: number
}
export interface Message {
  kind: string
  fields: Field[]
  /** Of an action: its number in codes. */
  code?: number
}
export interface Option {
  name: string
  default: number | boolean | string
  low: number
  high: number
  words: string[]
  only_seats: number[]
}
export interface Meta {
  name: string
  title: string
  designer: string
  seats: number[]
  minutes: [number, number]
  rules_version: number
  options: Option[]
  drawn: boolean
  simultaneous: boolean
  quick_options: Record<string, Json>
}
/** A space of the track: where it lies, which way one runs there, the direction away from the infield, its outline. */
export interface Place {
  x: number
  y: number
  angle: number
  out: [number, number]
  outline: string
  outer?: boolean
  room?: number
  lane?: number
}
/** Where everything lies on the board, computed by the server from the edition. */
export interface Geometry {
  box: [number, number, number, number]
  course: { half: number; turns: [number, number, number, number]; lap: number; line: number }
  spaces: Record<string, Place>
  lanes?: number
}

export interface Game {
  meta: Meta
  actions: Message[]
  events: Message[]
  names: Record<string, string[]>
  components: Record<string, Json>
  edition: { name: string; standard: boolean; facts: Record<string, Json> }
  geometry: Geometry
  bots: string[]
}

export interface Entry {
  kind: string
  choices?: Record<string, string>
  seat?: number
  to?: number
  who?: { name: string; kind: string }
  reason?: string
  left?: Record<string, number>
}
export interface Step {
  seq: number
  at: number
  entry: Entry
  events: GameEvent[]
}
export interface Result {
  places: number[]
  winner: number | null
  reason: string
}
export interface Clock {
  now: number
  left: Record<string, number>
  running: number[]
  since: number
}
export interface SeatInfo {
  seat: number
  kind: string
  name: string
  /** The faction whose colours it wears; empty where there is none. */
  colour: string
  muted: boolean
  left: string | null
  owner_away: boolean
  mine?: boolean
}
export interface Proposal {
  proposal: number
  what: string
  by: number | null
  to?: number
  seat: number | null
  yes: number[]
  waiting: number[]
}
export interface TableInfo {
  id: string
  game: string
  state: 'open' | 'racing' | 'over' | 'abandoned' | 'stopped'
  stopped: { code: string; params: Record<string, Json> } | null
  host: number | null
  host_name: string
  i_am_host: boolean
  my_seats: number[]
  listed: boolean
  commitment: string
  seats: SeatInfo[]
  options: Record<string, Json>
  clock: { kind: string; move_ms?: number; bank_ms?: number; increment_ms?: number }
  confirm: boolean
  chat: boolean
  hints: 'alone' | 'all' | 'none'
  take_back: string
  watchers: boolean
  edition: { name: string; standard: boolean }
  proposals: Proposal[]
  next: string | null
  from_record: boolean
  /** What came of the coach's warnings to me; null where it was not asked. */
  coached: Coached | null
}
export interface Coached {
  looked: number
  warned: number
  heeded: number
  saved: number
}
export interface ViewMessage {
  table: string
  seat: number | null
  seq: number
  after: number
  steps: Step[]
  view: View
  to_act: number[]
  chosen: number[]
  choice: Action | null
  legal: Action[]
  /** The choices as codes, in place of `legal`; see codes.ts. */
  codes?: string
  places: number[]
  result: Result | null
  paused: boolean
  clock: Clock | null
}
export interface ChatMessage {
  id: number
  at: number
  seat: number | null
  name: string
  text: string
  mine: boolean
  reactions: Record<string, number>
  my_reaction: string | null
}
/** What people think of a message, when that changes. */
export interface ReactionMessage {
  message: number
  reactions: Record<string, number>
  my_reaction: string | null
}
/** Who is at the table: seats that belong to somebody, and those who watch. */
export interface PresenceMessage {
  seats: Record<string, 'here' | 'away' | 'disconnected'>
  watching: string[]
  watchers: number
}
export interface Card {
  id: string
  game: string
  state: string
  host: number | null
  seats: { seat: number; kind: string; name: string }[]
  changed: number
  my_seats: number[]
  my_turn: boolean
}
/** A race in the list of mine. */
export interface RaceCard extends Card {
  held_seats: number[]
  result: Result | null
  my_places: number[]
  from_record: boolean
}
export interface Figures {
  races: number
  won: number
  shared: number
  games: { game: string; races: number; won: number; places: number[] }[]
  rivals: { name: string; kind: string; races: number; ahead: number }[]
  coach: (Coached & { races: number; recent: { races: number; looked: number; warned: number } }) | null
}
