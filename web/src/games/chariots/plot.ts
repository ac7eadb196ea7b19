/** Coins laid in secret, one for each phase. */
import type { Action } from '../../app/protocol.ts'
import type { Turn } from '../../app/turn.svelte.ts'

/** The coins that can be laid, as the listed choices name them. */
export const coinsOf = (turn: Turn): string[] =>
  [...new Set(turn.of('plot').flatMap((action) => action['coins'] as string[]))].toSorted()

/** How many coins are to be laid. */
export const slotsOf = (turn: Turn): number => turn.of('plot')[0]?.['coins'].length ?? 0

export const laidOf = (turn: Turn): string[] => turn.draft['coins'] ?? turn.chosen?.['coins'] ?? []

/** The listed choice of exactly the coins laid. */
export const plotOf = (turn: Turn): Action | undefined =>
  turn.of('plot').find((action) => action['coins'].join() === laidOf(turn).join())

/** Lay a coin into a slot, or behind the others. */
export function layCoin(turn: Turn, coin: string, slot?: number): void {
  const laid = laidOf(turn)
  const coins = laid.filter((known) => known !== coin)
  const isTaken = slot !== undefined && coins.length > slot && laid.length > slot
  coins.splice(slot ?? coins.length, Number(isTaken), coin)
  turn.change({ coins: coins.slice(0, slotsOf(turn)) })
}

export function liftCoin(turn: Turn, slot: number): void {
  turn.change({ coins: laidOf(turn).filter((_, i) => i !== slot) })
}
