/** New tables. */
import { get, getOnce, post, upload } from './api.ts'
import { ensureGuest } from './guest.svelte.ts'
import type { components } from './http.ts'
import type { Json, Meta, TableInfo } from './protocol.ts'
import { go } from './route.svelte.ts'
import { applySettings, settings } from './settings.svelte.ts'
import { socket } from './socket.svelte.ts'

type NewTable = components['schemas']['NewTable']
type Clock = components['schemas']['Clock']

export interface About {
  version: string
  /** Levels, the weakest first. */
  bots: string[]
  /** The server's machine in the home network, told to browsers on that machine alone. */
  network: { address: string; url: string | null } | null
}
export const about = () => getOnce<About>('/about')
export const cards = () => getOnce<Meta[]>('/games')

/** How a table is set, as its forms show it. */
export interface TableSettings {
  options: Record<string, Json>
  clock: string
  hints: NewTable['hints']
  take_back: boolean
  chat: boolean
  watchers: boolean
  listed: boolean
}
export const CLOCKS: Record<string, Clock> = {
  none: { kind: 'none' },
  quick: { kind: 'move', move_ms: 60000 },
  slow: { kind: 'move', move_ms: 86400000 },
  bank: { kind: 'bank', bank_ms: 900000, increment_ms: 10000 },
}

export const usualSettings = (meta: Meta): TableSettings => ({
  options: Object.fromEntries(meta.options.map((option) => [option.name, option.default])),
  clock: 'none',
  hints: 'alone',
  take_back: true,
  chat: true,
  watchers: true,
  listed: false,
})

/** The settings of a table that waits. */
export function settingsOf({
  options,
  clock,
  hints,
  take_back,
  chat,
  watchers,
  listed,
}: TableInfo): TableSettings {
  const [known] =
    Object.entries(CLOCKS).find(([, wanted]) =>
      Object.entries(wanted).every(([key, value]) => clock[key as keyof typeof clock] === value),
    ) ?? []
  return {
    options: { ...options },
    clock: known ?? 'none',
    hints,
    take_back: take_back !== 'never',
    chat,
    watchers,
    listed,
  }
}

/** What the server wants to hear of them; options that do not go with so many seats are left out. */
export function settingsSent(meta: Meta, seats: number, chosen: TableSettings): Record<string, Json> {
  const apply = meta.options.filter(({ only_seats }) => !only_seats.length || only_seats.includes(seats))
  return {
    ...chosen,
    options: Object.fromEntries(apply.map(({ name }) => [name, chosen.options[name]])),
    clock: CLOCKS[chosen.clock],
    take_back: chosen.take_back ? 'ask' : 'never',
  }
}

/** The level raced last; the weakest before a first race. */
export async function usualBot(): Promise<string> {
  const { bots } = await about()
  return bots.includes(settings.level) ? settings.level : bots[0]!
}

/** Keep a level for the next race. */
export function keepLevel(level: string): void {
  settings.level = level
  applySettings()
}

/** This browser's own part in the dice, so that nobody else could choose them. */
export const nonce = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/** Make a table; start it at once unless somebody is still to come. */
export async function createTable(order: NewTable): Promise<void> {
  await ensureGuest()
  const { table } = await post<{ table: TableInfo }>('/tables', order)
  const [mine] = table.my_seats
  if (mine !== undefined) await socket.ask({ type: 'nonce', table: table.id, seat: mine, nonce: nonce() })
  if (!order.seats.some((seat) => seat.kind === 'open')) await socket.ask({ type: 'start', table: table.id })
  go(`/t/${table.id}`)
}

/** Straight to the first choice: me and three bots, or as many as the game seats. */
export async function raceBots(meta: Meta, level: string): Promise<void> {
  keepLevel(level)
  const seats = meta.seats.includes(4) ? 4 : meta.seats[0]!
  await createTable({
    game: meta.name,
    seats: [{ kind: 'me' }, ...Array.from({ length: seats - 1 }, () => ({ kind: level }))],
    pace_ms: 0,
    options: usualOptions(meta),
  })
}

/** A first race should not take all evening. */
function usualOptions(meta: Meta): Record<string, Json> {
  return meta.quick_options
}

/** A race of the strongest bots, to look on. */
export async function watchBots(meta: Meta): Promise<void> {
  const { bots } = await about()
  const seats = meta.seats.includes(4) ? 4 : meta.seats[0]!
  await createTable({
    game: meta.name,
    seats: Array.from({ length: seats }, () => ({
      kind: bots.at(-1)!,
    })),
    pace_ms: 900,
    options: usualOptions(meta),
  })
}

export async function openRecord(text: string): Promise<void> {
  await ensureGuest()
  const { table } = await upload<{ table: string }>('/records', text)
  await get(`/tables/${table}`)
  go(`/t/${table}#step=0`)
}
