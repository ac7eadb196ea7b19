/** One table: what the server says of it, what is shown of it, and what this browser may choose. */
import type { Faction } from '../board/factions.ts'
import { dress, type Livery } from '../board/livery.ts'
import { NO_MARKS, type GameModule, type Marks } from '../games/module.ts'
import { loadModule } from '../games/registry.ts'
import { getOnce, Refused, type Problem } from './api.ts'
import { withMessage, withReaction } from './chat.ts'
import { withChoices } from './codes.ts'
import { COSTLY, Hints } from './hints.svelte.ts'
import { RaceLog, unfold, type ToldPart } from './log.svelte.ts'
import type {
  Action,
  ChatMessage,
  Game,
  GameEvent,
  PresenceMessage,
  ReactionMessage,
  TableInfo,
  View,
  ViewMessage,
} from './protocol.ts'
import { drawn } from './frames.ts'
import { settings, still } from './settings.svelte.ts'
import { socket, type Line } from './socket.svelte.ts'
import { notify } from './notify.ts'
import { chime } from './sound.ts'
import { Story, type Teller } from './story.svelte.ts'
import { Turn, type TurnTable } from './turn.svelte.ts'
import { called, explain, gameTitle, loadGameWords, w, Words, type Part } from './words.svelte.ts'

/** Further behind than this the page jumps instead of playing everything. */
const MOST_BEHIND = 160
/** The same while the race is held on this screen. */
const MOST_HELD = 3000
/** Within how many milliseconds a key pressed again counts as pressed twice. */
const TWICE_MS = 700

const NO_PLAN = { after: -1, actions: [] }

/** Whom an event is about. */
const moverOf = (event: GameEvent) => String(event['chariot'] ?? event['seat'] ?? '')

export class Race implements TurnTable {
  table: TableInfo | null = $state.raw(null)
  game: Game | null = $state.raw(null)
  module: GameModule | null = $state.raw(null)
  words: Words | null = $state.raw(null)
  missing = $state(false)
  /** Why this browser may not watch. */
  closed = $state('')
  /** Why the last choice was not taken. */
  problem = $state('')
  /** The latest message for each seat held here, and under -1 the spectator's. */
  messages: Record<number, ViewMessage> = $state.raw({})
  /** The seat whose eyes the page shows; -1 a spectator. */
  eyes = $state(-1)
  /** On a shared screen: the seat that must take the device. */
  handOver: number | null = $state(null)
  /** The seat whose player said to have taken the device. */
  private taker: number | null = null
  /** The view on the screen, on its way to the latest. */
  shown: View | null = $state(null)
  /** The view of the server that is shown, unless events have changed it since. */
  private settled: View | null = null
  /** Each seat's place; not told before what led to it was played. */
  places: readonly number[] = $state.raw([])
  event: GameEvent | null = $state.raw(null)
  readonly log = new RaceLog()
  readonly story = new Story()
  readonly hints = new Hints(this)
  chat: ChatMessage[] = $state.raw([])
  presence: PresenceMessage = $state.raw({ seats: {}, watching: [], watchers: 0 })
  marks: Marks = $state.raw(NO_MARKS)
  turn: Turn | null = $state.raw(null)
  playing = $state(false)
  /** The entry before my last choice, or before a drive of several; null if I have chosen nothing yet. */
  lastChoice: number | null = $state(null)

  /** Where a click on the board wanted to go, step by step, and the entry it was planned at. */
  private planned: { after: number; actions: Action[] } = NO_PLAN
  /** The entry that a planned choice on its way answers. */
  private sent = -1
  /** The turn whose preview is on its way; one that was cut off is asked for again with the next view. */
  private previewing: Turn | null = null
  private queue: GameEvent[] = []
  private have = -1
  private wake: (() => void) | null = null
  /** Whose events are passed over quickly; null at the usual pace. */
  private hurried: string | null = null
  private skippedAt = -Infinity
  private stop: () => void

  /** A table of the server, or whatever else sends messages as one does. */
  constructor(
    readonly id: string,
    private readonly line: Line = socket,
    private readonly gamePath: `/tables/${string}/game` | `/games/${string}` = `/tables/${id}/game`,
  ) {
    this.stop = line.listen((message) => this.take(message))
  }

  close(): void {
    this.stop()
    this.line.send({ type: 'unwatch', table: this.id })
    this.queue = []
    this.wake?.()
  }

  get names(): string[] {
    return this.table?.seats.map(called) ?? []
  }

  /** The chariots of a game in which they have names. */
  private chariots = $derived.by(
    () => (this.shown && this.game && this.module?.chariots?.(this.shown, this.game)) || [],
  )

