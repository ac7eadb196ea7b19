/** Checking what was drawn against what the events tell; each game knows in which order it draws. */
import { drawer, raceKey } from '../app/fairness.ts'
import type { Game, Step } from '../app/protocol.ts'
import { loadChecker } from './registry.ts'

export type Compare = (found: unknown, told: unknown) => void
/** Draw a number below `n`. */
export type Draw = (n: number) => number
export type Check = (step: Step, draw: Draw, compare: Compare) => void
export type Checker = (game: Game, seats: number) => Check

export interface Verdict {
  numbers: number
  wrong: number[]
}

/** Draw every step's numbers anew from the seed; how many were compared, and the steps in which one differs.
    Null for a game of which the page does not know the order of its draws. */
export async function redraw(
  game: Game,
  seats: number,
  steps: readonly Step[],
  seed: string,
  nonces: readonly string[],
): Promise<Verdict | null> {
  const check = await loadChecker(game.meta.name)
  if (!check) return null
  const key = raceKey(seed, nonces)
  const verdict: Verdict = { numbers: 0, wrong: [] }
  const played = check(game, seats)
  for (const step of steps) {
    played(step, drawer(key, step.seq), (found, told) => {
      verdict.numbers++
      if (found !== told && verdict.wrong.at(-1) !== step.seq) verdict.wrong.push(step.seq)
    })
  }
  return verdict
}
