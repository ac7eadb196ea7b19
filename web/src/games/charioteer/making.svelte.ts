/** A choice in the making: what is picked, which listed choices it leads to, and what they would bring. */
import type { Action, Game } from '../../app/protocol.ts'
import type { Turn } from '../../app/turn.svelte.ts'
import { exact, holds, moves, placesOf, plain, reset } from './hand.ts'
import { COLOURS, sign, symbolsOf, type Colour } from './parts.ts'
import { movePreviews, type MovePreview } from './previews.ts'

export interface Idea {
  move: Action
  preview: MovePreview
}

const CARD_PARTS = ['first', 'second', 'third']

export class Making {
  /** Why the last choice was refused. */
  refused: string | null = $state(null)
  /** Why the cards last tried do not go together. */
  apart: string | null = $state(null)

  constructor(
    readonly turn: Turn,
    readonly game: Game,
  ) {}

  get view() {
    return this.turn.view
  }
  get draft() {
    return this.turn.draft
  }
  get hand(): (string | null)[] {
    return this.view['hand']
  }
  /** Places of the hand whose cards are picked. */
  get places(): number[] {
    return this.draft['places'] ?? []
  }
  /** Places of the hand whose cards are thrown away. */
  get discards(): number[] {
    return this.draft['discards'] ?? []
  }
  get isReset(): boolean {
    return !!this.draft['reset']
  }
  /** The token that throws cards away. */
  get discardToken(): string | undefined {
    return this.draft['discardToken']
  }
  get picked() {
    return { cards: this.places.map((place) => this.hand[place]!), crowd: !!this.draft['crowd'] }
  }

  /** Listed choices that hold all the cards picked, and maybe others. */
  fitting = $derived.by(() =>
    this.isReset
      ? this.turn.of('reset').filter((action) => holds(action, { ...this.picked, crowd: false }))
      : moves(this.turn).filter((move) => holds(move, this.picked)),
  )
  /** Listed moves of exactly the cards picked. */
  made = $derived.by(() => (this.isReset ? [] : exact(this.turn, this.picked)))
  symbols = $derived.by(() => [
    ...new Set(this.fitting.map((move) => move['symbol'] as string).filter(Boolean)),
  ])
  /** The symbol of the move: the one picked, else that of a move without a token. */
  symbol = $derived.by((): string | undefined => {
    if (this.made.some((move) => move['symbol'] === this.draft['symbol'])) return this.draft['symbol']
    return (this.made.find((move) => move['token'] === null) ?? this.made[0])?.['symbol']
  })
  /** Moves that differ in the card a wild token changes. */
  wilds = $derived.by(() =>
    this.made.filter((move) => move['symbol'] === this.symbol && move['token'] === this.draft['token']),
  )
  move = $derived.by(
    () =>
      this.wilds.find(
        (move) => move['changed'] === null || this.changedCard(move) === this.draft['changed'],
      ) ??
      this.wilds[0] ??
      this.made.find((move) => move['symbol'] === this.symbol && move['token'] === null),
  )
  /** The choice as it would be sent. */
  action = $derived.by((): Action | undefined => {
    const action = this.isReset ? reset(this.turn, this.picked.cards) : this.move
    if (!action || !this.discardToken || !this.discards.length) return action
    const discards = this.discards.map((place) => String(place + 1))
    return { ...action, discard_token: this.discardToken, discards }
  })
  previews = $derived.by(() => movePreviews(this.turn))
  preview = $derived.by(() => (this.move && !this.isReset && this.previews.get(this.move)) || null)

  /** Moves without tokens by colour, the furthest of each first; the colour that leads furthest first. */
  ideas = $derived.by((): [Colour, Idea[]][] => {
    const found = new Map<Colour, Idea[]>(COLOURS.map((colour) => [colour, []]))
    for (const move of plain(this.turn)) {
      const preview = this.previews.get(move)
      if (preview) found.get(sign(move['symbol']).colour)!.push({ move, preview })
    }
    for (const ideas of found.values()) ideas.sort((a, b) => b.preview.distance - a.preview.distance)
    const best = ([, ideas]: [Colour, Idea[]]) => ideas[0]!.preview.distance
    return [...found].filter(([, ideas]) => ideas.length).toSorted((a, b) => best(b) - best(a))
  })

