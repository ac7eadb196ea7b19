/** Charioteer on the screen. */
import { FACTIONS } from '../../board/factions.ts'
import type { Game, GameEvent, View } from '../../app/protocol.ts'
import { tally, type Figure, type GameModule, type Luck } from '../module.ts'
import Board from './Board.svelte'
import Choice from './Choice.svelte'
import { face, sign, type Sign } from './parts.ts'
import { lay } from './hand.ts'
import Pieces from './Pieces.svelte'
import Seat from './Seat.svelte'
import { closes, isIdle, recap, tell } from './story.ts'
import type { Words } from '../../app/words.svelte.ts'

const CARDS = ['card_1', 'card_2', 'card_3', 'card_4', 'card_5', 'card_6', 'card_7', 'card_8']
const cards = (event: GameEvent) =>
  CARDS.map((key) => event[key]).filter((card) => card !== null && card !== undefined) as string[]

function reveal(view: View, event: GameEvent): number {
  view['revealed'] ??= {}
  view['crowd_was'] = view['crowd'][0]
  view['revealed'][event['seat']] = {
    symbol: event['symbol'] ?? null,
    cards: cards(event),
    crowd: !!event['crowd'],
    token: event['token'] ?? null,
  }
  view['hand_count'][event['seat']] -= cards(event).length
  if (event['seat'] === view['seat']) take(view, cards(event))
  return 160
}

/** Cards leave the own hand; their places stay empty until it is refilled. */
function take(view: View, gone: string[]): void {
  for (const card of gone) {
    const place = view['hand'].indexOf(card)
    if (place >= 0) view['hand'][place] = null
  }
}

const PLAY: Record<string, (view: View, event: GameEvent) => number> = {
  moved: reveal,
  reset_shown: reveal,
  stacked: (view, event) => {
    view['hand_count'][event['seat']] -= event['cards']
    return 0
  },
  discarded: (view, event) => {
    take(view, cards(event))
    return 0
  },
  shielded: (view, event) => {
    view['attack'][event['seat']] = 0
    return 400
  },
  recovered: (view, event) => {
    view['damage'][event['seat']] = event['left']
    return 500
  },
  measured: (view, event) => {
    const shown = view['revealed']?.[event['seat']]
    if (shown) shown.distance = event['distance']
    return 800
  },
  entered: (view, event) => {
    view['progress'][event['seat']] = event['progress']
    return 150
  },
  passed: (view, event) => {
    const order = view['order'] as number[]
    const at = order.indexOf(event['seat'])
    if (order[at - 1] === event['rival']) [order[at - 1], order[at]] = [order[at]!, order[at - 1]!]
    return 190
  },
  whipped: () => 300,
  whip_stopped: () => 400,
  whip_leading: () => 300,
  whip_passed: () => 300,
  whip_too_early: () => 300,
  calmed: (view, event) => {
    view['damage'][event['seat']] = 0
    view['attack'][event['seat']] = 0
    return 600
  },
  attacked: (view, event) => {
    view['attack'][event['rival']] = event['boxes']
    return 450
  },
  blocked: () => 350,
  disrupted: (view, event) => {
    view['attack'][event['seat']] = event['boxes']
    return 250
  },
  advanced: (view, event) => {
    view['marker'][event['seat']][event['colour']] = event['to']
    return 180
  },
  fan_earned: (view, event) => {
    view['fan_count'][event['seat']]++
    return 350
  },
  fan_drawn: (view, event) => {
    view['tokens'][event['token']]++
    return 300
  },
  hurt: (view, event) => {
    view['damage'][event['seat']] = event['damage']
    view['attack'][event['seat']] = 0
    return 250
  },
  drew: (view, event) => {
    for (const card of cards(event)) {
      const place = view['hand'].indexOf(null)
      if (place >= 0) view['hand'][place] = card
    }
    return 0
  },
  refilled: (view, event) => {
    view['hand_count'][event['seat']] += event['cards']
    return 60
  },
  crowd_slid: (view, event) => {
    view['crowd'] = [view['crowd'][1], view['crowd'][2], event['new']]
    return 450
  },
  emperor_rolled: (view, event) => {
    view['die'] = event['face']
    view['turn']++
    return 900
  },
  lap_completed: () => 900,
  placed: () => 250,
}

const own = (kind: string) => (event: GameEvent) => (event.kind === kind ? (event['seat'] as number) : null)

