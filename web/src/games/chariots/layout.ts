/** Where the squares of Chariots lie on the screen, and which way one runs there. */
import type { Game } from '../../app/protocol.ts'
import type { Spot } from '../../board/course.ts'
import type { Faction } from '../../board/factions.ts'

const SIZE = 50

/** The suits of the piecepack race for the factions whose marks they are. */
const SUITS: Record<string, Faction> = {
  suns: 'aurata',
  moons: 'albata',
  crowns: 'purpurea',
  arms: 'russata',
}
export const FACTION = (chariot: string): Faction => SUITS[chariot] ?? 'veneta'

export interface Straights {
  first: number
  last: number
}

/** The columns between the turns. */
export const straightsOf = (game: Game): Straights => game.edition.facts['track'].straights

/** The centre of a square, and the heading of a chariot that runs there. */
export function place(square: string, { first, last }: Straights): Spot {
  const [x, y] = square.split(',').map(Number) as [number, number]
  const spot = { x: (x - 0.5) * SIZE, y: (10.5 - y) * SIZE }
  if (x >= first && x <= last) return { ...spot, angle: y < 5.5 ? 0 : -180 }
  const centre = x > last ? last + 0.5 : first - 0.5
  const turn = (Math.atan2(y - 5.5, x - centre) * 180) / Math.PI
  return { ...spot, angle: -((turn + 90 + 360) % 360) }
}

export const ROMAN = ['I', 'II', 'III', 'IV', 'V', 'VI']
