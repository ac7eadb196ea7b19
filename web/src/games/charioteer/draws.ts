/**
 * What a step of Charioteer draws: the deck, skills, fan tokens and the emperor die.
 * Hands are secret, so their cards are passed over.
 */
import { shuffled } from '../../app/fairness.ts'
import type { GameEvent, Step } from '../../app/protocol.ts'
import type { Check, Checker } from '../draws.ts'

export const check: Checker = (game, seats) => {
  /** The draw pile from bottom to top; null once discards of unknown order were shuffled into it. */
  let pile: string[] | null = null
  let bag = (game.components['token_fan'] as number[]).reduce((sum, count) => sum + count, 0)

  function setUp(
    draw: (n: number) => number,
    compare: (found: unknown, told: unknown) => void,
    step: Step,
  ): void {
    const told = (kind: string) => step.events.filter((event) => event.kind === kind)
    const deck = game.names['card']!.flatMap((card, i) =>
      Array.from({ length: game.components['card_count'][i] as number }, () => card),
    )
    pile = shuffled(deck, draw)
    compare(draw(seats), told('first_player')[0]?.['seat'])
    const cards = Array.from({ length: game.components['skills_cards'] as number }, (_, i) => i)
    for (const [seat, event] of told('skills_dealt').entries()) {
      const other = seat + draw(cards.length - seat)
      const dealt = cards[other]!
      cards[other] = cards[seat]!
      compare(game.names['colour']![game.components['skills_card'][dealt][0] as number], event['first'])
    }
    for (const event of told('refilled')) pile.splice(-event['cards'])
    const crowd = told('crowd_set')[0]
    for (const card of [crowd?.['now'], crowd?.['next'], crowd?.['later']]) compare(pile.pop(), card)
    roll(draw, compare, told('emperor_rolled')[0])
  }
  const roll = (
    draw: (n: number) => number,
    compare: (found: unknown, told: unknown) => void,
    event: GameEvent | undefined,
  ) => compare(game.names['face']![draw(game.names['face']!.length)], event?.['face'])

  const play: Check = (step, draw, compare) => {
    if (step.seq === 0) return setUp(draw, compare, step)
    if (step.entry.kind === 'take_back') pile = null
    for (const event of step.events) {
      if (event.kind === 'bag_refilled') bag = event['tokens']
      if (event.kind === 'fan_earned' && bag > 0) draw(bag--)
      if (event.kind === 'refilled') pile?.splice(-event['cards'])
      if (event.kind === 'reshuffled') {
        pile = null
        for (let n = event['cards'] as number; n > 1; n--) draw(n)
      }
      if (event.kind === 'crowd_slid' && pile) compare(pile.pop(), event['new'])
      if (event.kind === 'emperor_rolled') roll(draw, compare, event)
    }
  }
  return play
}
