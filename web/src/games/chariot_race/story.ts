/** A turn of Chariot Race in words: what each event brought, and what became of a seat. */
import type { GameEvent, View } from '../../app/protocol.ts'
import type { RecapPart, Told } from '../module.ts'

type Tell = (
  event: GameEvent,
  ownerOf: (chariot: string | null) => number,
) => Partial<Told> & { code: string }

const TELL: Record<string, Tell> = {
  rolled: () => ({ code: 'rolls' }),
  rerolled: () => ({ code: 'rerolls' }),
  repaired: (event) => ({ code: 'repairs', tone: 'good', params: { damage: event['points'] } }),
  paced: (event) => ({ code: 'drives', params: { speed: event['speed'] } }),
  stood: () => ({ code: 'stands' }),
  rammed: (event, ownerOf) => ({ code: 'rams', rival: ownerOf(event['rival']), tone: 'bad' }),
  damaged: (event) => ({
    code: `damage_${event['cause']}`,
    tone: 'bad',
    params: { damage: event['points'] },
  }),
  wrecked: () => ({ code: 'wrecked', tone: 'bad' }),
  threw: (event, ownerOf) => ({ code: 'throws', rival: ownerOf(event['target']) }),
  dropped: () => ({ code: 'drops' }),
  crossed: (event) => ({ code: 'crosses', tone: 'good', params: { lines: event['lines'] } }),
  fell_back: (event) => ({ code: 'falls_back', tone: 'bad', params: { spaces: event['spaces'] } }),
  race_won: () => ({ code: 'wins', tone: 'good' }),
}

export function tell(event: GameEvent, view: View): Told | null {
  const ownerOf = (chariot: string | null) => (chariot === null ? -1 : (view['owner'][chariot] as number))
  const told = TELL[event.kind]?.(event, ownerOf)
  return told ? { seat: ownerOf(event['chariot']), chariot: event['chariot'], ...told } : null
}

const COUNTS: Record<string, string> = {
  favoured: 'gained',
  damaged: 'points',
  repaired: 'points',
  passed: 'attacks',
}

/** Whether an event changed nothing: no fate gained, no point taken, no attack given up. */
export const isIdle = (event: GameEvent): boolean => event[COUNTS[event.kind] ?? ''] === 0

/** A turn goes from the beginning of one's drive to that of the next. */
export const closes = (event: GameEvent, seat: number): boolean =>
  event.kind === 'turn_began' && event['seat'] === seat

export function recap(events: readonly GameEvent[], seat: number, view: View): RecapPart[] {
  const isMine = (event: GameEvent) => view['owner'][event['chariot']] === seat
  const own = (kind: string) => events.filter((event) => event.kind === kind && isMine(event))
  const steps = own('stepped').length
  return [
    ...(steps ? [{ code: 'drove', params: { spaces: steps } }] : []),
    ...own('damaged')
      .filter((event) => event['points'] > 0)
      .map((event) => ({
        code: `damage_${event['cause']}`,
        ...(event['other'] === null ? {} : { rival: view['owner'][event['other']] as number }),
        params: { damage: event['points'] },
      })),
    ...own('wrecked').map(() => ({ code: 'wrecked' })),
  ]
}
