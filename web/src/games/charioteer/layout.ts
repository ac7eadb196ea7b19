/** Where the spaces lie on the screen: the game's geometry, which the server computes from the edition. */
import type { Course, Spot } from '../../board/course.ts'
import type { Game, Place, View } from '../../app/protocol.ts'
import sizes from '../../../../src/quadriga/games/charioteer/geometry.json'

export const INNER = sizes.inner
export const WIDTH = sizes.width
const OUTER = sizes.outer
export const EDGE = INNER + WIDTH + OUTER

export interface Space extends Place {
  number: number
}
export interface Layout {
  course: Course
  spaces: Space[]
}

/** All spaces of an edition. */
export function layout(game: Game): Layout {
  const { course, spaces } = game.geometry
  return {
    course,
    spaces: Object.entries(spaces).map(([number, space]) => ({ ...space, number: Number(number) })),
  }
}

/** More than so many on a space stand in two columns, so that they can be told apart. */
export const CROWDED = 4
/** How far the columns stand from the middle of the space. */
const COLUMN = 17

/** The spot of a chariot on a space, `row` places out from the inside, of `count` that stand there. */
export function standing(plan: Layout, number: number, row: number, count = 1): Spot {
  const { x, y, angle, out, room } = plan.spaces[number]!
  const aside = row * Math.min(sizes.gap, (room! - sizes.spare) / count)
  const column = row % 2 ? -COLUMN : COLUMN
  const along = count > CROWDED ? column : 0
  const heading = (angle * Math.PI) / 180
  return {
    x: x + out[0] * aside + Math.cos(heading) * along,
    y: y + out[1] * aside + Math.sin(heading) * along,
    angle,
  }
}

export const spaceOf = (progress: number, lap: number) => ((progress % lap) + lap) % lap

/** Rows in which chariots of neighbouring spaces stand, so that none covers the other. */
const ROWS = 4

export interface Standing {
  seat: number
  space: number
  row: number
  /** Rows that the space needs. */
  count: number
}

/** Each seat's space and its row there; inside is ahead. */
export function rows(view: View, lap: number): Standing[] {
  const left = (view['order'] as (number | null)[])
    .filter((seat) => seat !== null)
    .map((seat) => ({ seat, space: spaceOf(view['progress'][seat], lap) }))
  const placed: Omit<Standing, 'count'>[] = []
  for (const { seat, space } of left) {
    const here = placed.filter((one) => one.space === space).length
    const behind = left.filter((one) => one.space === space).length - here - 1
    placed.push({ seat, space, row: freeRow(placed, space, lap, ROWS - behind) })
  }
  return placed.map((one) => ({
    ...one,
    count: 1 + Math.max(...placed.filter(({ space }) => space === one.space).map(({ row }) => row)),
  }))
}

/** The next row out on a space, below `end` if there is one in which no neighbour stands. */
function freeRow(
  placed: readonly Omit<Standing, 'count'>[],
  space: number,
  lap: number,
  end: number,
): number {
  const rowsOn = (of: number) => placed.filter((one) => one.space === of).map(({ row }) => row)
  const next = 1 + Math.max(-1, ...rowsOn(space))
  const near = [...rowsOn((space + 1) % lap), ...rowsOn((space + lap - 1) % lap)]
  const free = Array.from({ length: ROWS }, (_, row) => row).find(
    (row) => row >= next && row < end && !near.includes(row),
  )
  return free ?? next
}