  /** In which colours the chariots are drawn. */
  livery: Livery = $derived.by(() => {
    const { table, module, shown } = this
    if (!table || !module || !shown || module.drafts?.(table.options)) return {}
    return dress(table.seats.map(({ seat, colour }) => ({ own: module.factions(shown, seat), colour })))
  })

  /** Whoever drives a chariot, by name; whoever drives two has a first and a second one. */
  private driver(chariot: string): string | undefined {
    const found = this.chariots.find((one) => one.chariot === chariot)
    if (found?.seat === null || !found) return undefined
    const own = this.chariots.filter(({ seat }) => seat === found.seat)
    const name = this.names[found.seat]
    return own.length > 1 ? `${name} ${'I'.repeat(own.indexOf(found) + 1)}` : name
  }

  /** An event or action in pieces, with the factions of those it names. */
  told(section: 'events' | 'actions', message: GameEvent): ToldPart[] {
    return this.words!.told(section, message, this.game!, this.names).map((part) => ({
      ...part,
      faction: this.factionOf(part),
    }))
  }

  /** The faction that a part of a sentence speaks of, if it speaks of one. */
  private factionOf({ domain, value }: Part): Faction | undefined {
    if (domain === 'seat') return this.module?.factions(this.shown, Number(value))[0]
    return domain === 'chariot' ? this.chariots.find((one) => one.chariot === value)?.faction : undefined
  }

  get message(): ViewMessage | null {
    return this.messages[this.eyes] ?? null
  }

  /** My seats that owe a choice and have not made it. */
  get owing(): number[] {
    return (this.table?.my_seats ?? []).filter((seat) => {
      const message = this.messages[seat]
      return message && message.to_act.includes(seat) && !message.chosen.includes(seat)
    })
  }

  /** Whether a choice is asked of the seat this page shows, and not made yet; without a connection nobody knows. */
  get isMyTurn(): boolean {
    return this.turn !== null && !this.turn.chosen && !this.line.lost
  }

  get shared(): boolean {
    return (this.table?.my_seats.length ?? 0) > 1
  }

  command(type: string, fields: Record<string, unknown> = {}) {
    return this.line.ask({ type, table: this.id, ...fields })
  }

  private take(message: { type: string; table?: string } & Record<string, unknown>): void {
    if (message.type === 'welcome') this.line.send({ type: 'watch', table: this.id, since: this.have })
    else if (message.type === 'error' && (message['error'] as { code: string }).code === 'no_table')
      this.missing = true
    else if (message.type === 'error' && (message['error'] as Problem).code === 'no_watchers')
      this.closed = explain(new Refused(message['error'] as Problem, 403))
    else if (message.type === 'table' && message['id'] === this.id)
      void this.takeTable(message as unknown as TableInfo)
    else if (message.table !== this.id) return
    else if (message.type === 'view') this.takeView(message as unknown as ViewMessage)
    else if (message.type === 'chosen') this.takeChosen(message as unknown as ViewMessage)
    else if (message.type === 'chat') this.chat = withMessage(this.chat, message['message'] as ChatMessage)
    else if (message.type === 'reaction')
      this.chat = withReaction(this.chat, message as unknown as ReactionMessage)
    else if (message.type === 'presence') this.presence = message as unknown as PresenceMessage
    else if (message.type === 'gone') this.missing = true
    else if (message.type === 'unwatched')
      this.closed = explain(new Refused(message['error'] as Problem, 403))
  }

  private async takeTable(table: TableInfo): Promise<void> {
    const before = this.table
    this.table = table
    if (this.game) {
      if (before && before.my_seats.join() !== table.my_seats.join()) this.settleEyes()
      return
    }
    const [game, module] = await Promise.all([
      getOnce<Game>(this.gamePath),
      loadModule(table.game),
      loadGameWords(table.game),
    ])
    this.words = new Words(table.game, module.spell)
    this.words.driver = (chariot) => this.driver(chariot)
    this.module = module
    this.game = game
    this.settleEyes()
  }

  private takeChosen(message: ViewMessage): void {
    const seat = message.seat ?? -1
    const before = this.messages[seat]
    if (!before || before.seq !== message.seq) return
    this.messages = {
      ...this.messages,
      [seat]: { ...before, chosen: message.chosen, choice: message.choice, clock: message.clock },
    }
    this.settleEyes()
  }

  private takeView(message: ViewMessage): void {
    const seat = message.seat ?? -1
    const before = this.messages[seat]
    if (before && before.seq > message.seq) return
    this.messages = { ...this.messages, [seat]: message }
    const watched = this.game ? this.eyes : (this.table?.my_seats[0] ?? -1)
    if (seat === watched || !this.shown) this.enqueue(message)
    if (this.game) this.settleEyes()
  }

