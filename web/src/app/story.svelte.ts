/** A turn as a story: what is told beside the chariot that moves, and afterwards what happened to oneself. */
import type { Caption, GameModule, RecapPart, Told } from '../games/module.ts'
import type { Game, GameEvent, View } from './protocol.ts'
import type { Words } from './words.svelte.ts'

/** What is needed to tell it. */
export interface Teller {
  module: GameModule
  game: Game
  words: Words
  names: readonly string[]
}

/** Events that are kept at most until a turn ends. */
const MOST_EVENTS = 2000

export class Story {
  /** What is told of who moves now. */
  caption: Caption | null = $state.raw(null)
  /** What happened to the seat in its last turn. */
  recap: readonly RecapPart[] = $state.raw([])
  /** Of the turn that is played. */
  private events: GameEvent[] = []
  /** Of a turn that has ended and is not summed up yet. */
  private ended: GameEvent[] | null = null
  private before: readonly number[] = []

  /** Take in an event, as it is shown. */
  take(event: GameEvent, seat: number, view: View, { module, game, words, names }: Teller): void {
    const told = module.isIdle?.(event) ? null : module.tell?.(event, view, game)
    if (told)
      this.caption = {
        seat: told.seat,
        chariot: told.chariot ?? null,
        tone: told.tone ?? 'plain',
        text: words.say(`tell.${told.code}.${formOf(told, seat)}`, paramsOf(told, names)),
      }
    else if (this.caption && isOfAnother(event, this.caption)) this.caption = null
    if (seat < 0) return
    if (module.closes?.(event, seat, view)) [this.ended, this.events] = [this.events, []]
    else if (this.events.length < MOST_EVENTS) this.events.push(event)
  }

  /** All that came is shown: if a turn ended, sum it up. */
  settle(seat: number, view: View, places: readonly number[], { module, game }: Teller): void {
    this.caption = null
    if (!this.before.length) this.before = places
    if (!this.ended) return
    this.recap = [
      ...(module.recap?.(this.ended, seat, view, game) ?? []),
      ...overtaking(this.before, places, seat),
    ]
    this.ended = null
    this.before = places
  }

  /** Begin anew, for another seat. */
  forget(): void {
    Object.assign(this, { caption: null, recap: [], events: [], ended: null, before: [] })
  }
}

/** Whether an event speaks of somebody else than the caption. */
function isOfAnother(event: GameEvent, { chariot, seat }: Caption): boolean {
  const mover: unknown = event['chariot'] ?? event['seat']
  return mover !== undefined && mover !== (event['chariot'] === undefined ? seat : chariot)
}

/** Which form of a sentence: of oneself, to oneself, or of others. */
function formOf({ seat, rival }: Told, me: number): string {
  if (seat === me) return 'me'
  return rival === me && me >= 0 ? 'you' : 'they'
}

const paramsOf = ({ seat, rival, params }: Told, names: readonly string[]) => ({
  player: names[seat] ?? '',
  rival: names[rival ?? -1] ?? '',
  ...params,
})

/** Who passed a seat, and whom it passed, by the places before and after. */
function overtaking(before: readonly number[], after: readonly number[], seat: number): RecapPart[] {
  const [was, is] = [before[seat], after[seat]]
  if (!was || !is) return []
  const rivals = after.flatMap((place, rival) => (place && before[rival] && rival !== seat ? [rival] : []))
  const passed = rivals.filter((rival) => before[rival]! < was && after[rival]! > is)
  const passedBy = rivals.filter((rival) => before[rival]! > was && after[rival]! < is)
  return [
    ...(passed.length ? [{ code: 'passed', rivals: passed }] : []),
    ...(passedBy.length ? [{ code: 'passed_by', rivals: passedBy }] : []),
  ]
}
