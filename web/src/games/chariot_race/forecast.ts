/** A forecast for the eye: where a drive could end and what it would cost as the board stands. The server alone decides. */
import type { Game, View } from '../../app/protocol.ts'

export interface Way { end: string; damage: number; wrecked: boolean; path: string[]; rams: string[]; caltrops: number; corners: number }

interface Node { space: string; steers: number; damage: number; path: string[]; rams: string[]; caltrops: number; corners: number }

/** The cheapest way to each space where a drive of so many steps can end. */
export function ways(game: Game, view: View, chariot: string, speed: number, steps: number, steers: number, paid = 0): Way[] {
  const { ahead, inward, outward } = game.components as Record<string, Record<string, string | null>>
  const left = view['damage'][chariot] - paid
  const ends = new Map<string, Way>()
  let layer: Node[] = [{ space: view['space'][chariot], steers: 0, damage: 0, path: [view['space'][chariot]], rams: [], caltrops: 0, corners: 0 }]
  for (let i = 0; i < steps && layer.length; i++) {
    const next = new Map<string, Node>()
    for (const node of layer) {
      for (const [space, used] of [[ahead![node.space], 0], [inward![node.space], 1], [outward![node.space], 1]] as const) {
        if (!space || node.steers + used > steers) continue
        const entered = enter(game, view, chariot, speed, { ...node, steers: node.steers + used }, space)
        const known = next.get(`${space} ${entered.steers}`)
        if (entered.damage >= left) note(ends, entered, true)
        else if (!known || entered.damage < known.damage) next.set(`${space} ${entered.steers}`, entered)
      }
    }
    layer = [...next.values()]
  }
  for (const node of layer) note(ends, node, false)
  return [...ends.values()]
}

function enter(game: Game, view: View, chariot: string, speed: number, node: Node, space: string): Node {
  const limit = game.components['corner'][space] as number
  const corner = limit >= 0 ? Math.max(0, speed - limit) : 0
  const rival = Object.entries(view['space'] as Record<string, string | null>).find(([other, at]) => at === space && other !== chariot)?.[0]
  const caltrop = view['caltrop'][space] ? 1 : 0
  const heap = (game.components['heap'] as Record<string, number[]>)[view['track']]?.[game.names['space']!.indexOf(space)] ? 99 : 0
  return { space, steers: node.steers, damage: node.damage + heap + corner + (rival ? 2 : 0) + caltrop, path: [...node.path, space], rams: rival ? [...node.rams, rival] : node.rams, caltrops: node.caltrops + caltrop, corners: node.corners + corner }
}

function note(ends: Map<string, Way>, { space, damage, path, rams, caltrops, corners }: Node, wrecked: boolean): void {
  const known = ends.get(space)
  if (known && (known.damage <= damage || (!known.wrecked && wrecked))) return
  ends.set(space, { end: space, damage, wrecked, path, rams, caltrops, corners })
}
