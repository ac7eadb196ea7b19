/** A round of Chariots in words: what each event brought, and what became of a seat. */
import type { Game, GameEvent, View } from '../../app/protocol.ts'
import type { RecapPart, Told } from '../module.ts'

type Seats = (chariot: string | null) => number

const TELL: Record<string, (event: GameEvent, seatOf: Seats) => Partial<Told> & { code: string }> = {
  coin_exposed: (event) => ({ code: 'speed', params: { speed: event['speed'] } }),
  control_rolled: (event) =>
    event['holds'] ? { code: 'holds', tone: 'good' } : { code: 'loses_control', tone: 'bad' },
  balked: () => ({ code: 'balks', tone: 'bad' }),
  pushed: (event, seatOf) => ({
    code: 'pushes',
    seat: seatOf(event['by']),
    rival: seatOf(event['chariot']),
    chariot: event['by'],
    tone: 'bad',
  }),
  crashed: () => ({ code: 'crashes', tone: 'bad' }),
  step_lost: () => ({ code: 'step_lost', tone: 'bad' }),
  lap_finished: (event) => ({ code: 'lap', tone: 'good', params: { lap: event['lap'] } }),
  finished: (event) => ({ code: 'finishes', tone: 'good', params: { place: event['place'] } }),
}

const seats =
  (view: View, game: Game): Seats =>
  (chariot) =>
    chariot === null ? -1 : game.names['chariot']!.indexOf(chariot) % view['seats']

export function tell(event: GameEvent, view: View, game: Game): Told | null {
  const seatOf = seats(view, game)
  const told = TELL[event.kind]?.(event, seatOf)
  return told ? { seat: seatOf(event['chariot']), chariot: event['chariot'], ...told } : null
}

/** A round ends when the next is plotted. */
export const closes = (event: GameEvent): boolean => event.kind === 'round_began'

export function recap(events: readonly GameEvent[], seat: number, view: View, game: Game): RecapPart[] {
  const seatOf = seats(view, game)
  const own = (kind: string) =>
    events.filter((event) => event.kind === kind && seatOf(event['chariot']) === seat)
  const steps = own('stepped').length
  return [
    ...(steps ? [{ code: 'drove', params: { spaces: steps } }] : []),
    ...own('pushed').map((event) => ({ code: 'pushed', rival: seatOf(event['by']) })),
    ...own('crashed').map(() => ({ code: 'crashed' })),
    ...own('lap_finished').map((event) => ({ code: 'lap', params: { lap: event['lap'] } })),
  ]
}
