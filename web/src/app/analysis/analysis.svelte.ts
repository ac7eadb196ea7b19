/** The analysis of a finished race: asked for, waited for, and read. */
import { get, post } from '../api.ts'
import type { Action } from '../protocol.ts'
import { explain } from '../words.svelte.ts'

export interface Candidate {
  choice: string
  action: Action
  chance: number
  error: number
}
export interface Decision {
  step: number
  seat: number
  choice: string
  cost: number
  error: number
  grade: 'best' | 'good' | 'inaccuracy' | 'mistake' | 'blunder'
  candidates: Candidate[]
  why: Record<string, string>
  skill: number
}
export interface ChanceEvent {
  step: number
  /** Kinds of events by which chance was seen. */
  events: string[]
  luck: number[]
}
export interface Account {
  seat: number
  start: number
  skill: number
  luck: number
  rivals: number
  result: number
  accuracy: number | null
}
export interface Position {
  step: number
  chances: number[][]
}
export interface Analysis {
  positions: Position[]
  decisions: Decision[]
  chance_events: ChanceEvent[]
  accounts: Account[]
}
interface Status {
  state: 'none' | 'queued' | 'running' | 'failed' | 'done'
  progress?: number
  ahead?: number
  analysis?: Analysis
}
/** A choice or a random event that moved somebody's chance much. */
export interface Moment {
  step: number
  seat: number
  /** What was chosen; null: chance did it. */
  action: Action | null
  events: string[]
  change: number
}

const POLL_MS = 1000
const MOST_MOMENTS = 6

export class RaceAnalysis {
  status: Status = $state.raw({ state: 'none' })
  problem = $state('')
  private isClosed = false

  /** `isAsked`: the analysis is wanted without a click, as of a race that one drove in. */
  constructor(
    private readonly table: string,
    isAsked: boolean,
  ) {
    void this.open(isAsked)
  }

  get found(): Analysis | null {
    return this.status.analysis ?? null
  }

  get isWaiting(): boolean {
    return this.status.state === 'queued' || this.status.state === 'running'
  }

  async ask(): Promise<void> {
    try {
      this.status = await post<Status>(`/tables/${this.table}/analysis`)
      await this.look()
    } catch (error) {
      this.problem = explain(error)
    }
  }

  close(): void {
    this.isClosed = true
  }

  /** Where the server takes no more analyses now, the button is left to ask again. */
  private async open(isAsked: boolean): Promise<void> {
    await this.look()
    if (!isAsked || this.isClosed || this.status.state !== 'none') return
    await this.ask()
    this.problem = ''
  }

  private async look(): Promise<void> {
    try {
      this.status = await get<Status>(`/tables/${this.table}/analysis`)
    } catch (error) {
      this.problem = explain(error)
      return
    }
    if (this.isWaiting && !this.isClosed) setTimeout(() => void this.look(), POLL_MS)
  }
}

/** What was chosen in a decision. */
export const chosenIn = ({ choice, candidates }: Decision): Action =>
  candidates.find((candidate) => candidate.choice === choice)!.action

/** Whether a decision cost something that counts. */
export const isCostly = ({ grade }: Decision) => grade !== 'best' && grade !== 'good'

/** The largest changes of a chance to win, in the order of the race. */
export function moments(analysis: Analysis): Moment[] {
  const choices = analysis.decisions.map((decision) => ({
    ...decision,
    action: chosenIn(decision),
    events: [],
    change: decision.skill,
  }))
  const chances = analysis.chance_events.map(({ step, events, luck }) => {
    const seat = luck.reduce((most, change, at) => (Math.abs(change) > Math.abs(luck[most]!) ? at : most), 0)
    return { step, seat, action: null, events, change: luck[seat]! }
  })
  return [...choices, ...chances]
    .toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change))
    .slice(0, MOST_MOMENTS)
    .toSorted((a, b) => a.step - b.step)
}

/** Chances to win after a step: those of the last position up to there. */
export function chancesAt(analysis: Analysis, step: number): number[] {
  const found = analysis.positions.findLast((position) => position.step <= step) ?? analysis.positions[0]
  return found?.chances.map((places) => places[0]!) ?? []
}
