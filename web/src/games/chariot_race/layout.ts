/** Where the spaces of Chariot Race lie on the screen. */
import { cell, spot, type Course, type Spot } from '../../board/course.ts'
import type { Faction } from '../../board/factions.ts'
import type { Game, View } from '../../app/protocol.ts'
import type { IconName } from '../../board/icons.ts'

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

export const INNER = 104
export const LANE = 45

export interface Space extends Spot {
  name: string
  outline: string
  lane: number
  front: number
  back: number
}
export interface Layout {
  course: Course
  spaces: Map<string, Space>
  lanes: number
}

/** All spaces of an edition, from the front borders its lanes list. */
export function layout(game: Game): Layout {
  const { facts } = game.edition
  const lap = facts['track'].lap as number
  const part = lap / 28
  const course: Course = { half: 330, turns: [5 * part, 9 * part, 19 * part, 23 * part], lap, line: 0 }
  const spaces = new Map<string, Space>()
  const lanes = facts['track'].lanes as string[]
  lanes.forEach((name, lane) => {
    const fronts = facts['lane'][name].fronts as number[]
    fronts.forEach((front, i) => {
      const back = i ? fronts[i - 1]! : fronts.at(-1)! - lap
      const inner = INNER + lane * LANE
      spaces.set(`${name}${i}`, {
        name: `${name}${i}`,
        lane,
        front,
        back,
        outline: cell(course, back, front, inner, inner + LANE),
        ...spot(course, (front + back) / 2, inner + LANE / 2),
      })
    })
  })
  return { course, spaces, lanes: lanes.length }
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
