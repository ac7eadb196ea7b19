/** What the page needs of a game: drawings and words, no rules. */
import type { Component } from 'svelte'
import type { Faction } from '../board/factions.ts'
import type { Turn } from '../app/turn.svelte.ts'
import type { Action, Game, GameEvent, Json, View } from '../app/protocol.ts'
import type { Picture } from '../app/rules.ts'
import type { Words } from '../app/words.svelte.ts'

/** What is pointed at: names of spaces, chariots or seats to light up. */
export interface Marks {
  spaces: string[]
  chariots: string[]
  seats: number[]
}
export const NO_MARKS: Marks = { spaces: [], chariots: [], seats: [] }

/** What an event brought, to be told beside the chariot: a code of the catalogue under `tell`, and whom it concerns. */
export interface Told {
  code: string
  /** Who did it. */
  seat: number
  /** To whom. */
  rival?: number | null
  /** Beside which chariot it is told, where a seat has several; that of the seat if there is none. */
  chariot?: string
  /** How it looks: harm, or a gain. */
  tone?: 'bad' | 'good'
  /** Numbers of the sentence. */
  params?: Record<string, unknown>
}
/** A sentence beside a chariot. */
export interface Caption {
  seat: number
  chariot: string | null
  text: string
  tone: 'bad' | 'good' | 'plain'
}
/** One thing that happened to a seat in its turn: a code of the catalogue under `recap`. */
export interface RecapPart {
  code: string
  /** Through whom. */
  rival?: number
  rivals?: number[]
  params?: Record<string, unknown>
}

export interface BoardProps {
  game: Game
  view: View
  /** The event being shown, for its effects. */
  event: GameEvent | null
  marks: Marks
  /** What this browser's player may do now; null while others are awaited or events play. */
  turn: Turn | null
  words: Words
  names: readonly string[]
  /** Milliseconds a step takes on the screen. */
  pace: number
  /** What is told of who moves now. */
  caption: Caption | null
}
export interface SeatProps {
  game: Game
  view: View
  seat: number
  words: Words
  masked: boolean
  /** Whether the view is the seat's own and all it holds is shown, as in a replay. */
  isOpen?: boolean
}
export interface ChoiceProps {
  game: Game
  turn: Turn
  words: Words
  names: readonly string[]
}

/** A chariot of a game in which they have names. */
export interface Chariot {
  chariot: string
  /** Whoever drives it; null while nobody does. */
  seat: number | null
  faction: Faction
}

export interface Figure {
  code: string
  values: number[]
}
export interface Luck {
  seat: number
  code: string
  rolls: number
  got: number
  expected: number
}

/** How often an event of a kind happened to each seat. */
export function tally(
  events: readonly GameEvent[],
  seats: number,
  seatOf: (event: GameEvent) => number | null,
  worth: (event: GameEvent) => number = () => 1,
): number[] {
  const values = Array.from({ length: seats }, () => 0)
  for (const event of events) {
    const seat = seatOf(event)
    if (seat !== null && seat >= 0) values[seat]! += worth(event)
  }
  return values
}

/** Cards, coins or dice of an example of the rules. */
export interface PiecesProps {
  picture: Picture
  words: Words
}

export interface GameModule {
  /** The cards, coins or dice of a choice, to be drawn. */
  pieces?(action: Action, view: View): Omit<Picture, 'caption'>
  Pieces?: Component<PiecesProps>
  /** Whether the seat's facts show what it chose, once that is revealed. */
  tellsChoice?: boolean
  /** A view in which chariots stand where an example of the rules puts them, and nobody else is on the track. */
  setUp?(view: View, place: Readonly<Record<string, string | number>>): View
  Board: Component<BoardProps>
  Seat: Component<SeatProps>
  Choice: Component<ChoiceProps>
  /** Change the shown view as an event says; returns for how long it is shown, in milliseconds at normal speed. */
  play(view: View, event: GameEvent, game: Game): number
  /** Events that are not worth a line of the log. */
  quiet: ReadonlySet<string>
  /** Events that matter in a replay: shown as key moments. */
  key: ReadonlySet<string>
  /** Whether an event changed nothing: it is told nowhere. */
  isIdle?(event: GameEvent): boolean
  /** What an event brought; null if there is nothing to tell. */
  tell?(event: GameEvent, view: View, game: Game): Told | null
  /** Whether an event ends a seat's turn, so that it can be summed up. */
  closes?(event: GameEvent, seat: number, view: View): boolean
  /** What happened to a seat, told by the events of its turn. */
  recap?(events: readonly GameEvent[], seat: number, view: View, game: Game): RecapPart[]
  /** Events that begin a turn, round or phase in the log. */
  heads: ReadonlySet<string>
  /** What is expected of a seat: a code of the page's catalogue. */
  prompt(view: View, legal: readonly Action[]): string
  /** The rule in play, for the drawer. */
  rule(view: View): string
  /** Whether a seat's choice and view are secret now: on a shared screen the device is handed over. */
  secret(view: View): boolean
  /** How far each seat has come, in laps. */
  progress(view: View, game: Game): number[]
  /** Spaces in a lap, to tell gaps in. */
  lapSpaces(game: Game): number
  /** The lap that is run; null where that is not known. */
  laps(view: View, game: Game): { lap: number; laps: number } | null
  factions(view: View | null, seat: number): Faction[]
  /** The chariots, where they have names of their own: whose each is, and the faction it is drawn for. */
  chariots?(view: View, game: Game): Chariot[]
  /** Whether chariots are drafted in the race, so that nobody wears a colour chosen before it. */
  drafts?(options: Record<string, Json>): boolean
  /** Figures of each seat at the end, told by the events. */
  figures(events: readonly GameEvent[], seats: number, view: View, game: Game): Figure[]
  /** What the dice gave each seat against the average of fair ones. */
  luck(events: readonly GameEvent[], seats: number, view: View, game: Game): Luck[]
  /** Names that are put together, such as those of cards. */
  spell?(words: Words, domain: string, value: string): string | undefined
  /** A board nearly as high as wide: the choice goes to the side, not below. */
  tall?: boolean
  /** Choices that need little room below the board. */
  low?: boolean
  /** Whether the panel shows what choices would bring, which the server is then asked for. */
  previews?: boolean
  /** Whether a half-made choice only waits to be sent: the coach then points at the button. */
  ready?(turn: Turn): boolean
  /** Lay a choice, and those that complete it, out in the panel, half made, where the panel shows parts of choices. */
  lay?(turn: Turn, action: Action, then: readonly Action[]): void
  /** The choice to tell a hint of several by, where that is not the last of them. */
  endOf?(turn: Turn, choices: readonly Action[]): Action | undefined
  /** Whether the panel stays while the events of this choice are played. */
  stays?(sent: Action): boolean
  /** The turn or round that is played; null where that is not known. */
  turnName(view: View): { code: string; number: number } | null
}
