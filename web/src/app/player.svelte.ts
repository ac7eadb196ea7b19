/** Plays a race again: where it stands, step by step or event by event, at a speed of one's own. */
import type { History } from './history.ts'
import type { GameEvent, View } from './protocol.ts'
import { still } from './settings.svelte.ts'
import { Story, type Teller } from './story.svelte.ts'

const BETWEEN_MS = 120
const STILL_MS = 30
const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export class Player {
  at = $state(0)
  shown: View | null = $state.raw(null)
  event: GameEvent | null = $state.raw(null)
  isPlaying = $state(false)
  speed = $state(1)
  /** What is played; that of another seat may take its place. */
  history: History | null = $state.raw(null)
  private run = 0

  /** What is told beside the chariot that moves. */
  readonly story = new Story()

  constructor(
    private readonly telling: () => Teller,
    private readonly onshow: (step: number) => void,
  ) {}

  get last(): number {
    return (this.history?.steps.length ?? 1) - 1
  }

  open(history: History, step: number): void {
    this.history = history
    this.show(step)
  }

  /** Stop, and show a step. */
  jump(step: number): void {
    this.stop()
    this.show(step)
  }

  stop(): void {
    this.isPlaying = false
    this.run++
  }

  private show(step: number): void {
    if (!this.history) return
    this.at = Math.max(0, Math.min(this.last, step))
    this.event = null
    this.story.forget()
    this.shown = this.history.views[this.at]!
    this.onshow(this.at)
  }

  /** Play on from here, or stop. */
  async toggle(): Promise<void> {
    if (this.isPlaying || !this.history) return this.stop()
    this.isPlaying = true
    const mine = ++this.run
    if (this.at >= this.last) this.show(0)
    while (this.run === mine && this.at < this.last) {
      if (!(await this.playStep(mine))) return
      this.show(this.at + 1)
      await rest(BETWEEN_MS / this.speed)
    }
    if (this.run === mine) this.isPlaying = false
  }

  /** Show the events of the next step; whether nothing came between. */
  private async playStep(mine: number): Promise<boolean> {
    for (const next of this.history!.steps[this.at + 1]!.events) {
      const view = structuredClone(this.shown!)
      const telling = this.telling()
      const ms = telling.module.play(view, next, telling.game)
      this.story.take(next, -1, view, telling)
      this.event = next
      this.shown = view
      if (ms) await rest(still() ? STILL_MS : ms / this.speed)
      if (this.run !== mine) return false
    }
    return true
  }
}
