/** Where the spaces lie on the screen: the game's geometry, which the server computes from the edition. */
import type { Course } from '../../board/course.ts'
import type { Faction } from '../../board/factions.ts'
import type { Game, GameEvent, Place, View } from '../../app/protocol.ts'
import type { IconName } from '../../board/icons.ts'
import sizes from '../../../../src/quadriga/games/chariot_race/geometry.json'

/** The chariots race for the factions; the brown one for the Whites. */
const FACTIONS: Record<string, Faction> = {
  green: 'prasina',
  purple: 'purpurea',
  yellow: 'aurata',
  red: 'russata',
  blue: 'veneta',
  brown: 'albata',
}
export const FACTION = (chariot: string): Faction => FACTIONS[chariot] ?? 'albata'

export const FACES: Record<string, IconName> = {
  pace: 'pace',
  sprint: 'sprint',
  steer: 'steer',
  attack: 'javelin',
  fortuna: 'fortuna',
}

export const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']
/** The faces that a roll shows, die by die; null where none lies. */
export const facesOf = (event: GameEvent): (string | null)[] =>
  ORDINALS.slice(0, 5).map((ordinal) => event[ordinal] ?? null)

export const INNER = sizes.inner
export const LANE = sizes.lane

export interface Space extends Place {
  name: string
}
export interface Layout {
  course: Course
  spaces: Map<string, Space>
  lanes: number
}

/** All spaces of an edition. */
export function layout(game: Game): Layout {
  const { course, spaces, lanes } = game.geometry
  return {
    course,
    lanes: lanes!,
    spaces: new Map(Object.entries(spaces).map(([name, space]) => [name, { ...space, name }])),
  }
}

/** How far from the middle line the outermost lane ends. */
export const outerEdge = (plan: Layout): number => INNER + plan.lanes * LANE

/** The lap of a chariot that has crossed the line so many times, the start included. */
export const lapOf = (lines: number, game: Game): number =>
  Math.max(1, Math.min(game.components['laps'], lines))

/** How many dice a chariot rolls at a speed. */
export const diceAt = (game: Game, view: View, chariot: string, speed: number): number =>
  game.components['dice'][view['board'][chariot] ?? 'front'][speed]

/** The heaps on the sides of the board that lie up. */
export function heaps(game: Game, track: string): string[] {
  const row = (game.components['heap'] as Record<string, number[]>)[track] ?? []
  return game.names['space']!.filter((_, i) => row[i] === 1)
}
