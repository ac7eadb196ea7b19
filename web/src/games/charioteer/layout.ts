/** Where the spaces of Charioteer lie on the screen: a ring of regular spaces, and outer ones around the corners. */
import { cell, spot, type Course, type Spot } from '../../board/course.ts'
import type { Game, View } from '../../app/protocol.ts'

export const INNER = 102
export const WIDTH = 114
const OUTER = 50
export const EDGE = INNER + WIDTH + OUTER
const LENGTH = 38

export interface Space {
  number: number
  outer: boolean
  corner: boolean
  outline: string
  u: number
}
export interface Layout {
  course: Course
  spaces: Space[]
}

interface Section {
  kind: string
  first: number
  last?: number
  outer?: string
}

/** All spaces of an edition, from the sections its track lists. */
export function layout(game: Game): Layout {
  const track = game.edition.facts['track'] as { spaces: number; section: Section[] }
  const lap = track.spaces
  const sections = track.section.map((section, i) => ({
    ...section,
    last: (track.section[i + 1]?.first ?? lap) - 1,
  }))
  const corners = sections.filter((section) => section.kind !== 'straight')
  const [a, b] = [corners[0]!, corners.at(-1)!]
  const half = ((b.first - a.last - 1) * LENGTH) / 2
  const home = lap - b.last - 1
  const course: Course = {
    half,
    turns: [a.first, a.last + 1, b.first, b.last + 1],
    lap,
    line: -half + (2 * half * home) / (home + a.first),
  }
  const spaces = Array.from({ length: lap }, (_, number) => space(course, number, corners))
  return { course, spaces }
}

function space(course: Course, number: number, corners: (Section & { last: number })[]): Space {
  const corner = corners.find((section) => number >= section.first && number <= section.last)
  const outer = !!corner?.outer && number % 2 === (corner.outer === 'even' ? 0 : 1)
  const wide = INNER + WIDTH
  if (!corner)
    return {
      number,
      outer,
      corner: false,
      u: number + 0.5,
      outline: cell(course, number, number + 1, INNER, wide),
    }
  if (outer)
    return {
      number,
      outer,
      corner: true,
      u: number,
      outline: cell(course, number - 0.8, number + 0.8, wide, EDGE),
    }
  return {
    number,
    outer,
    corner: true,
    u: number,
    outline: cell(course, number - 1, number + 1, INNER, wide),
  }
}

/** The spot of a chariot on a space, `row` places out from the inside, of `count` that stand there. */
export function standing(plan: Layout, number: number, row: number, count = 1): Spot {
  const { u, outer } = plan.spaces[number]!
  const room = outer ? OUTER : WIDTH
  const gap = Math.min(28, (room - 12) / count)
  return spot(plan.course, u, (outer ? INNER + WIDTH : INNER) + (outer ? 22 : 15) + row * gap)
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
