/** Puzzles over HTTP: which there are, how the guest does, and what is said to an answer. */
import { get, post } from '../api.ts'
import { ensureGuest } from '../guest.svelte.ts'
import { Practice, type Begun, type Text } from '../practice/practice.svelte.ts'
import type { Action, Json } from '../protocol.ts'

export interface GamePuzzles {
  puzzles: number
  /** The number of today's. */
  today: number
  /** Of a guest alone. */
  rating?: number
  answered?: number
  today_solved?: boolean
}
export interface Overview {
  day: string
  streak: number
  games: Record<string, GamePuzzles>
}
export interface PuzzleBegun extends Begun {
  number: number
  stars: number
  rating: number
  is_today: boolean
  answered: boolean
  solved: boolean
}
/** What is told of an answer; the explanation only of a right one, and to whoever gives up. */
export interface Told {
  right?: boolean
  /** Chances to win in hundredths: of the choice that was made, of the best, of the best that is not right. */
  chance?: number | null
  best: number
  following_chance?: number
  explanation?: Text
  solution?: Action
  /** Of a guest: the rating after it, what was gained, days in a row. */
  rating?: number
  gained?: number
  streak?: number
}

export const overview = () => get<Overview>('/puzzles')

export async function nextNumber(game: string, besides: number): Promise<number> {
  return (await get<{ number: number }>(`/puzzles/${game}/next`, `?besides=${besides}`)).number
}

/** The answer, for whoever gives up. */
export async function giveUp(game: string, number: number): Promise<Told> {
  await ensureGuest()
  return post<Told>(`/puzzles/${game}/${number}/answer`)
}

/** A table that goes on from a puzzle, against bots. */
export async function playOn(game: string, number: number): Promise<string> {
  await ensureGuest()
  return (await post<{ table: string }>(`/puzzles/${game}/${number}/play-on`, {})).table
}

/** A puzzle on the real board: whoever answers becomes a guest, so that the answer can be rated. */
export class PuzzlePractice extends Practice {
  override async ask(message: Json): Promise<Json> {
    if (message['type'] !== 'preview' && message['type'] !== 'try') await ensureGuest()
    return super.ask(message)
  }
}
