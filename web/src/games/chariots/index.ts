/** Chariots on the screen. */
import type { Action, Game, GameEvent, View } from '../../app/protocol.ts'
import { tally, type Figure, type GameModule, type Luck } from '../module.ts'
import Board from './Board.svelte'
import Choice from './Choice.svelte'
import { FACTION } from './layout.ts'
import { slotsOf } from './plot.ts'
import Pieces from './Pieces.svelte'
import Seat from './Seat.svelte'
import { closes, recap, tell } from './story.ts'

type Play = (view: View, event: GameEvent, game: Game) => number

/** Whether a speed keeps control; null if that is rolled for. */
function controlAt(game: Game, speed: number): number | null {
  const holds = game.components['holds'][speed] as number
  return holds && holds < game.names['face']!.length ? null : Number(holds > 0)
}

const each = (record: Record<string, unknown>, value: unknown) => {
  for (const key of Object.keys(record)) record[key] = value
}

const PLAY: Record<string, Play> = {
  grid_rolled: () => 200,
  grid_taken: (view, event) => {
    view['square'][event['chariot']] = event['square']
    return 250
  },
  round_began: (view, event) => {
    Object.assign(view, { rounds: event['number'], phase: 0, impulse: 0, exposed: 0, stage: 'plot' })
    for (const plot of Object.values(view['plot'] as Record<string, number[]>)) plot.fill(0)
    return 500
  },
  coin_recovered: (view, event) => {
    view[`${event['coin']}_coin`][event['chariot']] = 1
    return 300
  },
  plotted: (view, event) => {
    view['plot'][event['chariot']] = [event['first'], event['second'], event['third']]
    return 0
  },
  phase_began: (view, event) => {
    Object.assign(view, { phase: event['number'], impulse: 0, exposed: event['number'], stage: 'move' })
    each(view['crashed'], 0)
    return 450
  },
  coin_swapped: (view, event) => {
    view['null_coin'][event['chariot']] = 0
    return 400
  },
  coin_exposed: (view, event, game) => {
    view['speed'][event['chariot']] = event['speed']
    view['control'][event['chariot']] = controlAt(game, event['speed'])
    view['plot'][event['chariot']][view['phase'] - 1] = event['speed']
    return 420
  },
  control_rolled: (view, event) => {
    view['control'][event['chariot']] = Number(event['holds'])
    return 750
  },
  impulse_began: (view, event) => {
    view['impulse'] = event['number']
    return 200
  },
  announced: (view, event) => {
    for (const coin of ['null', 'ace']) if (event[coin]) view[`${coin}_coin`][event['chariot']] = 0
    return 900
  },
  stepped: (view, event) => {
    view['square'][event['chariot']] = event['to']
    if (event['null']) view['null_coin'][event['chariot']] = 0
    return 330
  },
  pushed: (view, event) => {
    view['square'][event['chariot']] = event['to']
    view['ace_coin'][event['by']] = 0
    return 420
  },
  crashed: (view, event) => {
    view['crashed'][event['chariot']] = 1
    return 850
  },
  line_crossed: (view, event) => {
    view['lines'][event['chariot']] = event['lines']
    return 0
  },
  lap_finished: (view, event) => {
    view['best'][event['chariot']] = event['lap']
    return 500
  },
  coins_returned: (view, event) => {
    view['null_coin'][event['chariot']] = view['ace_coin'][event['chariot']] = 1
    return 100
  },
  finished: (view, event) => {
    view['place'][event['chariot']] = event['place']
    return 700
  },
  balked: () => 600,
  step_lost: () => 500,
}

const PROMPTS: Record<string, string> = {
  plot: 'prompts.plot',
  move: 'prompts.step',
  swap: 'prompts.swap',
  announce: 'prompts.announce',
  recover: 'prompts.recover',
}
const RULES: Record<string, string> = {
  plot: 'CT-2',
  move: 'CT-6',
  swap: 'CT-12',
  announce: 'CT-12',
  recover: 'CT-13',
  over: 'CT-11',
}

function prompt(view: View, legal: readonly Action[]): string {
  if (
    view['stage'] === 'move' &&
    legal.some((action) => action.kind === 'crash') &&
    !legal.some((action) => action.kind === 'step')
  )
    return 'prompts.crash'
  return PROMPTS[view['stage']] ?? 'prompts.choose'
}

