/** Who this browser is: a guest with a name, made when first needed. */
import { get, patch, post } from './api.ts'
import { settings } from './settings.svelte.ts'
import { socket } from './socket.svelte.ts'
import { w } from './words.svelte.ts'

export const me = $state<{ guest: { id: string; name: string } | null; asked: boolean }>({
  guest: null,
  asked: false,
})

export async function loadMe(): Promise<void> {
  me.guest = (await get<{ guest: { id: string; name: string } | null }>('/me')).guest
  me.asked = true
}

/** Be somebody, by the name in the settings if there is one. */
export async function ensureGuest(): Promise<void> {
  if (!me.asked) await loadMe()
  const name = settings.name.trim() || me.guest?.name || w('guest')
  if (me.guest && me.guest.name === name) return
  if (me.guest)
    me.guest = (await patch<{ guest: typeof me.guest }>('/me', { name })).guest ?? { ...me.guest, name }
  else {
    me.guest = (await post<{ guest: { id: string; name: string } }>('/guests', { name })).guest
    socket.renew()
  }
}