const figures = (events: readonly GameEvent[], seats: number): Figure[] => [
  { code: 'distance', values: tally(events, seats, own('measured'), (event) => event['distance']) },
  { code: 'moves', values: tally(events, seats, own('moved')) },
  { code: 'resets', values: tally(events, seats, own('reset_shown')) },
  { code: 'fans', values: tally(events, seats, own('fan_earned')) },
  { code: 'cubes', values: tally(events, seats, own('attacked'), (event) => event['cubes']) },
]

/** Times the emperor favoured the colour a seat moved in, against the share of such faces. */
function luck(events: readonly GameEvent[], seats: number, _view: View, game: Game): Luck[] {
  const rows = Array.from({ length: seats }, (_, seat) => ({
    seat,
    code: 'emperor',
    rolls: 0,
    got: 0,
    expected: 0,
  }))
  const pleases = game.components['face_pleases'] as number[][]
  let face = -1
  for (const event of events) {
    if (event.kind === 'emperor_rolled') face = game.names['face']!.indexOf(event['face'])
    if (event.kind !== 'moved') continue
    const colour = game.names['colour']!.indexOf(sign(event['symbol']).colour)
    const row = rows[event['seat']]!
    row.rolls++
    row.got += pleases[face]?.[colour] ?? 0
    row.expected += pleases.filter((colours) => colours[colour]).length / pleases.length
  }
  return rows.filter((row) => row.rolls)
}

/** The lap of the leader. */
const lapOf = (view: View, game: Game) => {
  const lead = Math.max(
    ...(view['order'] as (number | null)[])
      .filter((seat) => seat !== null)
      .map((seat) => view['progress'][seat] as number),
  )
  return Math.max(1, Math.min(view['laps'], Math.floor(lead / game.components['lap']) + 1))
}

const spellSign = (words: Words, { colour, number }: Sign) => `${words.name('colour', colour)} ${number}`

/** `R3R3G2` as people say it: twice red 3, green 2. */
function spellCard(words: Words, card: string): string {
  const { signs, icons } = face(card)
  const said = signs.map((one) => spellSign(words, one))
  const pairs = [...new Set(said)].map((one) => {
    const copies = said.filter((other) => other === one).length
    return copies > 1 ? `${copies}× ${one}` : one
  })
  return [...pairs, ...icons.map((icon) => words.name('token', icon))].join(' + ')
}

/** Seats of an example by how far they have come, the leader first; others stand where they started. */
function setUp(view: View, place: Readonly<Record<string, string | number>>): View {
  const seats = Object.keys(place).map(Number)
  const far = (seat: number) => Number(place[seat])
  const order = seats.toSorted((a, b) => far(b) - far(a) || b - a)
  return {
    ...view,
    revealed: {},
    seats: seats.length,
    order: (view['order'] as unknown[]).map((_, i) => order[i] ?? null),
    progress: { ...view['progress'], ...Object.fromEntries(seats.map((seat) => [seat, far(seat)])) },
  }
}

const module: GameModule = {
  tell,
  isIdle,
  closes,
  recap,
  lay,
  previews: true,
  tellsChoice: true,
  ready: (turn) => !!turn.draft['ghost'],
  Board,
  Seat,
  Choice,
  Pieces,
  pieces: ({ cards, crowd, token }, view) => ({
    cards: crowd ? [...cards, view['crowd'][0]] : cards,
    tokens: token ? [token] : [],
  }),
  setUp,
  figures,
  luck,
  play: (view, event) => PLAY[event.kind]?.(view, event) ?? 0,
  quiet: new Set(['entered', 'refilled', 'drew', 'skills_dealt', 'reshuffled', 'bag_refilled', 'hurt']),
  key: new Set(['fan_earned', 'calmed', 'lap_completed', 'placed']),
  heads: new Set(['emperor_rolled']),
  prompt: () => 'prompts.cards',
  rule: () => 'CH-3',
  secret: (view) => !view['over'],
  progress: (view, game) =>
    Array.from(
      { length: view['seats'] },
      (_, seat) => (view['progress'][seat] - view['order'].indexOf(seat) / 100) / game.components['lap'],
    ),
  laps: (view, game) => ({ lap: lapOf(view, game), laps: view['laps'] }),
  factions: (_view, seat) => [FACTIONS[seat]!],
  spell: (words, domain, value) => {
    if (domain === 'card') return spellCard(words, value)
    return domain === 'symbol' ? spellSign(words, sign(value)) : undefined
  },
  lapSpaces: (game) => game.geometry.course.lap,
  turnName: (view) => ({ code: 'table.turn', number: view['turn'] }),
}
export default module