  canTakeCrowd = $derived.by(
    () =>
      !this.isReset &&
      moves(this.turn).some((move) => move['crowd'] && holds(move, { ...this.picked, crowd: true })),
  )

  /** The card that a wild token changes, or `crowd`. */
  changedCard(move: Action): string | undefined {
    return move['changed'] === 'crowd' ? 'crowd' : move['cards'][CARD_PARTS.indexOf(move['changed'])]
  }

  /** Whether a card goes with those picked. */
  goes(place: number): boolean {
    if (this.places.includes(place)) return true
    const { cards, crowd } = this.picked
    const wanted = { cards: [...cards, this.hand[place]!], crowd: crowd && !this.isReset }
    return this.fitting.some((action) => holds(action, wanted))
  }

  isUsable(token: string): boolean {
    return this.made.some((move) => move['symbol'] === this.symbol && move['token'] === token)
  }

  /** How many cards a token throws away. */
  mostDiscards(token: string): number {
    return this.game.components['token_discard'][this.game.names['token']!.indexOf(token)]
  }

  change(fields: Record<string, unknown>): void {
    this.refused = this.apart = null
    this.turn.change(fields)
  }

  /** Pick or drop a card; one that does not go with the others begins anew, or is thrown away. */
  click(place: number): void {
    const others = this.places.filter((one) => one !== place)
    if (this.places.includes(place)) this.change({ places: others })
    else if (this.discardToken && (!this.goes(place) || this.discards.includes(place))) this.discard(place)
    else if (this.goes(place)) this.change({ places: [...this.places, place] })
    else void this.beginAnew(place)
  }

  /** Begin anew with a card that does not go with those picked, and say why it does not: the rules are asked. */
  private async beginAnew(place: number): Promise<void> {
    const cards = [...this.picked.cards, this.hand[place]!]
    const shown = [this.picked.cards, cards, this.hand.filter((card) => card !== null)]
      .map(symbolsOf)
      .find((symbols) => symbols.length)
    const symbol = shown?.find((one) => this.symbols.includes(one)) ?? shown?.[0]
    const move = { kind: 'move', symbol, cards, crowd: this.picked.crowd, token: null, changed: null }
    const crowd = !this.isReset && this.draft['crowd']
    this.change({ places: [place], crowd, token: null })
    const tried = this.isReset || !symbol ? null : await this.turn.whyNot(move)
    if (this.places.length === 1 && this.places[0] === place) this.apart = tried
  }

  /** Throw a card away, or keep it after all. */
  discard(place: number): void {
    const others = this.discards.filter((one) => one !== place)
    const isKept = this.discards.includes(place)
    const most = this.mostDiscards(this.discardToken!)
    this.change({ discards: isKept ? others : [...others, place].slice(-most) })
  }

  /** Use a token, or put it back. */
  toggleToken(token: string): void {
    if (this.mostDiscards(token) > 0)
      this.change({ discardToken: this.discardToken === token ? undefined : token, discards: [] })
    else this.change({ token: this.draft['token'] === token ? null : token, changed: undefined })
  }

  take(move: Action): void {
    this.change({
      places: placesOf(this.hand, move['cards']),
      crowd: !!move['crowd'],
      symbol: move['symbol'],
      token: null,
      reset: false,
    })
  }

  clear(): void {
    this.change({ places: [], crowd: false, token: null, symbol: undefined, discards: [] })
  }

  /** Send the choice; discards are not listed, so the rules are asked first. */
  async submit(): Promise<void> {
    const { action } = this
    if (!action) return
    this.refused = action['discard_token'] ? await this.turn.whyNot(action) : null
    if (!this.refused) await this.turn.submit(action)
  }
}
