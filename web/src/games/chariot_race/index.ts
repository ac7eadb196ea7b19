/** Chariot Race on the screen. */
import type { Game, GameEvent, View } from '../../app/protocol.ts'
import { inList } from '../../app/words.svelte.ts'
import { tally, type Figure, type GameModule, type Luck } from '../module.ts'
import Board from './Board.svelte'
import Choice from './Choice.svelte'
import { FACTION, facesOf, lapOf, ORDINALS } from './layout.ts'
import Pieces from './Pieces.svelte'
import { driveOf, layDrive } from './previews.ts'
import Seat from './Seat.svelte'
import { closes, isIdle, recap, tell } from './story.ts'

const set = (view: View, event: GameEvent, ...fields: string[]) => {
  for (const field of fields) view[field][event['chariot']] = event[field]
}

const PLAY: Record<string, (view: View, event: GameEvent) => number> = {
  drafted: (view, event) => {
    view['owner'][event['chariot']] = event['seat']
    return 500
  },
  gridded: (view, event) => {
    view['owner'][event['chariot']] = event['seat']
    set(view, event, 'space', 'place')
    return 250
  },
  round_began: (view, event) => {
    view['rounds'] = event['number']
    view['order'] = ORDINALS.map((ordinal) => event[ordinal] ?? null)
    return 500
  },
  turn_began: (view, event) => {
    view['mover'] = event['chariot']
    view['dice'] = [null, null, null, null, null]
    set(view, event, 'space', 'damage', 'speed', 'fate')
    return 450
  },
  repaired: (view, event) => {
    set(view, event, 'damage', 'fate')
    return 500
  },
  slowed: (view, event) => {
    set(view, event, 'speed')
    return 350
  },
  rolled: (view, event) => {
    view['dice'] = facesOf(event)
    return 1000
  },
  rerolled: (view, event) => {
    view['dice'] = facesOf(event)
    set(view, event, 'fate')
    return 900
  },
  turned: (view, event) => {
    view['dice'][Number(event['die']) - 1] = event['face']
    set(view, event, 'fate')
    return 700
  },
  favoured: (view, event) => {
    set(view, event, 'fate')
    return 250
  },
  paced: (view, event) => {
    set(view, event, 'speed')
    return 500
  },
  stood: () => 400,
  stepped: (view, event) => {
    view['space'][event['chariot']] = event['to']
    return 250
  },
  crossed: (view, event) => {
    set(view, event, 'lines')
    return 200
  },
  crossed_back: (view, event) => {
    set(view, event, 'lines')
    return 0
  },
  damaged: (view, event) => {
    set(view, event, 'damage')
    return 480
  },
  rammed: () => 500,
  fell_back: (view, event) => {
    view['space'][event['chariot']] = event['to']
    return 500
  },
  swept: (view, event) => {
    view['caltrop'][event['space']] = 0
    view['supply'] = event['supply']
    return 150
  },
  wrecked: (view, event) => {
    view['last'] = { ...view['last'], [event['chariot']]: view['space'][event['chariot']] }
    view['space'][event['chariot']] = null
    view['wreck'][event['chariot']] = event['wrecks']
    return 1100
  },
  littered: (view, event) => {
    view['caltrop'][event['space']] = 1
    view['supply'] = event['supply']
    return 200
  },
  dropped: (view, event) => {
    view['caltrop'][event['space']] = 1
    view['supply'] = event['supply']
    return 500
  },
  threw: () => 550,
  turn_ended: (view, event) => {
    set(view, event, 'space', 'damage', 'speed', 'fate')
    return 250
  },
  race_won: () => 800,
}

const PROMPTS: Record<string, string> = {
  draft: 'draft',
  grid: 'grid',
  repair: 'repair',
  reroll: 'reroll',
  fate: 'fate',
  pace: 'pace',
  move: 'drive',
  attack: 'attack',
}
const RULES: Record<string, string> = {
  draft: 'CR-1',
  grid: 'CR-1',
  repair: 'CR-3',
  reroll: 'CR-5',
  fate: 'CR-5',
  pace: 'CR-7',
  move: 'CR-8',
  attack: 'CR-12',
  over: 'CR-13',
}

/** Laps as a number: how far the better chariot of each seat has come, by lane position. */
function progress(view: View, game: Game): number[] {
  const ranks = game.components['rank'] as Record<string, number>
  const spaces = game.components['spaces'] as number
  const far = (chariot: string) => {
    const space = view['space'][chariot] ?? view['last']?.[chariot]
    return space ? view['lines'][chariot] + ranks[space]! / spaces : 0
  }
  return Array.from({ length: view['seats'] }, (_, seat) =>
    Math.max(
      0,
      ...Object.keys(view['owner'])
        .filter((chariot) => view['owner'][chariot] === seat)
        .map(far),
    ),
  )
}

