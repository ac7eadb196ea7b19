/** The table of a game that the page has no drawings of: the server's text board, a list of choices, the log. */
import { FACTIONS } from '../../board/factions.ts'
import type { GameModule } from '../module.ts'
import Board from './Board.svelte'
import Choice from './Choice.svelte'
import Seat from './Seat.svelte'

/** How long each event stays on the screen, in milliseconds. */
const EVENT_MS = 250

const module: GameModule = {
  Board,
  Seat,
  Choice,
  play: () => EVENT_MS,
  quiet: new Set(),
  key: new Set(),
  heads: new Set(),
  prompt: () => 'prompts.choose',
  rule: () => '',
  // What is secret is not known here, so a shared screen always changes hands.
  secret: () => true,
  progress: (view, game) => Array.from({ length: view['seats'] ?? game.meta.seats.at(-1)! }, () => 0),
  lapSpaces: () => 1,
  laps: () => null,
  factions: (_, seat) => [FACTIONS[seat % FACTIONS.length]!],
  figures: () => [],
  luck: () => [],
  turnName: () => null,
}
export default module