/** Squares that lie side by side: the track is four lanes wide, as the start is. */
const LANES = 4

function progress(view: View, game: Game): number[] {
  const squares = game.names['square']!
  const chariots = game.names['chariot']!.slice(0, view['chariots'])
  const far = (chariot: string) =>
    view['square'][chariot] === null
      ? view['laps']
      : view['lines'][chariot] + squares.indexOf(view['square'][chariot]) / squares.length
  return Array.from({ length: view['seats'] }, (_, seat) =>
    Math.max(...chariots.filter((_, i) => i % view['seats'] === seat).map(far)),
  )
}

const seatOf =
  (kind: string, view: View, game: Game, field = 'chariot') =>
  (event: GameEvent) =>
    event.kind === kind ? game.names['chariot']!.indexOf(event[field]) % view['seats'] : null

const figures = (events: readonly GameEvent[], seats: number, view: View, game: Game): Figure[] => [
  { code: 'steps', values: tally(events, seats, seatOf('stepped', view, game)) },
  { code: 'crashes', values: tally(events, seats, seatOf('crashed', view, game)) },
  { code: 'pushes', values: tally(events, seats, seatOf('pushed', view, game, 'by')) },
]

/** Control rolls: how many held against how many fair dice would hold. */
function luck(events: readonly GameEvent[], seats: number, view: View, game: Game): Luck[] {
  const speeds: Record<string, number> = {}
  const rows = Array.from({ length: seats }, (_, seat) => ({
    seat,
    code: 'control',
    rolls: 0,
    got: 0,
    expected: 0,
  }))
  for (const event of events) {
    if (event.kind === 'coin_exposed') speeds[event['chariot']] = event['speed']
    if (event.kind !== 'control_rolled') continue
    const row = rows[game.names['chariot']!.indexOf(event['chariot']) % view['seats']]!
    row.rolls++
    row.got += Number(event['holds'])
    row.expected += game.components['holds'][speeds[event['chariot']]!] / game.names['face']!.length
  }
  return rows.filter((row) => row.rolls)
}

const module: GameModule = {
  tell,
  closes,
  recap,
  tall: true,
  previews: true,
  ready: (turn) => turn.draft['coins']?.length === slotsOf(turn),
  lay: (turn, action) => {
    if (action.kind === 'plot') turn.draft['coins'] = action['coins']
    if (action.kind !== 'step') return
    const pushes = !!action['pushed_to']
    turn.change({ null: !!action['null'], ace: pushes, to: pushes ? action['to'] : undefined })
  },
  Board,
  Seat,
  Choice,
  Pieces,
  pieces: ({ coins = [] }) => ({ coins }),
  setUp: (view, place) => ({
    ...view,
    stage: 'plot',
    chariots: 4,
    square: Object.fromEntries(
      Object.keys(view['square']).map((chariot) => [chariot, place[chariot] ?? null]),
    ),
  }),
  prompt,
  progress,
  figures,
  luck,
  play: (view, event, game) => PLAY[event.kind]?.(view, event, game) ?? 0,
  quiet: new Set(['impulse_began', 'plotted', 'rested']),
  key: new Set(['crashed', 'pushed', 'lap_finished', 'finished', 'race_ended', 'announced']),
  heads: new Set(['round_began', 'phase_began']),
  rule: (view) => RULES[view['stage']] ?? 'CT-2',
  secret: (view) => ['plot', 'swap', 'announce'].includes(view['stage']),
  laps: (view) => ({
    lap: Math.min(view['laps'], Math.max(0, ...Object.values(view['best'] as Record<string, number>)) + 1),
    laps: view['laps'],
  }),
  factions: (view, seat) => {
    const names = Object.keys(view?.['square'] ?? { suns: 0, moons: 0, crowns: 0, arms: 0 })
    return names
      .filter((_, i) => i < (view?.['chariots'] ?? 4) && i % (view?.['seats'] ?? 4) === seat)
      .map(FACTION)
  },
  lapSpaces: (game) => game.names['square']!.length / LANES,
  chariots: (view, game) =>
    game.names['chariot']!.slice(0, view['chariots']).map((chariot, i) => ({
      chariot,
      seat: i % view['seats'],
      faction: FACTION(chariot),
    })),
  turnName: (view) => ({ code: 'table.round', number: view['rounds'] }),
}
export default module