const owner =
  (kind: string, view: View, field = 'chariot') =>
  (event: GameEvent) =>
    event.kind === kind ? (view['owner'][event[field]] as number) : null

const figures = (events: readonly GameEvent[], seats: number, view: View): Figure[] => [
  { code: 'spaces', values: tally(events, seats, owner('stepped', view)) },
  { code: 'rams', values: tally(events, seats, owner('rammed', view)) },
  { code: 'damage', values: tally(events, seats, owner('damaged', view), (event) => event['points']) },
  { code: 'javelins', values: tally(events, seats, owner('threw', view)) },
]

/** Faces of the first rolls that one likes to see, against what fair dice would show. */
function luck(events: readonly GameEvent[], seats: number, view: View, game: Game): Luck[] {
  const sides = game.components['faces'] as string[]
  const rows = ['fortuna', 'sprint'].flatMap((code) =>
    Array.from({ length: seats }, (_, seat) => ({ seat, code, rolls: 0, got: 0, expected: 0 })),
  )
  for (const event of events) {
    if (event.kind !== 'rolled') continue
    const rolled = facesOf(event).filter((face) => face !== null)
    for (const row of rows) {
      if (row.seat !== view['owner'][event['chariot']]) continue
      row.rolls += rolled.length
      row.got += rolled.filter((face) => face === row.code).length
      row.expected += (rolled.length * sides.filter((side) => side === row.code).length) / sides.length
    }
  }
  return rows.filter((row) => row.rolls)
}

const module: GameModule = {
  tell,
  isIdle,
  closes,
  recap,
  low: true,
  lay: (turn, action, then) => {
    if (action.kind === 'reroll') turn.change({ dice: action['dice'].split('+') })
    else if (action.kind === 'turn') turn.change({ dice: [action['die']] })
    else if (action.kind === 'step') layDrive(turn, [action, ...then])
  },
  endOf: (turn, steps) => {
    const found = steps[0]!.kind === 'step' && driveOf(turn, steps)
    return found ? { kind: 'step', to: found.drive.end } : undefined
  },
  previews: true,
  ready: (turn) => !!turn.draft['drive'],
  Board,
  Seat,
  Choice,
  Pieces,
  spell: (_words, domain, value) => (domain === 'dice' ? inList(value.split('+')) : undefined),
  pieces: ({ kind, dice, face }, view) => {
    if (kind === 'reroll')
      return { dice: dice.split('+').map((die: string) => view['dice'][Number(die) - 1]) }
    return { dice: face ? [face] : [] }
  },
  setUp: (view, place) => ({
    ...view,
    dice: [],
    mover: Object.keys(place)[0],
    last: {},
    wreck: {},
    owner: Object.fromEntries(
      Object.keys(view['space']).map((chariot) => [chariot, chariot in place ? 0 : -1]),
    ),
    space: Object.fromEntries(Object.keys(view['space']).map((chariot) => [chariot, place[chariot] ?? null])),
  }),
  progress,
  figures,
  luck,
  play: (view, event) => PLAY[event.kind]?.(view, event) ?? 0,
  quiet: new Set(['stepped', 'turn_ended', 'turn_began', 'swept', 'littered', 'crossed_back']),
  key: new Set(['rammed', 'wrecked', 'crossed', 'race_won', 'nobody_won', 'race_stopped']),
  heads: new Set(['round_began']),
  prompt: (view) => `prompts.${PROMPTS[view['phase']] ?? 'choose'}`,
  rule: (view) => RULES[view['phase']] ?? 'CR-2',
  secret: () => false,
  laps: (view, game) => {
    const lines = Object.values(view['lines'] as Record<string, number>)
    return { lap: lapOf(Math.max(...lines), game), laps: game.components['laps'] }
  },
  factions: (view, seat) => {
    const own = Object.keys(view?.['owner'] ?? {}).filter((chariot) => view?.['owner'][chariot] === seat)
    return own.length ? own.map(FACTION) : ['albata']
  },
  lapSpaces: (game) => game.geometry.course.lap,
  chariots: (view) =>
    Object.entries(view['owner'] as Record<string, number | null>).map(([chariot, seat]) => ({
      chariot,
      seat,
      faction: FACTION(chariot),
    })),
  drafts: (options) => !!options['alternate'],
  stays: ({ kind }) => kind === 'reroll' || kind === 'turn',
  turnName: (view) => ({ code: 'table.round', number: view['rounds'] }),
}
export default module
