/** Where the spaces of Chariot Race lie on the screen: the game's geometry, which the server computes from the edition. */
import type { Course } from '../../board/course.ts'
import type { Faction } from '../../board/factions.ts'
import type { Game, Place } from '../../app/protocol.ts'
import type { IconName } from '../../board/icons.ts'
import sizes from '../../../../src/quadriga/games/chariot_race/geometry.json'

/** The chariots race for the factions; the brown one for the Whites. */
const FACTIONS: Record<string, Faction> = { green: 'prasina', purple: 'purpurea', yellow: 'aurata', red: 'russata', blue: 'veneta', brown: 'albata' }
export const FACTION = (chariot: string): Faction => FACTIONS[chariot] ?? 'albata'

export const FACES: Record<string, IconName> = { pace: 'pace', sprint: 'sprint', steer: 'steer', attack: 'javelin', fortuna: 'fortuna' }

export const INNER = sizes.inner, LANE = sizes.lane
export interface Space extends Place { name: string }
export interface Layout { course: Course; spaces: Map<string, Space>; lanes: number }

/** All spaces of an edition. */
export function layout(game: Game): Layout {
  const { course, spaces, lanes } = game.geometry
  return { course, lanes: lanes!, spaces: new Map(Object.entries(spaces).map(([name, space]) => [name, { ...space, name }])) }
}

/** The heaps on the sides of the board that lie up. */
export function heaps(game: Game, track: string): string[] {
  const row = (game.components['heap'] as Record<string, number[]>)[track] ?? []
  return game.names['space']!.filter((_, i) => row[i] === 1)
}
