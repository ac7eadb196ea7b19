/** The log of a race in words, and what each line points at on the board. */
import type { GameModule, Marks } from '../games/module.ts'
import type { Game, GameEvent, Step } from './protocol.ts'
import { w, type Words } from './words.svelte.ts'

export interface Line {
  id: number
  seq: number
  text: string
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
  words: Words
  names: readonly string[]
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
  write(event: GameEvent, seq: number, { module, game, words, names }: Telling): void {
    if (!isTold(event, module)) return
    const text = event.kind.startsWith('entry.')
      ? w(event.kind, { ...event, player: names[event['seat']] ?? '' })
      : words.message('events', event, game, names)
    const line = {
      id: ++this.lastId,
      seq: event['seq'] ?? seq,
      text,
      head: module.heads.has(event.kind),
      key: module.key.has(event.kind),
      marks: marksOf(event, game),
    }
    this.lines = [...this.lines.slice(-MOST_LINES), line]
    this.spoken = text
  }
}

/** The events of a step; an entry that is no choice is an event of its own. */
export function unfold({ entry, events }: Step): GameEvent[] {
  if (entry.kind === 'clock') return []
  if (entry.kind === 'choices' || entry.kind === 'setup') return events
  return [{ ...entry, kind: `entry.${entry.kind}` }, ...events]
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
