/** The log of a race in words, and what each line points at on the board. */
import type { Faction } from '../board/factions.ts'
import type { GameModule, Marks } from '../games/module.ts'
import type { Game, GameEvent, Step } from './protocol.ts'
import { w, type Part } from './words.svelte.ts'

export type ToldPart = Part & { faction?: Faction | undefined }

export interface Line {
  id: number
  seq: number
  text: string
  /** The same in pieces, with the faction of those who are named. */
  parts: ToldPart[]
  /** Whether it was taken back since. */
  isUndone: boolean
  /** Begins a turn, round or phase. */
  head: boolean
  /** A key moment. */
  key: boolean
  marks: Marks
}

/** What is needed to put an event into words. */
export interface Telling {
  module: GameModule
  game: Game
  names: readonly string[]
  tell: (event: GameEvent) => ToldPart[]
}

const MOST_LINES = 600

/** Whether an event is worth a line. */
export const isTold = (event: GameEvent, module: GameModule) =>
  !module.quiet.has(event.kind) && !module.isIdle?.(event)

export class RaceLog {
  lines: Line[] = $state.raw([])
  /** The last line, for screen readers. */
  spoken = $state('')
  private lastId = 0

  /** Add an event, unless it is not worth a line. */
  write(event: GameEvent, seq: number, { module, game, names, tell }: Telling): void {
    if (!isTold(event, module)) return
    if (event.kind === 'entry.take_back') this.undo(event['to'])
    const parts: ToldPart[] = event.kind.startsWith('entry.')
      ? [{ text: w(event.kind, { ...event, player: names[event['seat']] ?? '' }) }]
      : tell(event)
    const text = parts.map((part) => part.text).join('')
    const line = {
      id: ++this.lastId,
      seq: event['seq'] ?? seq,
      text,
      parts,
      isUndone: false,
      head: module.heads.has(event.kind),
      key: module.key.has(event.kind),
      marks: marksOf(event, game),
    }
    this.lines = [...this.lines.slice(-MOST_LINES), line]
    this.spoken = text
  }

  /** Mark what was taken back: all that came after an entry. */
  private undo(to: number): void {
    this.lines = this.lines.map((line) => (line.seq > to ? { ...line, isUndone: true } : line))
  }
}

/** The events of a step; an entry that is no choice is an event of its own. */
export function unfold({ seq, entry, events }: Step): GameEvent[] {
  if (entry.kind === 'clock') return []
  const told = events.map((event) => ({ ...event, seq }))
  if (entry.kind === 'choices' || entry.kind === 'setup') return told
  return [{ ...entry, seq, kind: `entry.${entry.kind}` }, ...told]
}

/** The spaces, chariots and seats an event or action speaks of. */
export function marksOf(event: GameEvent, game: Game, section: 'events' | 'actions' = 'events'): Marks {
  const marks: Marks = { spaces: [], chariots: [], seats: [] }
  for (const field of game[section].find((known) => known.kind === event.kind)?.fields ?? []) {
    const value = event[field.name]
    if (value === null || value === undefined) continue
    if (field.domain === 'square' || field.domain === 'space') marks.spaces.push(String(value))
    else if (field.domain === 'chariot') marks.chariots.push(String(value))
    else if (field.domain === 'seat') marks.seats.push(Number(value))
  }
  return marks
}
