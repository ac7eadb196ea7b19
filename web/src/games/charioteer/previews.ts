/** What the server says the listed moves would bring. */
import type { Action } from '../../app/protocol.ts'
import type { Turn } from '../../app/turn.svelte.ts'

export interface MovePreview {
  /** The sum of the move: symbols + number + token + skill - damage = distance. */
  symbols: number
  number: number
  token: number
  skill: number
  damage: number
  distance: number
  /** Where the chariot stands after the drive, and after the whip. */
  progress: number
  whipped: number
  passes: number
  recovered: number
  cubes: number
  steps: number
  fan: boolean
  shield: boolean
  whips: number
}

/** What is known of the listed moves; none until the server has answered. */
export function movePreviews(turn: Turn): Map<Action, MovePreview> {
  const moves = (turn.preview?.['moves'] ?? []) as (MovePreview | null)[]
  return new Map(moves.flatMap((move, i) => (move ? [[turn.legal[i]!, move]] : [])))
}