  /** Queue the events of steps not yet shown; a race joined in the middle is shown as it stands. */
  private enqueue(message: ViewMessage): void {
    for (const { seq, entry } of message.steps)
      if (message.seat !== null && entry.choices?.[message.seat] && seq - 1 !== this.sent)
        this.lastChoice = seq - 1
    const fresh = message.steps.filter((step) => step.seq > this.have).flatMap(unfold)
    this.have = message.seq
    if (!this.shown || !(fresh.length || this.playing)) {
      this.show(message)
      this.past(fresh)
      return
    }
    this.queue.push(...fresh)
    if (this.queue.length > (this.isHeld ? MOST_HELD : MOST_BEHIND)) this.jump()
    void this.run()
  }

  private unwritten: GameEvent[] = []

  /** Events that are written into the log and not played; they wait for the game's words. */
  private past(events: GameEvent[]): void {
    this.unwritten.push(...events)
    if (this.module && this.game) for (const event of this.unwritten.splice(0)) this.write(event)
  }

  /** Pass over what the chariot that moves still does; if that is asked twice in a row, over the whole turn. */
  skip(): void {
    const isAgain = performance.now() - this.skippedAt < TWICE_MS
    this.skippedAt = performance.now()
    if (isAgain || this.hurried !== null || !this.event) return this.jump()
    this.hurried = moverOf(this.event)
    this.wake?.()
  }

  /** Whether the race stands still on this screen; for watchers, and it goes on meanwhile. */
  isHeld = $state(false)
  private release: () => void = () => undefined

  /** Hold the race on this screen, or let it go on where it was. */
  hold(isHeld: boolean): void {
    this.isHeld = isHeld
    if (!isHeld) this.release()
  }

  /** Show the latest view at once, with the log of what was not played. */
  jump(): void {
    this.hold(false)
    this.past(this.queue.splice(0))
    this.show(this.latest)
    this.wake?.()
  }

  private get latest(): ViewMessage | undefined {
    return this.message ?? Object.values(this.messages)[0]
  }

  private show(message: ViewMessage | undefined): void {
    if (!message) return
    this.event = null
    this.shown = structuredClone(message.view)
    this.settled = message.view
    this.places = message.places
    if (this.teller) this.story.settle(this.eyes, message.view, message.places, this.teller)
  }

  /** Whose eyes to look through, and whether the device must change hands first. */
  private settleEyes(): void {
    const { table, module } = this
    if (!table || !module) return
    const owing = this.owing
    const mine = table.my_seats
    let eyes = this.eyes
    if (!mine.includes(eyes)) eyes = mine[0] ?? -1
    if (owing.length && (!owing.includes(eyes) || (this.shared && this.taker !== eyes))) {
      const next = owing.includes(eyes) ? eyes : owing[0]!
      if (this.shared && module.secret(this.messages[next]!.view)) this.handOver = next
      else eyes = next
    }
    this.see(eyes)
    this.settlePast()
    this.settleTurn()
  }

  /** Write what came before the game's words were there, and sum it up. */
  private settlePast(): void {
    if (!this.unwritten.length) return
    this.past([])
    const { message, teller } = this
    if (message && teller && !this.playing) this.story.settle(this.eyes, message.view, message.places, teller)
  }

  /** Whoever takes the device looks through a seat's eyes. */
  look(seat: number): void {
    this.taker = seat
    if (this.handOver === seat) this.handOver = null
    this.see(seat)
    this.settleTurn()
  }

  /** Show what a seat sees. */
  private see(seat: number): void {
    if (seat === this.eyes) return
    this.eyes = seat
    this.story.forget()
    const message = this.messages[seat]
    if (!this.playing) this.show(message)
    if (message) this.have = Math.max(this.have, message.seq)
  }

  /** Ask for a choice, if one is owed and nothing is on its way to the screen. */
  private settleTurn(): void {
    const message = this.message && withChoices(this.message, this.game)
    const isCovered = this.playing || this.handOver !== null
    if (isCovered && this.handOver === null && this.turn?.sent && this.module?.stays?.(this.turn.sent)) return
    if (!message?.legal.length || !message.to_act.includes(this.eyes) || isCovered) {
      if (isCovered || this.turn?.seq !== message?.seq) this.turn = null
      return
    }
    if (this.turn && this.isSame(this.turn, message)) return this.askPreview(this.turn)
    if (message.seq === this.sent || this.followPlan(message)) return
    this.beginTurn(message)
  }

  private isSame(turn: Turn, message: ViewMessage): boolean {
    return turn.seq === message.seq && turn.seat === this.eyes && turn.chosen === message.choice
  }

