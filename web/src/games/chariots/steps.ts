/** The listed steps, sorted by where they lead and what they cost; nothing is worked out here. */
import type { Turn } from '../../app/turn.svelte.ts'
import type { Action } from '../../app/protocol.ts'

export interface Target {
  to: string
  actions: Action[]
  cost: ('null' | 'ace')[]
  needsPlace: boolean
  /** Which way it leads, as the server tells; null until it has. */
  way: Way | null
}
export interface Way {
  along: 'ahead' | 'back' | null
  across: 'in' | 'out' | null
}

const cost = (action: Action): ('null' | 'ace')[] => [
  ...(action['null'] ? ['null' as const] : []),
  ...(action['pushed_to'] ? ['ace' as const] : []),
]

/** Whether any step is listed without a coin. */
export const hasFree = (turn: Turn) => turn.of('step').some((action) => !cost(action).length)
export const canSpend = (turn: Turn, coin: 'null' | 'ace') =>
  turn.of('step').some((action) => cost(action).includes(coin))

/** Squares to light: those without coins, and those of the coins switched on; all if there is no other way. */
export function targets(turn: Turn): Map<string, Target> {
  const found = new Map<string, Target>()
  const all = !hasFree(turn)
  for (const action of turn.of('step')) {
    const coins = cost(action)
    if (!all && coins.some((coin) => !turn.draft[coin])) continue
    const before = found.get(action['to'])
    if (before && before.cost.length < coins.length) continue
    if (before && before.cost.length === coins.length) before.actions.push(action)
    else
      found.set(action['to'], {
        to: action['to'],
        actions: [action],
        cost: coins,
        needsPlace: coins.includes('ace'),
        way: turn.preview?.['steps']?.[turn.legal.indexOf(action)] ?? null,
      })
  }
  return found
}

/** The pushes into the square chosen, one for each square the pushed chariot can be put on. */
export function pushes(turn: Turn): Action[] {
  return targets(turn).get(turn.draft['to'])?.actions ?? []
}
