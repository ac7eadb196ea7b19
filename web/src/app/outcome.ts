/** What the end of a race means for whoever looks at it. */
import type { TurnGaps } from './history.ts'
import type { Race } from './race.svelte.ts'
import { ordinal, w } from './words.svelte.ts'

/** My place, or who won where I sat at no seat or at several. */
export function headline(race: Race): string {
  const result = race.message?.result
  if (!result) return ''
  const { winner } = result
  const [mine] = race.table!.my_seats
  if (winner === null) return w('table.no_winner')
  if (mine === undefined || race.shared) return w('table.won', { player: race.names[winner] })
  return winner === mine ? w('after.you_won') : came(result.places[mine]!)
}

const came = (place: number) => w('after.you_came', { place: ordinal(place) })

/** By how much I won, or was beaten by the winner; empty where the board shows no gap. */
export function margin(race: Race, last: TurnGaps | undefined): string {
  const result = race.message?.result
  const [mine] = race.table!.my_seats
  if (!result || !last) return ''
  const { winner, places } = result
  if (winner === null) return mine === undefined || race.shared ? '' : came(places[mine]!)
  const second = places.indexOf(2)
  const isMine = mine !== undefined && !race.shared && mine !== winner
  const [seat, other, code] = isMine ? [mine, winner, 'after.behind'] : [second, second, 'after.ahead']
  const count = seat < 0 ? 0 : last.gaps[seat]! - last.gaps[winner]!
  return count > 0 ? w(code, { count, player: race.names[other] }) : ''
}