  private beginTurn(message: ViewMessage): void {
    const before = this.turn
    const key = `quadriga.draft.${this.id}.${this.eyes}.${message.seq}`
    this.turn = new Turn({ ...message, seat: this.eyes }, key, this)
    this.hints.begin(this.turn)
    if (before?.seq === message.seq && before.seat === this.eyes) this.turn.preview = before.preview
    this.askPreview(this.turn)
    if (!before && !message.choice && document.hidden) {
      chime()
      notify(w('table.your_turn'), gameTitle(this.table!.game), this.id)
    }
  }

  /** Ask the server what the listed choices would bring, where the game's panel shows it. */
  private askPreview(turn: Turn): void {
    if (!this.module?.previews || turn.preview || this.previewing === turn) return
    this.previewing = turn
    this.command('preview', { seat: turn.seat, seq: turn.seq })
      .then(({ preview }) => {
        turn.preview = preview
        this.hints.show(turn)
      })
      .catch((error: unknown) => this.explainUnless(error, 'late', 'disconnected'))
      .finally(() => (this.previewing = null))
  }

  /** Say what went wrong, unless it needs no words. */
  explainUnless(error: unknown, ...codes: string[]): void {
    if (!(error instanceof Refused && codes.includes(error.problem.code))) this.problem = explain(error)
  }

  needsConfirmation(): boolean {
    return settings.confirm || (this.table?.confirm ?? false)
  }

  plan({ seq }: Turn, rest: Action[]): void {
    this.planned = { after: seq, actions: rest }
  }

  /** Go on with what was planned, if it is still listed. */
  private followPlan({ seat, seq, legal, choice }: ViewMessage): boolean {
    const { after, actions } = this.planned
    if (!actions.length || choice || seq <= after) return false
    const next = JSON.stringify(actions[0])
    const listed = legal.find((action) => JSON.stringify(action) === next)
    this.planned = { after: seq, actions: listed ? actions.slice(1) : [] }
    if (!listed) return false
    this.turn = null
    this.sent = seq
    void this.send(seat!, seq, listed).then((taken) => {
      if (taken) return
      this.sent = -1
      this.settleTurn()
    })
    return true
  }

  choose(turn: Turn, action: Action): Promise<boolean> {
    return this.send(turn.seat, turn.seq, action)
  }

  /** Send a choice; whether it was taken. One that came too late or twice needs no words: the race has gone on. */
  private async send(seat: number, seq: number, action: Action): Promise<boolean> {
    this.problem = ''
    try {
      await this.hints.require(seat, seq, [action, ...this.planned.actions])
      await this.command('choose', { seat, seq, action })
      return true
    } catch (error) {
      this.planned = NO_PLAN
      this.explainUnless(error, 'duplicate', 'late', 'not_yet', COSTLY)
      return false
    }
  }

  async whyNot({ seat, seq }: Turn, action: Action): Promise<string | null> {
    const answer = await this.command('try', { seat, seq, action })
    if (answer.allowed) return null
    return this.words!.message('refusals', answer.refusal, this.game!, this.names)
  }

  /** Play what came, then show the server's last view, and a frame later, so that slow phones keep up, the choice. */
  private async run(): Promise<void> {
    if (this.playing) return
    this.playing = true
    do {
      while (this.queue.length) {
        if (this.isHeld) await new Promise<void>((resolve) => (this.release = resolve))
        if (!this.queue.length) break
        const ms =
          this.module && this.game && this.shown
            ? this.playEvent(this.module, this.game, this.shown, this.queue.shift()!)
            : 30
        if (ms > 0) await this.pause(ms)
      }
      this.show(this.latest)
      if (!still()) await drawn()
    } while (this.queue.length || (this.latest && this.settled !== this.latest.view))
    this.playing = false
    this.settleEyes()
  }

  /** Show an event; for how many milliseconds. One that cannot be drawn is reported and passed over. */
  private playEvent(module: GameModule, game: Game, view: View, event: GameEvent): number {
    let ms = 0
    this.settled = null
    try {
      this.write(event)
      ms = module.play(view, event, game)
    } catch (error) {
      reportError(error)
    }
    this.event = event
    if (this.turn) this.turn.event = event
    if (this.hurried !== moverOf(event)) this.hurried = null
    if (this.hurried !== null) return 0
    return still() || document.hidden ? 0 : ms / settings.speed / (this.queue.length > 40 ? 2 : 1)
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  private get teller(): Teller | null {
    const { module, game, words, names } = this
    return module && game && words ? { module, game, words, names } : null
  }

  private write(event: GameEvent): void {
    const { teller } = this
    if (!teller) return
    this.log.write(event, this.have, { ...teller, tell: (told) => this.told('events', told) })
    if (this.shown) this.story.take(event, this.eyes, this.shown, teller)
  }
}
