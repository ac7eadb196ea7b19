/** One websocket for the page: it comes back by itself and goes on where it was. */
import type { Json } from './protocol.ts'
import { Refused } from './api.ts'
import { Heartbeat } from './heartbeat.ts'

type Listener = (message: Json) => void

/** Where the messages of a table come from and go to. */
export interface Line {
  /** Whether nobody answers for now. */
  readonly lost: boolean
  /** Be called with each message, and with {type: 'welcome'} whenever somebody answers; stops by what it returns. */
  listen(listener: Listener): () => void
  send(message: Json): void
  ask(message: Json): Promise<Json>
}

const BUILD: string | null = document.querySelector('meta[name="build"]')?.getAttribute('content') ?? null

/** The browser says that it is offline, or the page is looked at again: an answer is due soon. */
const SOON_MS = 1500

class Socket implements Line {
  state: 'closed' | 'connecting' | 'open' = $state('closed')
  /** Whether the connection is gone and not there again. */
  lost = $state(false)
  /** What to add to the browser's clock to have the server's. */
  skew = $state(0)
  private socket: WebSocket | null = null
  private listeners = new Set<Listener>()
  private waiting = new Map<number, { resolve: (value: Json) => void; reject: (error: unknown) => void }>()
  private next = 1
  private tries = 0
  private opened: (() => void)[] = []
  private heartbeat = new Heartbeat(
    () => this.send({ type: 'ping' }),
    () => this.drop(),
  )

  constructor() {
    addEventListener('offline', () => this.probe())
    addEventListener('online', () => this.reconnect())
    document.addEventListener('visibilitychange', () => {
      this.send({ type: 'here', yes: !document.hidden })
      if (!document.hidden) this.reconnect()
    })
  }

  /** Find out at once whether the connection still stands. */
  private probe(): void {
    if (this.state === 'open') this.heartbeat.probe(SOON_MS)
  }

  /** There may be a network again: ask, or connect without waiting any longer. */
  private reconnect(): void {
    this.probe()
    if (this.lost && this.state === 'closed') this.connect()
  }

  /** Called with each message, and with {type: 'welcome'} whenever the connection is there again. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener)
    if (this.state === 'open') listener({ type: 'welcome' })
    else this.connect()
    return () => {
      this.listeners.delete(listener)
    }
  }

  /** Connect before anybody asks. */
  warm(): void {
    this.connect()
  }

  /** A new guest has a new cookie, which only a new connection shows. */
  renew(): void {
    this.tries = 0
    if (this.socket) this.socket.onclose = this.socket.onmessage = null
    this.socket?.close()
    this.giveUp()
    if (this.listeners.size || this.opened.length) this.connect()
  }

  send(message: Json): void {
    if (this.state === 'open') this.socket?.send(JSON.stringify(message))
  }

  /** Send a command; resolves with its `done`, rejects with its error. */
  async ask(message: Json): Promise<Json> {
    if (this.state !== 'open')
      await new Promise<void>((resolve) => {
        this.opened.push(resolve)
        this.connect()
      })
    const id = this.next++
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject })
      this.send({ ...message, id })
      this.heartbeat.sent()
    })
  }

  private connect(): void {
    if (this.state !== 'closed') return
    this.state = 'connecting'
    const socket = new WebSocket(
      `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/play`,
    )
    this.socket = socket
    this.heartbeat.start()
    socket.onopen = () =>
      socket.send(JSON.stringify({ type: 'hello', protocol: 1, build: BUILD, codes: true }))
    socket.onmessage = ({ data }) => this.take(JSON.parse(data as string))
    socket.onclose = () => this.closed()
  }

  /** A connection that does not answer is not waited for. */
  private drop(): void {
    if (this.socket) this.socket.onclose = this.socket.onmessage = this.socket.onopen = null
    this.socket?.close()
    this.closed()
  }

  /** Nothing asked on this connection will be answered. */
  private giveUp(): void {
    this.state = 'closed'
    this.heartbeat.stop()
    for (const { reject } of this.waiting.values())
      reject(new Refused({ code: 'disconnected', params: {}, sentence: 'The connection was lost.' }, 0))
    this.waiting.clear()
  }

  private closed(): void {
    this.giveUp()
    this.lost = true
    if (this.listeners.size || this.opened.length)
      setTimeout(() => this.connect(), Math.min(4000, 150 * 1.7 ** this.tries++))
  }

  private take(message: Json): void {
    this.heartbeat.heard()
    if (message.type === 'pong') return
    if (message.type === 'welcome') {
      this.state = 'open'
      this.lost = false
      if (document.hidden) this.send({ type: 'here', yes: false })
      this.tries = 0
      this.skew = message.now - Date.now()
      for (const resolve of this.opened.splice(0)) resolve()
    } else if (message.type === 'reload') {
      reloadOnce(message.build)
    } else if ((message.type === 'done' || message.type === 'error') && this.waiting.has(message.id)) {
      const { resolve, reject } = this.waiting.get(message.id)!
      this.waiting.delete(message.id)
      if (message.type === 'done') resolve(message)
      else
        reject(
          new Refused({ ...message.error, params: { ...message.error.params, refusal: message.refusal } }, 0),
        )
      return
    }
    for (const listener of this.listeners) listener(message)
  }
}

/** Load the page again for a new build, but never in a circle. */
function reloadOnce(build: string): void {
  if (sessionStorage.getItem('quadriga.build') === build) return
  sessionStorage.setItem('quadriga.build', build)
  location.reload()
}

export const socket = new Socket()
