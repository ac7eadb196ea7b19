/** What one seat may do now, and what it has half chosen; the half-made choice outlives reconnects and reloads. */
import type { Action, GameEvent, Json, View } from './protocol.ts'

/** A view with choices in it. */
export interface Asked {
  seat: number
  seq: number
  view: View
  legal: readonly Action[]
  choice: Action | null
}

/** What a turn needs of the table it belongs to. */
export interface TurnTable {
  /** Send a choice; whether it was taken. */
  choose(turn: Turn, action: Action): Promise<boolean>
  /** Why the rules would refuse a choice; null if they allow it. */
  whyNot(turn: Turn, action: Action): Promise<string | null>
  /** Choices to make after the one that is sent now, for as long as they are listed. */
  plan(turn: Turn, rest: Action[]): void
  needsConfirmation(): boolean
}

export class Turn {
  readonly seat: number
  readonly seq: number
  readonly view: View
  readonly legal: readonly Action[]
  /** The choice already made, which may still be changed; null if there is none. */
  readonly chosen: Action | null
  /** What the listed choices would bring, as the server's rules work it out; null until that is known. */
  preview: Record<string, Json> | null = $state.raw(null)
  /** Whatever the game's panel keeps while a choice is made. */
  draft: Record<string, Json> = $state({})
  /** A choice picked and not yet confirmed. */
  picked: Action | null = $state(null)
  /** What there is to say against it. */
  warning = $state('')
  /** What the best bot would choose, if that was asked. */
  hint: Action | null = $state.raw(null)
  busy = $state(false)
  /** The choice that was taken; what it leads to may still be played. */
  sent: Action | null = $state.raw(null)
  /** The event that is shown of it. */
  event: GameEvent | null = $state.raw(null)

  constructor(
    asked: Asked,
    private readonly key: string,
    private readonly table: TurnTable,
  ) {
    this.seat = asked.seat
    this.seq = asked.seq
    this.view = asked.view
    this.legal = asked.legal
    this.chosen = asked.choice
    this.draft = parseDraft(sessionStorage.getItem(key)) ?? {}
  }

  /** Keep the half-made choice. */
  keep(): void {
    sessionStorage.setItem(this.key, JSON.stringify(this.draft))
  }

  /** Change the half-made choice and keep it; a field that is undefined goes. */
  change(fields: Record<string, unknown>): void {
    Object.assign(this.draft, fields)
    this.keep()
  }

  /** Whether a choice is the one that a hint names. */
  isHinted(action: Action | undefined): boolean {
    return !!action && !!this.hint && JSON.stringify(action) === JSON.stringify(this.hint)
  }

  /** All listed choices of a kind. */
  of(kind: string): Action[] {
    return this.legal.filter((action) => action.kind === kind)
  }

  /** Take a choice at once, or after a confirmation if the person wants that, or there is something to warn of. */
  pick(action: Action, warning = ''): void {
    this.warning = warning
    if (warning || this.table.needsConfirmation()) this.picked = action
    else void this.submit(action)
  }

  /** Several choices in a row: the first now, the others as they are asked, for as long as they are listed. */
  follow(actions: readonly Action[]): void {
    this.table.plan(this, actions.slice(1))
    if (actions[0]) void this.submit(actions[0])
  }

  /** Why the rules would refuse a choice; null if they allow it. */
  whyNot(action: Action): Promise<string | null> {
    return this.table.whyNot(this, action)
  }

  async submit(action: Action): Promise<void> {
    if (this.busy) return
    this.busy = true
    this.sent = action
    if (await this.table.choose(this, action)) sessionStorage.removeItem(this.key)
    else this.sent = null
    this.busy = false
    this.picked = null
  }
}

/** The draft a stored text holds, if it is one. */
function parseDraft(text: string | null): Record<string, Json> | null {
  if (!text) return null
  try {
    const found: unknown = JSON.parse(text)
    const isObject = typeof found === 'object' && found !== null && !Array.isArray(found)
    return isObject ? (found as Record<string, Json>) : null
  } catch {
    return null
  }
}
