/** Which part of a board is seen: it follows those who move, or shows the whole track. */
import { getContext, setContext } from 'svelte'

export interface Spot {
  x: number
  y: number
}
/** A rectangle: left, top, width, height. */
export type Box = readonly [number, number, number, number]
export interface Size {
  width: number
  height: number
}
/** Where the board lies in its window: pixels for each unit of the board, and the window's place of its origin. */
export interface View {
  scale: number
  x: number
  y: number
}
/** Parts of the window that something covers, in pixels. */
export interface Covered {
  top: number
  bottom: number
}

/** What the camera keeps in sight. */
export interface Subject {
  /** All of these, however far the camera must go. */
  must: readonly Spot[]
  /** As many of these as are seen from near enough, the nearest first. */
  wish: readonly Spot[]
}

/** How much of the board is shown around what is followed, in units of the board. */
const MARGIN = 76
/** How long a chariot is on the screen, in pixels: seen from afar, and from near. */
const SMALLEST = 44
const LARGEST = 60
/** From nearest, where the window is higher or wider than the board. */
const CLOSEST = 84

export class Camera {
  /** Whether the whole track is shown, whatever moves. */
  isWhole = $state(false)
  covered: Covered = $state({ top: 0, bottom: 0 })

  toggle(): void {
    this.isWhole = !this.isWhole
  }
}

const KEY = Symbol('camera')

/** The camera of the boards below this component. */
export function provideCamera(): Camera {
  return setContext(KEY, new Camera())
}

export const findCamera = (): Camera => getContext<Camera | undefined>(KEY) ?? new Camera()

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))

/** The smallest box around the spots, with a margin. */
export function around(spots: readonly Spot[], margin = MARGIN): Box {
  const xs = spots.map(({ x }) => x)
  const ys = spots.map(({ y }) => y)
  const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin]
  return [left, top, Math.max(...xs) + margin - left, Math.max(...ys) + margin - top]
}

/** The largest scale at which a box fits the window. */
const fit = (box: Box, { width, height }: Size) => Math.min(width / box[2], height / box[3])

const distance = (a: Spot, b: Spot) => Math.hypot(a.x - b.x, a.y - b.y)

/** The part of the board to be seen: what must be, and of the rest what keeps chariots large enough. */
function partOf({ must, wish }: Subject, board: Box, free: Size, smallest: number): Box {
  const first = must[0] ?? wish[0]
  if (!first) return board
  let part = around(must.length ? must : [first])
  const chosen = [...must]
  for (const spot of wish.toSorted((a, b) => distance(a, first) - distance(b, first))) {
    const larger = around([...chosen, spot])
    if (fit(larger, free) < smallest) break
    chosen.push(spot)
    part = larger
  }
  return part
}

/** Where the part lies along one axis: its middle in the middle, but no more beyond the board's edge than needed. */
function place(
  [from, size]: [number, number],
  [start, length]: [number, number],
  scale: number,
  room: number,
): number {
  const spare = room - length * scale
  if (spare >= 0) return spare / 2 - start * scale
  const centred = room / 2 - (from + size / 2) * scale
  return clamp(centred, room - (start + length) * scale, -start * scale)
}

/** The window around a part of the board, as near as may be. */
function frame(board: Box, part: Box, scale: number, { width, height }: Size, top: number): View {
  return {
    scale,
    x: place([part[0], part[2]], [board[0], board[2]], scale, width),
    y: top + place([part[1], part[3]], [board[1], board[3]], scale, height),
  }
}

/** How the board lies in its window; `subject` is null for the whole track, `length` that of a chariot. */
export function look(
  board: Box,
  subject: Subject | null,
  length: number,
  window: Size,
  covered: Covered,
): View {
  const { top, bottom } = covered
  const free = { width: window.width, height: Math.max(1, window.height - top - bottom) }
  const whole = fit(board, free)
  if (!subject || !(subject.must.length + subject.wish.length)) return frame(board, board, whole, free, top)
  const cover = Math.max(free.width / board[2], free.height / board[3])
  const smallest = SMALLEST / length
  const largest = clamp(cover, LARGEST / length, CLOSEST / length)
  const part = partOf(subject, board, free, smallest)
  const near = clamp(fit(part, free), subject.must.length > 1 ? 0 : smallest, largest)
  return frame(board, part, Math.max(whole, near), free, top)
}

/** How near to the edge of the window, in pixels, what is followed may come before the camera moves on. */
const EDGE = 70
/** How much larger or smaller the board may be seen than it could be. */
const SLACK = 1.2

/** Whether a view still shows what must be seen, nearly as large as another one would: then the camera rests. */
export function isEnough(
  kept: View,
  wanted: View,
  { must }: Subject,
  window: Size,
  { top, bottom }: Covered,
): boolean {
  const change = kept.scale / wanted.scale
  const isInside = ({ x, y }: Spot) => {
    const [left, above] = [x * kept.scale + kept.x, y * kept.scale + kept.y]
    return (
      left >= EDGE &&
      left <= window.width - EDGE &&
      above >= top + EDGE / 2 &&
      above <= window.height - bottom - EDGE / 2
    )
  }
  return must.length > 0 && change < SLACK && change > 1 / SLACK && must.every(isInside)
}

/** What of a box is seen in the window and not covered, in pixels of the window. */
export function seen([x, y, width, height]: Box, view: View, window: Size, covered: Covered): Box {
  const [ceiling, floor] = [covered.top, window.height - covered.bottom]
  const left = clamp(x * view.scale + view.x, 0, window.width)
  const top = clamp(y * view.scale + view.y, ceiling, floor)
  const right = clamp((x + width) * view.scale + view.x, 0, window.width)
  const bottom = clamp((y + height) * view.scale + view.y, ceiling, floor)
  return [left, top, right - left, bottom - top]
}
