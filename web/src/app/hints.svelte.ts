/** The hint of a table: asked of the server, with the reason, for the turn at hand. */
import type { Action } from './protocol.ts'
import type { Race } from './race.svelte.ts'

export class Hints {
  /** What the best bot would do here, a whole drive at once; null while it is not known. */
  found: { action: Action; then: Action[] } | null = $state.raw(null)
  /** Why, as a clause in each language. */
  why: Record<string, string> = $state.raw({})
  isThinking = $state(false)

  constructor(private readonly race: Race) {}

  /** Whether this table gives hints: in casual races against bots. */
  get areGiven(): boolean {
    const { table } = this.race
    const people = table?.seats.filter((seat) => seat.kind === 'person') ?? []
    return (
      table?.hints === 'all' ||
      (table?.hints === 'alone' && people.every(({ seat }) => table.my_seats.includes(seat)))
    )
  }

  async ask(): Promise<void> {
    const { race } = this
    const { turn } = race
    if (!turn || this.isThinking) return
    this.isThinking = true
    race.problem = ''
    try {
      const { action, then, seq, why } = await race.command('hint', { seat: turn.seat, seq: turn.seq })
      if (race.turn?.seq === seq) {
        this.found = { action, then }
        this.why = why ?? {}
        race.turn!.hint = action
        race.module?.lay?.(race.turn!, action, then)
      }
    } catch (error) {
      race.explainUnless(error, 'late')
    }
    this.isThinking = false
  }
}
