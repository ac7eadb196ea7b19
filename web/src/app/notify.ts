/** Notes of the browser when one's choice is awaited: by push where the browser has it, else while the page is open. */
import type { components } from './http.ts'
import { drop, get, post } from './api.ts'
import { cards } from './create.ts'
import { ensureGuest } from './guest.svelte.ts'
import { go } from './route.svelte.ts'
import { settings } from './settings.svelte.ts'
import { gameTitle, w } from './words.svelte.ts'

type PushKeys = components['schemas']['PushKeys']

export const canNotify = () => 'Notification' in window && isSecureContext
const canPush = () => 'serviceWorker' in navigator && 'PushManager' in window

/** 'push': also when the page is closed; 'open': while it is open; 'denied': the browser does not allow it. */
export type Notes = 'push' | 'open' | 'denied'

/** Ask the person once, and tell the server how to reach this browser. */
export async function allowNotes(): Promise<Notes> {
  if (!canNotify() || (await Notification.requestPermission()) !== 'granted') return 'denied'
  return (await subscribe().catch(() => false)) ? 'push' : 'open'
}

async function subscribe(): Promise<boolean> {
  if (!canPush()) return false
  await ensureGuest()
  const words = new URLSearchParams({
    title: w('table.your_turn'),
    body: w('notes.body', { player: '{player}', game: '{game}' }),
    ...Object.fromEntries((await cards()).map(({ name }) => [name, gameTitle(name)])),
  })
  const registration = await navigator.serviceWorker.register(`/worker.js?${words}`)
  const { key } = await get<{ key: string }>('/push')
  const { endpoint, keys } = (
    await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  ).toJSON()
  await post('/me/push', { endpoint: endpoint!, keys: keys as PushKeys })
  return true
}

/** No more notes in this browser. */
export async function stopNotes(): Promise<void> {
  const subscription = canPush()
    ? await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()
    : null
  if (!subscription) return
  await subscription.unsubscribe()
  await drop('/me/push', `?endpoint=${encodeURIComponent(subscription.endpoint)}`)
}

/** A note of the page itself, which is open in the background. */
export function notify(title: string, body: string, table: string): void {
  if (!settings.notify || !canNotify() || Notification.permission !== 'granted') return
  const note = new Notification(title, { body, tag: table, icon: '/icon.svg' })
  note.onclick = () => {
    window.focus()
    go(`/t/${table}`)
    note.close()
  }
}
