/** A whole race, step by step, worked out from its first view and its events, so that scrubbing needs no server. */
import { get } from './api.ts'
import type { GameModule } from '../games/module.ts'
import type { Action, Game, GameEvent, Step, View } from './protocol.ts'

/** Who chose what: by the number of the step, by seat. */
export type Choices = Record<string, Record<string, Action>>
export interface History {
  steps: Step[]
  views: View[]
  progress: number[][]
  choices: Choices
}
type Steps = Pick<History, 'steps' | 'choices'>

/** Fetch all steps of a table as a seat may know them, and the view each leads to; without one as oneself may. */
export async function loadHistory(
  table: string,
  game: Game,
  module: GameModule,
  seat: number | null = null,
): Promise<History> {
  const eyes = seat === null ? '' : `seat=${seat}`
  const [{ view }, { steps, choices }] = await Promise.all([
    get<{ view: View }>(`/tables/${table}/steps/0`, `?${eyes}`),
    allSteps(table, eyes),
  ])
  const views: View[] = []
  let shown = view
  for (const step of steps) {
    shown = structuredClone(shown)
    if (step.entry.kind === 'take_back') shown = structuredClone(views[step.entry.to!] ?? shown)
    else if (step.seq > 0) for (const event of step.events) module.play(shown, event, game)
    views.push(shown)
  }
  return { steps, choices, views, progress: views.map((found) => module.progress(found, game)) }
}

async function allSteps(table: string, eyes: string): Promise<Steps> {
  const steps: Step[] = []
  const choices: Choices = {}
  for (;;) {
    const more = await get<Steps & { last: number }>(
      `/tables/${table}/steps`,
      `?since=${steps.at(-1)?.seq ?? -1}&limit=500&${eyes}`,
    )
    steps.push(...more.steps)
    Object.assign(choices, more.choices)
    if (!more.steps.length || steps.at(-1)!.seq >= more.last) return { steps, choices }
  }
}

/** How far each seat was behind the leader at the end of a turn. */
export interface TurnGaps {
  turn: number
  /** What a turn is called: a code of the page's catalogue. */
  code: string
  /** The step that ended the turn. */
  step: number
  /** In spaces; 0 for the leader. */
  gaps: number[]
}

/** The gaps at the end of every turn; a turn that was taken back and played again counts as it ended. */
export function gapsByTurn({ views, progress }: History, game: Game, module: GameModule): TurnGaps[] {
  const rows = new Map<number, TurnGaps>()
  views.forEach((view, step) => {
    const { number: turn, code } = module.turnName(view) ?? { number: step, code: 'table.turn' }
    for (const later of rows.keys()) if (later > turn) rows.delete(later)
    rows.set(turn, { turn, code, step, gaps: gapsOf(progress[step]!, module.lapSpaces(game)) })
  })
  return [...rows.values()]
}

function gapsOf(laps: number[], spaces: number): number[] {
  const lead = Math.max(...laps)
  return laps.map((far) => Math.round((lead - far) * spaces))
}

export const eventsOf = (history: History): GameEvent[] => history.steps.flatMap((step) => step.events)
