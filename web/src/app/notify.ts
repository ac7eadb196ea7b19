/** Notes of the browser while the page is open in the background: your turn is awaited. */
import { go } from './route.svelte.ts'
import { settings } from './settings.svelte.ts'

export const canNotify = () => 'Notification' in window && isSecureContext

/** Ask the person once; whether notes may be shown. */
export async function allowNotes(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === 'granted'
}

export function notify(title: string, body: string, table: string): void {
  if (!settings.notify || !canNotify() || Notification.permission !== 'granted') return
  const note = new Notification(title, { body, tag: table, icon: '/icon.svg' })
  note.onclick = () => { window.focus(); go(`/t/${table}`); note.close() }
}
