/** Loads what analyses and evaluations need, when a page first shows one. */
import type { Race } from '../race.svelte.ts'
import type { RaceAnalysis } from './analysis.svelte.ts'

type Parts = typeof import('./index.ts')

export class AnalysisLoader {
  parts: Parts | null = $state.raw(null)
  /** The analysis of the race; null of a race that goes on. */
  made: RaceAnalysis | null = $state.raw(null)
  private isClosed = false

  constructor({ id, table }: Race) {
    const { state, my_seats } = table!
    import('./index.ts').then(
      (parts) => {
        this.parts = parts
        if (state === 'over' && !this.isClosed) this.made = new parts.RaceAnalysis(id, my_seats.length > 0)
      },
      () => undefined,
    )
  }

  /** Chances to win after a step, where the analysis has them. */
  chancesAt(step: number): number[] | undefined {
    return this.made?.found ? this.parts?.chancesAt(this.made.found, step) : undefined
  }

  close(): void {
    this.isClosed = true
    this.made?.close()
  }
}

/** Whether nobody plays but bots: only such a race is evaluated while it goes on. */
export const isOfBots = ({ table }: Race) =>
  table!.seats.every(({ kind, owner_away }) => kind !== 'person' && !owner_away)

/** The last step that is shown as a whole. */
export const shownSeq = ({ playing, event, message }: Race): number =>
  playing ? (event?.['seq'] ?? 1) - 1 : (message?.seq ?? 0)
