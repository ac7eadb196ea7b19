/** Where the spaces lie on the screen: the game's geometry, which the server computes from the edition. */
import type { Game, Place } from '../../app/protocol.ts'
import type { Faction } from '../../board/factions.ts'
import sizes from '../../../../src/quadriga/games/chariots/geometry.json'

const SIZE = sizes.size
const WIDTH = sizes.columns * SIZE
const HEIGHT = sizes.rows * SIZE

/** The suits of the piecepack race for the factions whose marks they are. */
const SUITS: Record<string, Faction> = {
  suns: 'aurata',
  moons: 'albata',
  crowns: 'purpurea',
  arms: 'russata',
}
export const FACTION = (chariot: string): Faction => SUITS[chariot] ?? 'veneta'

export type Squares = Record<string, Place>

/** All squares of an edition. */
export const squaresOf = (game: Game): Squares => game.geometry.spaces

const MIDDLE: Place = { x: WIDTH / 2, y: HEIGHT / 2, angle: 0, out: [0, 1], outline: '' }
/** The centre of a square, and the heading of a chariot that runs there; the middle of the board for no square. */
export const place = (square: string, squares: Squares): Place => squares[square] ?? MIDDLE

export const ROMAN = ['I', 'II', 'III', 'IV', 'V', 'VI']
