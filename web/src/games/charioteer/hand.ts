/** The listed moves, found by the cards picked; nothing is worked out here. */
import type { Turn } from '../../app/turn.svelte.ts'
import type { Action } from '../../app/protocol.ts'

export interface Picked {
  cards: string[]
  crowd: boolean
}

const count = (cards: readonly string[], card: string) => cards.filter((other) => other === card).length

/** Whether a listed choice holds all the cards picked. */
export function holds(action: Action, { cards, crowd }: Picked): boolean {
  const held = action['cards'] as string[]
  return (
    cards.length <= held.length &&
    (!crowd || !!action['crowd']) &&
    cards.every((card) => count(held, card) >= count(cards, card))
  )
}

export const moves = (turn: Turn) => turn.of('move')
export const plain = (turn: Turn) => moves(turn).filter((move) => move['token'] === null)

/** Listed moves of exactly the cards picked. */
export const exact = (turn: Turn, picked: Picked) =>
  moves(turn).filter(
    (move) =>
      move['cards'].length === picked.cards.length && !!move['crowd'] === picked.crowd && holds(move, picked),
  )

/** The listed reset with exactly the cards picked. */
export const reset = (turn: Turn, cards: readonly string[]) =>
  turn
    .of('reset')
    .find(
      (action) =>
        action['cards'].length === cards.length && holds(action, { cards: [...cards], crowd: false }),
    )

/** Places of the hand for the cards of a move: the first that hold them. */
export function placesOf(hand: readonly (string | null)[], cards: readonly string[]): number[] {
  const places: number[] = []
  for (const card of cards)
    places.push(hand.findIndex((held, place) => held === card && !places.includes(place)))
  return places
}

/** A choice as the panel lays it out: cards lifted, token and discards picked. */
export function lay(turn: Turn, chosen: Action): void {
  const discards = (chosen['discards'] ?? []) as string[]
  Object.assign(turn.draft, {
    places: placesOf(turn.view['hand'], chosen['cards']),
    crowd: !!chosen['crowd'],
    symbol: chosen['symbol'],
    token: chosen['token'] ?? null,
    reset: chosen.kind === 'reset',
    discardToken: chosen['discard_token'] ?? undefined,
    discards: discards.map((place) => Number(place) - 1),
  })
}
