/**
 * What a step of Charioteer draws: the deck, skills, fan tokens and the emperor die.
 * Hands are secret, so their cards are passed over.
 */
import { shuffled } from '../../app/fairness.ts'
import type { Game, GameEvent, Step } from '../../app/protocol.ts'
import type { Checker, Compare, Draw } from '../draws.ts'

class Draws {
  /** The draw pile from bottom to top; null once discards of unknown order were shuffled into it. */
  private pile: string[] | null = null
  private bag: number

  constructor(
    private readonly game: Game,
    private readonly seats: number,
  ) {
    const tokens = game.components['token_fan'] as number[]
    this.bag = tokens.reduce((sum, count) => sum + count, 0)
  }

  setUp({ events }: Step, draw: Draw, compare: Compare): void {
    const told = (kind: string) => events.filter((event) => event.kind === kind)
    const { names, components } = this.game
    const deck = names['card']!.flatMap((card, i) => Array<string>(components['card_count'][i]).fill(card))
    const pile = (this.pile = shuffled(deck, draw))
    compare(draw(this.seats), told('first_player')[0]?.['seat'])
    this.dealSkills(told('skills_dealt'), draw, compare)
    for (const event of told('refilled')) pile.splice(-event['cards'])
    const crowd = told('crowd_set')[0]
    for (const card of [crowd?.['now'], crowd?.['next'], crowd?.['later']]) compare(pile.pop(), card)
    this.roll(told('emperor_rolled')[0], draw, compare)
  }

  private dealSkills(dealt: GameEvent[], draw: Draw, compare: Compare): void {
    const { names, components } = this.game
    const cards = [...Array(components['skills_cards'] as number).keys()]
    for (const [seat, event] of dealt.entries()) {
      const other = seat + draw(cards.length - seat)
      const card = cards[other]!
      cards[other] = cards[seat]!
      compare(names['colour']![components['skills_card'][card][0] as number], event['first'])
    }
  }

  private roll(event: GameEvent | undefined, draw: Draw, compare: Compare): void {
    const faces = this.game.names['face']!
    compare(faces[draw(faces.length)], event?.['face'])
  }

  play({ entry, events }: Step, draw: Draw, compare: Compare): void {
    if (entry.kind === 'take_back') this.pile = null
    for (const event of events) {
      if (event.kind === 'bag_refilled') this.bag = event['tokens']
      if (event.kind === 'fan_earned' && this.bag > 0) draw(this.bag--)
      if (event.kind === 'refilled') this.pile?.splice(-event['cards'])
      if (event.kind === 'reshuffled') this.reshuffle(event['cards'], draw)
      if (event.kind === 'crowd_slid' && this.pile) compare(this.pile.pop(), event['new'])
      if (event.kind === 'emperor_rolled') this.roll(event, draw, compare)
    }
  }

  private reshuffle(cards: number, draw: Draw): void {
    this.pile = null
    for (let n = cards; n > 1; n--) draw(n)
  }
}

export const check: Checker = (game, seats) => {
  const draws = new Draws(game, seats)
  return (step, draw, compare) =>
    step.seq === 0 ? draws.setUp(step, draw, compare) : draws.play(step, draw, compare)
}
