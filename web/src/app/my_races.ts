/** The races of this browser's guest, in pages. */
import { get } from './api.ts'
import type { RaceCard } from './protocol.ts'

export type Show = 'current' | 'finished' | 'watched'
export interface RacePage {
  races: RaceCard[]
  /** Where the next page begins; null: there is none. */
  next: string | null
}
export const NO_RACES: RacePage = { races: [], next: null }

export function myRaces(
  show: Show,
  limit: number,
  game = '',
  before: string | null = null,
): Promise<RacePage> {
  const query = new URLSearchParams({ show, limit: String(limit) })
  if (game) query.set('game', game)
  if (before) query.set('before', before)
  return get<RacePage>('/me/races', `?${query}`)
}
