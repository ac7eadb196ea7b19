/** Which chat messages this browser has shown; kept, so that a reload does not make them new again. */
import type { ChatMessage } from './protocol.ts'

const KEY = 'quadriga.read'
/** Tables whose last message is remembered; the oldest go. */
const MOST_TABLES = 100

type Read = [table: string, message: number][]

function stored(): Read {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(found) ? (found as Read) : []
  } catch {
    return []
  }
}

let read: Read = $state.raw(stored())

const lastRead = (table: string) => read.find(([known]) => known === table)?.[1] ?? 0

/** All messages of a table are on the screen. */
export function markRead(table: string, messages: readonly ChatMessage[]): void {
  const last = messages.at(-1)?.id ?? 0
  if (last <= lastRead(table)) return
  read = [...read.filter(([known]) => known !== table), [table, last] as [string, number]].slice(-MOST_TABLES)
  localStorage.setItem(KEY, JSON.stringify(read))
}

/** Messages of others that were not on the screen yet. */
export function countUnread(table: string, messages: readonly ChatMessage[]): number {
  const last = lastRead(table)
  return messages.filter(({ id, mine }) => !mine && id > last).length
}
