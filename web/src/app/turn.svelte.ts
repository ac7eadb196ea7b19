/** What one seat may do now, and what it has half chosen; the half-made choice outlives reconnects and reloads. */
import { isDraft } from './draft.ts'
import type { Action, Json, View } from './protocol.ts'

export class Turn {
  /** Whatever the game's panel keeps while a choice is made. */
  draft: Record<string, Json> = $state({})
  /** A choice picked and not yet confirmed. */
  picked: Action | null = $state(null)
  busy = $state(false)

  constructor(
    readonly seat: number,
    readonly seq: number,
    readonly view: View,
    readonly legal: readonly Action[],
    readonly chosen: Action | null,
    private readonly key: string,
    private readonly send: (action: Action) => Promise<boolean>,
    private readonly confirm: () => boolean,
    readonly attempt: (action: Action) => Promise<string | null>,
    private readonly plan: (rest: Action[]) => void,
  ) {
    const kept = isDraft(sessionStorage.getItem(key))
    if (kept) this.draft = kept
  }

  /** Keep the half-made choice. */
  keep(): void {
    sessionStorage.setItem(this.key, JSON.stringify(this.draft))
  }

  /** All listed choices of a kind. */
  of(kind: string): Action[] {
    return this.legal.filter((action) => action.kind === kind)
  }

  /** Take a choice at once, or after a confirmation if the person wants that. */
  pick(action: Action): void {
    if (this.confirm()) this.picked = action
    else void this.submit(action)
  }

  /** Several choices in a row: the first now, the others as they are asked, for as long as they are listed. */
  follow(actions: readonly Action[]): void {
    this.plan(actions.slice(1))
    if (actions[0]) void this.submit(actions[0])
  }

  async submit(action: Action): Promise<void> {
    if (this.busy) return
    this.busy = true
    if (await this.send(action)) sessionStorage.removeItem(this.key)
    this.busy = false
    this.picked = null
  }
}
