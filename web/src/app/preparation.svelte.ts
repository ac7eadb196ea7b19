/** Which games are still being compiled on the server, as its socket tells. */
import { socket } from './socket.svelte.ts'

export interface Preparing {
  game: string
  state: 'compiling' | 'ready' | 'failed'
  kind: 'rules' | 'bots'
  percent: number
  /** `rules`, and each level of bots that can be asked. */
  ready: string[]
}

let games: Record<string, Preparing> = $state.raw({})

/** Hear how far the games are; the connection stays open for it. */
export const hearPreparation = () =>
  socket.listen((message) => {
    if (message.type === 'preparing') games = { ...games, [message.game]: message }
  })

/** How far a game is, if one of these parts of it is not there yet. */
export function preparing(game: string, parts: readonly string[]): Preparing | null {
  const one = games[game]
  return one?.state === 'compiling' && parts.some((part) => !one.ready.includes(part)) ? one : null
}
