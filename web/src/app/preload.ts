/** Begin to load what a table needs before the page has its words: the connection, the game, its drawings. */
import { loadModule } from '../games/registry.ts'
import { getOnce } from './api.ts'
import type { Game } from './protocol.ts'
import { socket } from './socket.svelte.ts'
import { loadGameWords } from './words.svelte.ts'

export function preload(id: string): void {
  socket.warm()
  getOnce<Game>(`/tables/${id}/game`)
    .then(({ meta }) => Promise.all([loadModule(meta.name), loadGameWords(meta.name)]))
    .catch(() => undefined)
}
