/** Hints and the coach of a table: asked of the server, with the reason, for the turn at hand. */
import { get, Refused } from './api.ts'
import type { Action } from './protocol.ts'
import type { Race } from './race.svelte.ts'
import { settings } from './settings.svelte.ts'
import type { Turn } from './turn.svelte.ts'

/** How long the coach may think; after that the choice is made without it. */
const MOST_MS = 6000
/** The code of a choice that the coach warns of. */
export const COSTLY = 'costly'
const patience = () => new Promise<null>((resolve) => setTimeout(() => resolve(null), MOST_MS))

export class Hints {
  /** What is advised here, a whole drive at once; null while it is not known. */
  found: { action: Action; then: Action[] } | null = $state.raw(null)
  /** Why, as a clause in each language. */
  why: Record<string, string> = $state.raw({})
  /** What the coach has against the choices that were about to be made. */
  warning: { seq: number; cost: number; own: Action[] } | null = $state.raw(null)
  isThinking = $state(false)
  /** Whether the coach looks at a choice. */
  isLooking = $state(false)
  /** Choices that are made without asking the coach, as text. */
  private settled: string[] = []
  private isAwake = false

  constructor(private readonly race: Race) {}

  /** Whether nobody else sits here. */
  get isAlone(): boolean {
    const { table } = this.race
    return !!table?.seats.every(({ kind, seat }) => kind !== 'person' || table.my_seats.includes(seat))
  }

  /** Whether this table gives hints: in casual races against bots. */
  get areGiven(): boolean {
    const hints = this.race.table?.hints
    return hints === 'all' || (hints === 'alone' && this.isAlone)
  }

  /** Whether the coach may be asked here. */
  get canCoach(): boolean {
    return this.areGiven && this.isAlone
  }

  /** What was said of an earlier turn is gone; the coach is woken before it is needed. */
  begin(turn: Turn): void {
    if (this.warning?.seq === turn.seq) return this.lay(turn)
    this.close()
    if (!settings.coach || !this.canCoach || this.isAwake) return
    this.isAwake = true
    get(`/tables/${this.race.id}/evaluation`).catch(() => undefined)
  }

  close(): void {
    this.found = this.warning = null
    if (this.race.turn) this.race.turn.hint = null
  }

  async ask(): Promise<void> {
    const { race } = this
    const { turn } = race
    if (!turn || this.isThinking) return
    this.isThinking = true
    race.problem = ''
    try {
      const { action, then, seq, why } = await race.command('hint', { seat: turn.seat, seq: turn.seq })
      this.warning = null
      this.tell(seq, action, then, why)
    } catch (error) {
      race.explainUnless(error, 'late')
    }
    this.isThinking = false
  }

  /** Refuse the first of some choices if the coach warns of it; where it cannot tell in time, it does not. */
  async require(seat: number, seq: number, own: Action[]): Promise<void> {
    if (JSON.stringify(own[0]) === this.settled.shift()) return
    this.settled = []
    if (!settings.coach || !this.canCoach) return
    this.isLooking = true
    const asked = this.race.command('coach', { seat, seq, action: own[0], share: settings.coach })
    const said = await Promise.race([asked, patience()]).catch(() => null)
    this.isLooking = false
    if (!said?.warns) return
    this.warning = { seq, cost: said.cost, own }
    this.tell(seq, said.candidates[0].action, said.then, said.why)
    throw new Refused({ code: COSTLY, params: {}, sentence: '' }, 0)
  }

  /** Make choices of which nothing more needs to be said. */
  make(choices: Action[]): void {
    this.settled = choices.map((choice) => JSON.stringify(choice))
    this.close()
    this.race.turn?.follow(choices)
  }

  private tell(seq: number, action: Action, then: Action[], why: Record<string, string> = {}): void {
    this.found = { action, then }
    this.why = why
    if (this.race.turn?.seq === seq) this.lay(this.race.turn)
  }

  /** What a choice brings is known: show what is advised once more, with that. */
  show(turn: Turn): void {
    if (this.found && turn === this.race.turn) this.lay(turn)
  }

  /** Show in the panel what is advised. */
  private lay(turn: Turn): void {
    const { action, then } = this.found!
    turn.hint = action
    this.race.module?.lay?.(turn, action, then)
  }
}
