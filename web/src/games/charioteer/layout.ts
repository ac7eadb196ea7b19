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

/** Each seat's space and its place in the row there; inside is ahead. */
export function rows(view: View, lap: number): { seat: number; space: number; row: number; count: number }[] {
  const taken = new Map<number, number>()
  const placed = (view['order'] as (number | null)[])
    .filter((seat) => seat !== null)
    .map((seat) => {
      const space = spaceOf(view['progress'][seat], lap)
      const row = taken.get(space) ?? 0
      taken.set(space, row + 1)
      return { seat, space, row }
    })
  return placed.map((one) => ({ ...one, count: taken.get(one.space)! }))
}
