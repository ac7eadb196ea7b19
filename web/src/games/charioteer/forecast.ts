/** A forecast for the eye: the sum of a move and where it would lead as the race stands. The server alone decides. */
import type { Action, Game, View } from '../../app/protocol.ts'
import { sign, type Colour } from './parts.ts'

export interface Sum {
  symbols: number
  number: number
  token: number
  skill: number
  damage: number
  total: number
}
export interface Forecast extends Sum {
  colour: Colour
  cards: number
  fan: boolean
  cubes: number
  steps: number
  recovered: number
  shield: boolean
  whips: number
  progress: number
  passes: number
  whipped: number
}

/** Places of names in a game's lists, found once: a turn asks for some hundred moves. */
const places = new WeakMap<Game, Record<string, Map<string, number>>>()
function placeOf(game: Game, domain: string, name: string): number {
  let known = places.get(game)
  if (!known)
    places.set(
      game,
      (known = Object.fromEntries(
        Object.entries(game.names).map(([key, names]) => [key, new Map(names.map((one, i) => [one, i]))]),
      )),
    )
  return known[domain]?.get(name) ?? -1
}

/** What a listed move would come to. */
export function forecast(game: Game, view: View, seat: number, move: Action): Forecast {
  const tables = game.components
  const { colour, number } = sign(move['symbol'])
  const symbol = placeOf(game, 'symbol', move['symbol'])
  const wild = move['changed'] as string | null
  const parts = [
    ...(move['cards'] as string[]).map((card, i) => ({
      card,
      changed: wild === ['first', 'second', 'third'][i],
    })),
    ...(move['crowd'] ? [{ card: view['crowd'][0] as string, changed: wild === 'crowd' }] : []),
  ]
  const index = (card: string) => placeOf(game, 'card', card)
  const matches = parts.map(({ card, changed }) =>
    changed ? 2 : (tables['card_matches'][index(card)][symbol] as number),
  )
  const token = move['token'] ? placeOf(game, 'token', move['token']) : -1
  const ofToken = (what: string) => (token < 0 ? 0 : (tables[`token_${what}`][token] as number))
  const icons = (what: string) =>
    parts.reduce(
      (sum, { card, changed }) => sum + (changed ? 0 : (tables[`card_${what}`][index(card)] as number)),
      0,
    ) + ofToken(what)
  const symbols = matches.reduce((sum, count) => sum + count, 0)
  const cards = matches.filter((count) => count > 0).length
  const skill = tables['marker_bonus'][placeOf(game, 'marker', view['marker'][seat][colour])] as number
  const before = view['damage'][seat] as number
  const recoveries = icons('recovery') + (colour === 'yellow' ? 1 : 0)
  const recovered = recoveries === 0 ? 0 : recoveries === 1 ? Math.ceil(before / 2) : before
  const damage = before - recovered
  const total = Math.max(0, symbols + number + ofToken('bonus') + skill - damage)
  const face = tables['face_colour'][placeOf(game, 'face', view['die'])] as number
  const favoured = face === 4 || game.names['colour']![face] === colour
  const drive = driven(game, view, seat, total, colour, icons('whip'))
  return {
    symbols,
    number,
    token: ofToken('bonus'),
    skill,
    damage,
    total,
    colour,
    cards,
    fan: symbols >= 6,
    cubes: colour === 'red' && cards >= 3 ? cards - 2 : 0,
    steps: 1 + (favoured ? 1 : 0) + icons('learning'),
    recovered,
    shield: icons('shield') > 0,
    whips: icons('whip'),
    ...drive,
  }
}

/** Where so many points lead with the rivals where they are now. */
function driven(
  game: Game,
  view: View,
  seat: number,
  points: number,
  colour: Colour,
  whips: number,
): { progress: number; passes: number; whipped: number } {
  const { lap, stride } = game.components as { lap: number; stride: number[] }
  const order = (view['order'] as (number | null)[]).filter((other) => other !== null)
  const place = (other: number) => view['progress'][other] as number
  let ahead = order.slice(0, order.indexOf(seat)).reverse()
  let at = place(seat),
    passes = 0
  const pass = () => {
    ahead = ahead.slice(1)
    passes++
  }
  const step = (from: number) =>
    colour === 'black' || from + 1 >= lap * view['laps'] ? stride[((from % lap) + lap) % lap]! : 1
  for (let left = points; left > 0; left--) {
    if (view['turn'] === 1) while (ahead.length && place(ahead[0]!) === at) pass()
    if (ahead.length && place(ahead[0]!) === at) {
      pass()
      continue
    }
    at += step(at)
    while (ahead.length && place(ahead[0]!) < at) pass()
  }
  return {
    progress: at,
    passes,
    whipped:
      view['turn'] === 1 || passes || !ahead.length ? at : lashed(at, 5 * whips, step, place(ahead[0]!)),
  }
}

/** Where the whip leads: on until the step that would pass the rival in front. */
function lashed(from: number, most: number, step: (from: number) => number, rival: number): number {
  let at = from
  for (let i = 0; i < most && at !== rival && at + step(at) <= rival; i++) at += step(at)
  return at
}
