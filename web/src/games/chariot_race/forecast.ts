/** A forecast for the eye: where a drive could end and what it would cost as the board stands. The server alone decides. */
import type { Game, View } from '../../app/protocol.ts'
import { heaps } from './layout.ts'

export interface Way {
  end: string
  damage: number
  wrecked: boolean
  path: string[]
  rams: string[]
  caltrops: number
  corners: number
  steers: number
}
/** A space where a drive can end: the cheapest way there, and others that cost or meet something else. */
export interface End extends Way {
  others: Way[]
}

type Node = Omit<Way, 'end' | 'wrecked'> & { space: string }
/** What lies on the spaces, looked up once for a drive. */
interface Ground {
  speed: number
  limits: Record<string, number>
  rivals: Map<string, string>
  caltrops: Record<string, number>
  heaps: ReadonlySet<string>
}

const MOST_WAYS = 3
const cheaper = (a: Node, b: Node) => a.damage - b.damage || a.steers - b.steers
/** Ways that meet the same things at the same cost are one to a player. */
const met = ({ damage, rams, caltrops, corners }: Node) => `${damage} ${rams.join()} ${caltrops} ${corners}`

const known = new WeakMap<View, End[]>()
/** Where the drive of a view can end; worked out once, for the board and the panel beside it. */
export function drives(game: Game, view: View): End[] {
  const { phase, mover } = view
  if (phase !== 'move' || !mover) return []
  const found = known.get(view) ?? ways(game, view, mover, view['speed'][mover], view['left'], view['steers'])
  known.set(view, found)
  return found
}

/** All spaces where a drive of so many steps can end, with the ways there. */
export function ways(
  game: Game,
  view: View,
  chariot: string,
  speed: number,
  steps: number,
  steers: number,
  paid = 0,
): End[] {
  const { ahead, inward, outward } = game.components as Record<string, Record<string, string | null>>
  const left = view['damage'][chariot] - paid
  const ground = groundOf(game, view, chariot, speed)
  const ends: (Node & { wrecked: boolean })[] = []
  let layer: Node[] = [
    {
      space: view['space'][chariot],
      steers: 0,
      damage: 0,
      path: [view['space'][chariot]],
      rams: [],
      caltrops: 0,
      corners: 0,
    },
  ]
  for (let i = 0; i < steps && layer.length; i++) {
    const next = new Map<string, Node[]>()
    for (const node of layer) {
      for (const [space, used] of [
        [ahead![node.space], 0],
        [inward![node.space], 1],
        [outward![node.space], 1],
      ] as const) {
        if (!space || node.steers + used > steers) continue
        const entered = enter(ground, node, node.steers + used, space)
        if (entered.damage >= left) ends.push({ ...entered, wrecked: true })
        else note(next, `${space} ${entered.steers}`, entered)
      }
    }
    layer = [...next.values()].flat()
  }
  ends.push(...layer.map((node) => ({ ...node, wrecked: false })))
  return gathered(ends)
}

/** Keep the cheapest few that differ in what they meet. */
function note(next: Map<string, Node[]>, key: string, node: Node): void {
  const known = next.get(key) ?? []
  if (known.some((other) => met(other) === met(node))) return
  next.set(key, [...known, node].sort(cheaper).slice(0, MOST_WAYS))
}

function groundOf(game: Game, view: View, chariot: string, speed: number): Ground {
  const places = Object.entries(view['space'] as Record<string, string | null>)
  const rivals = new Map(places.flatMap(([other, at]) => (at && other !== chariot ? [[at, other]] : [])))
  return {
    speed,
    limits: game.components['corner'],
    rivals,
    caltrops: view['caltrop'],
    heaps: new Set(heaps(game, view['track'])),
  }
}

function enter(ground: Ground, node: Node, steers: number, space: string): Node {
  const limit = ground.limits[space]!
  const corner = limit >= 0 ? Math.max(0, ground.speed - limit) : 0
  const rival = ground.rivals.get(space)
  const caltrop = ground.caltrops[space] ? 1 : 0
  const heap = ground.heaps.has(space) ? 99 : 0
  return {
    space,
    steers,
    damage: node.damage + heap + corner + (rival ? 2 : 0) + caltrop,
    path: [...node.path, space],
    rams: rival ? [...node.rams, rival] : node.rams,
    caltrops: node.caltrops + caltrop,
    corners: node.corners + corner,
  }
}

/** By end: the way that leaves the chariot whole and costs least first, the others after it. */
function gathered(found: (Node & { wrecked: boolean })[]): End[] {
  const ends = new Map<string, Way[]>()
  for (const { space, ...way } of found.sort(
    (a, b) => Number(a.wrecked) - Number(b.wrecked) || cheaper(a, b),
  )) {
    const known = ends.get(space) ?? []
    const twin = known.some((other) => met({ ...other, space }) === met({ ...way, space }))
    if (!twin && known.length < MOST_WAYS) ends.set(space, [...known, { ...way, end: space }])
  }
  return [...ends.values()].map(([best, ...others]) => ({ ...best!, others }))
}

/** The way picked in a half-made choice, if it is still there. */
export function picked(ends: readonly End[], drive: { end: string; way: number } | undefined): Way | null {
  const end = drive && ends.find((one) => one.end === drive.end)
  return end ? ([end, ...end.others][drive.way] ?? end) : null
}
