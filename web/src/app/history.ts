/** A whole race, step by step, worked out from its first view and its events, so that scrubbing needs no server. */
import { get } from './api.ts'
import type { GameModule } from '../games/module.ts'
import type { Game, GameEvent, Step, View } from './protocol.ts'

export interface History {
  steps: Step[]
  views: View[]
  progress: number[][]
}

/** Fetch all steps of a table as a spectator may know them, and the view each leads to. */
export async function loadHistory(table: string, game: Game, module: GameModule): Promise<History> {
  const [{ view }, steps] = await Promise.all([
    get<{ view: View }>(`/tables/${table}/steps/0`),
    allSteps(table),
  ])
  const views: View[] = []
  let shown = view
  for (const step of steps) {
    shown = structuredClone(shown)
    if (step.entry.kind === 'take_back') shown = structuredClone(views[step.entry.to!] ?? shown)
    else if (step.seq > 0) for (const event of step.events) module.play(shown, event, game)
    views.push(shown)
  }
  return { steps, views, progress: views.map((found) => module.progress(found, game)) }
}

async function allSteps(table: string): Promise<Step[]> {
  const steps: Step[] = []
  for (;;) {
    const { steps: more, last } = await get<{ steps: Step[]; last: number }>(
      `/tables/${table}/steps`,
      `?since=${steps.at(-1)?.seq ?? -1}&limit=500`,
    )
    steps.push(...more)
    if (!more.length || steps.at(-1)!.seq >= last) return steps
  }
}

export const eventsOf = (history: History): GameEvent[] => history.steps.flatMap((step) => step.events)
