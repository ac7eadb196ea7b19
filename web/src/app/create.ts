/** New tables. */
import { get, getOnce, post } from './api.ts'
import { ensureGuest } from './guest.svelte.ts'
import type { Json, Meta, TableInfo } from './protocol.ts'
import { go } from './route.svelte.ts'
import { socket } from './socket.svelte.ts'
import { settings } from './settings.svelte.ts'
import { w } from './words.svelte.ts'

export interface About { version: string; bots: string[] }
export const about = () => getOnce<About>('/about')
export const cards = () => getOnce<Meta[]>('/games')

export interface Plan { game: string; options?: Record<string, Json>; seats: { kind: string; name?: string }[]; listed?: boolean; clock?: Json; pace_ms?: number; on_timeout?: string }

/** A level in the middle: neither the weakest nor the strongest. */
export async function usualBot(): Promise<string> {
  const { bots } = await about()
  return bots[Math.floor(bots.length / 2)]!
}

/** Make a table; start it at once unless somebody is still to come. */
export async function createTable(plan: Plan): Promise<void> {
  await ensureGuest()
  const { table } = await post<{ table: TableInfo }>('/tables', plan)
  if (!plan.seats.some((seat) => seat.kind === 'open')) await socket.ask({ type: 'start', table: table.id })
  go(`/t/${table.id}`)
}

/** Straight to the first choice: me and three bots, or as many as the game seats. */
export async function raceBots(meta: Meta): Promise<void> {
  const level = await usualBot()
  const seats = meta.seats.includes(4) ? 4 : meta.seats[0]!
  await createTable({ game: meta.name, seats: [{ kind: 'me' }, ...Array.from({ length: seats - 1 }, () => ({ kind: level }))], pace_ms: 0, options: usualOptions(meta) })
}

/** A first race should not take all evening. */
function usualOptions(meta: Meta): Record<string, Json> {
  return meta.options.some((option) => option.name === 'laps') && meta.name === 'chariots' ? { laps: 2 } : {}
}

export async function watchBots(meta: Meta): Promise<void> {
  const { bots } = await about()
  const seats = meta.seats.includes(4) ? 4 : meta.seats[0]!
  await createTable({ game: meta.name, seats: Array.from({ length: seats }, () => ({ kind: bots.at(-1)! })), pace_ms: 900 })
}

export const friendSeats = (count: number) => [{ kind: 'me', name: settings.name || w('guest') }, ...Array.from({ length: count - 1 }, () => ({ kind: 'open' }))]

export async function openRecord(text: string): Promise<void> {
  await ensureGuest()
  const { table } = await post<{ table: string }>('/records', text)
  await get(`/tables/${table}`)
  go(`/t/${table}#step=0`)
}
