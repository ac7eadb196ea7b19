/** Where things lie on an oval course: bottom straight to the right, right turn, top straight to the left. */
export interface Spot {
  x: number
  y: number
  angle: number
}

export interface Course {
  /** Half the length of the straights. */
  half: number
  /** Where the right turn begins and ends, and the left one, in the course's own measure, counted from the line. */
  turns: readonly [number, number, number, number]
  lap: number
  /** Where the line crosses the bottom straight. */
  line: number
}

const mod = (u: number, lap: number) => ((u % lap) + lap) % lap

/** The spot at distance `u` from the line and `radius` from the course's spine, heading along the course. */
export function spot(course: Course, u: number, radius: number): Spot {
  const {
    half,
    turns: [a, b, c, d],
    lap,
    line,
  } = course
  const at = mod(u, lap)
  if (at < a) return { x: line + ((half - line) * at) / a, y: radius, angle: 0 }
  if (at < b) return bend(half, radius, 90 - (180 * (at - a)) / (b - a))
  if (at < c) return { x: half - (2 * half * (at - b)) / (c - b), y: -radius, angle: -180 }
  if (at < d) return bend(-half, radius, -90 - (180 * (at - c)) / (d - c))
  return { x: -half + ((line + half) * (at - d)) / (lap - d), y: radius, angle: -360 }
}

function bend(centre: number, radius: number, degrees: number): Spot {
  const t = (degrees * Math.PI) / 180
  return { x: centre + radius * Math.cos(t), y: radius * Math.sin(t), angle: degrees - 90 }
}

const tenth = (value: number) => Math.round(value * 10) / 10
const put = ({ x, y }: Spot) => `${tenth(x)} ${tenth(y)}`

/** The outline of the piece of track between two distances and two radii. */
export function cell(course: Course, from: number, to: number, inner: number, outer: number): string {
  const steps = Math.max(2, Math.ceil(Math.abs(to - from) * (course.half / course.lap) * 0.4))
  const side = (radius: number, a: number, b: number) =>
    Array.from({ length: steps + 1 }, (_, i) => put(spot(course, a + ((b - a) * i) / steps, radius)))
  return `M${[...side(inner, from, to), ...side(outer, to, from)].join('L')}Z`
}

/** A stadium: the outline at one radius. */
export const ring = ({ half }: Course, r: number) =>
  `M${-half} ${r}H${half}A${r} ${r} 0 0 0 ${half} ${-r}H${-half}A${r} ${r} 0 0 0 ${-half} ${r}Z`

/** A stable pseudo-random number below 1, for jitter that is the same on every visit. */
export function grain(i: number, j: number): number {
  let h = (i * 374761393 + j * 668265263) | 0
  h = Math.imul(h ^ (h >>> 13), 1274126177)
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296
}

/** Tesserae laid in rows along the course between two radii, or along its straights alone: one path per tone. */
export function pave(
  course: Course,
  inner: number,
  outer: number,
  size: number,
  tones: number,
  seed = 0,
  straights = false,
): string[] {
  const paths: string[][] = Array.from({ length: tones }, () => [])
  const rows = Math.max(1, Math.round((outer - inner) / size))
  const height = (outer - inner) / rows
  for (let row = 0; row < rows; row++) {
    const r = inner + row * height
    const length = 4 * course.half + 2 * Math.PI * (r + height / 2)
    const count = Math.round(length / size)
    const arc = Math.PI * (r + height / 2)
    const bent = (s: number) =>
      (s > 2 * course.half && s < 2 * course.half + arc) || s > 4 * course.half + arc
    for (let i = 0; i < count; i++)
      if (!straights || !bent((i * length) / count))
        paths[Math.floor(grain(i, row + seed) * tones)]!.push(
          tessera(course, r, height, length, i, count, row + seed),
        )
  }
  return paths.map((parts) => parts.join(''))
}

/** The spot a share of the way around, by length at radius `mid`: stones are alike on straights and in turns. */
function around(course: Course, s: number, mid: number, r: number): Spot {
  const straight = 2 * course.half,
    arc = Math.PI * mid
  if (s < straight) return { x: -course.half + s, y: r, angle: 0 }
  if (s < straight + arc) return bend(course.half, r, 90 - (180 * (s - straight)) / arc)
  if (s < 2 * straight + arc) return { x: course.half - (s - straight - arc), y: -r, angle: 0 }
  return bend(-course.half, r, -90 - (180 * (s - 2 * straight - arc)) / arc)
}

/** A border of teeth around the course, as mosaics have them: points inwards from the radius. */
export function teeth(course: Course, r: number, height: number, size: number): string {
  const length = 4 * course.half + 2 * Math.PI * r
  const count = Math.round(length / size)
  const at = (i: number, up: number) =>
    put(around(course, ((((i * length) / count) % length) + length) % length, r, r - up))
  return Array.from({ length: count }, (_, i) => `M${at(i, 0)}L${at(i + 0.5, height)}L${at(i + 1, 0)}Z`).join(
    '',
  )
}

const GROUT = 0.6

function tessera(
  course: Course,
  r: number,
  height: number,
  length: number,
  i: number,
  count: number,
  row: number,
): string {
  const step = length / count,
    start = (i + (row % 2) / 2) * step
  const corner = (along: number, up: number, n: number) => {
    const jitter = grain(i * 4 + n, row * 7 + 3) - 0.5
    return put(
      around(course, (start + along + jitter * 0.8 + length) % length, r + height / 2, r + up + jitter * 0.6),
    )
  }
  const w = step - GROUT,
    h = height - GROUT
  return `M${corner(GROUT, GROUT, 0)}L${corner(w, GROUT, 1)}L${corner(w, h, 2)}L${corner(GROUT, h, 3)}Z`
}

/** A path from one spot to another, bent by so much; up is negative. */
export function arc(from: Spot, to: Spot, bend: number): string {
  return `M${from.x} ${from.y}Q${(from.x + to.x) / 2} ${(from.y + to.y) / 2 + bend} ${to.x} ${to.y}`
}
