/** A turn of Charioteer in words: what each event brought, and what became of a seat. */
import type { GameEvent, View } from '../../app/protocol.ts'
import type { RecapPart, Told } from '../module.ts'
import { sign } from './parts.ts'

type Tell = (event: GameEvent, view: View) => Omit<Told, 'seat'> | null

const TELL: Record<string, Tell> = {
  measured: (event, view) => {
    const symbol = view['revealed']?.[event['seat']]?.symbol as string | undefined
    return { code: symbol ? sign(symbol).colour : 'drives', params: { spaces: event['distance'] } }
  },
  passed: (event) => ({ code: 'passes', rival: event['rival'] }),
  attacked: (event) => ({
    code: 'attacks',
    rival: event['rival'],
    tone: 'bad',
    params: { damage: event['cubes'] },
  }),
  blocked: (event) => ({ code: 'blocked', rival: event['rival'] }),
  shielded: () => ({ code: 'shields', tone: 'good' }),
  recovered: (event) => ({ code: 'recovers', tone: 'good', params: { damage: event['cubes'] } }),
  calmed: () => ({ code: 'rests' }),
  whipped: (event) => ({ code: 'whips', tone: 'good', params: { spaces: event['spaces'] } }),
  fan_earned: () => ({ code: 'fan', tone: 'good' }),
  disrupted: (event) => ({ code: 'disrupted', tone: 'bad', params: { damage: event['cubes'] } }),
  hurt: (event) => ({ code: 'hurt', tone: 'bad', params: { damage: event['cubes'] } }),
  lap_completed: (event) => ({ code: 'lap', tone: 'good', params: { lap: event['lap'] } }),
}

export function tell(event: GameEvent, view: View): Told | null {
  const told = TELL[event.kind]?.(event, view)
  return told ? { seat: event['seat'], ...told } : null
}

/** Cubes that an event moves, for those that move some. */
const CUBES: Record<string, string> = {
  shielded: 'cubes',
  recovered: 'cubes',
  hurt: 'cubes',
  disrupted: 'cubes',
  attacked: 'cubes',
  refilled: 'cards',
  whipped: 'spaces',
  bag_refilled: 'tokens',
}

/** Whether an event changed nothing: no cube, card or space moved. */
export const isIdle = (event: GameEvent): boolean =>
  event[CUBES[event.kind] ?? ''] === 0 || (event.kind === 'advanced' && event['start'] === event['to'])

/** The emperor's roll begins the next turn. */
export const closes = (event: GameEvent): boolean => event.kind === 'emperor_rolled'

export function recap(events: readonly GameEvent[], seat: number): RecapPart[] {
  const own = (kind: string) => events.filter((event) => event.kind === kind && event['seat'] === seat)
  const atMe = (kind: string) => events.filter((event) => event.kind === kind && event['rival'] === seat)
  const hurts = own('hurt').some((event) => event['cubes'] > 0)
  return [
    ...own('measured').map((event) => ({ code: 'drove', params: { spaces: event['distance'] } })),
    ...own('whipped').map((event) => ({ code: 'whipped', params: { spaces: event['spaces'] } })),
    ...own('calmed').map((event) => ({ code: 'rested', params: { damage: event['damage'] } })),
    ...own('fan_earned').map(() => ({ code: 'fan' })),
    ...(hurts ? [...atMe('attacked'), ...own('disrupted')] : [])
      .filter((event) => event['cubes'] > 0)
      .map((event) =>
        event.kind === 'attacked'
          ? { code: 'attacked', rival: event['seat'], params: { damage: event['cubes'] } }
          : { code: 'disrupted', params: { damage: event['cubes'] } },
      ),
    ...atMe('blocked').map((event) => ({ code: 'blocked', rival: event['seat'] })),
  ]
}
