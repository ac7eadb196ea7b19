/** An exercise on the real board: a race that is asked over HTTP, answers each choice at once and keeps nothing. */
import { call, Refused } from '../api.ts'
import type { Action, Json, TableInfo, ViewMessage } from '../protocol.ts'
import { Race } from '../race.svelte.ts'
import { settings } from '../settings.svelte.ts'
import type { Line } from '../socket.svelte.ts'
import { w } from '../words.svelte.ts'

/** Sentences by language. */
export type Text = Record<string, string>

/** Where an exercise stands. */
export interface Stage {
  view: ViewMessage & { preview: Record<string, Json> }
  /** What is asked; null when all is done. */
  ask: Text | null
  /** How many choices are made, and how many are asked in all. */
  task: number
  tasks: number
}
export interface Begun extends Stage {
  table: TableInfo
  title: Text
  intro: Text
  end: Text
  rules: string[]
}
/** What is said to a choice; a right one brings the next stage, any other the solution. */
export type Answer = ({ right: true; say: Text } & Stage) | { right: false; say: Text; solution: Action }

export const inLanguage = (text: Text | null | undefined) => text?.[settings.language] ?? ''

export class Practice implements Line {
  readonly lost = false
  readonly race: Race
  begun: Begun | null = $state.raw(null)
  stage: Stage | null = $state.raw(null)
  /** What was said to the last choice; null before the first one of a task. */
  answer: Answer | null = $state.raw(null)
  /** Why there is no exercise. */
  failure: unknown = $state.raw(null)
  /** The right choices so far: with the exercise they give the position. */
  readonly choices: Action[] = []
  private tell: (message: Json) => void = () => undefined

  /** An exercise by its path below /api; `attempt` tells half-made choices of one attempt from those of the next. */
  constructor(
    private readonly path: string,
    game: string,
    attempt: number,
    private readonly onanswer: (answer: Answer) => void = () => undefined,
  ) {
    this.race = new Race(`${path}#${attempt}`, this, `/games/${game}`)
  }

  /** Whether the next choice may be made: what led to it has been shown. */
  get isAsking(): boolean {
    return !this.race.playing && !!this.stage?.ask
  }
  get isDone(): boolean {
    return !this.race.playing && this.stage?.ask === null
  }

  /** Lay the solution of a task out on the board. */
  showSolution(): void {
    const { turn, module } = this.race
    if (!turn || !this.answer || this.answer.right) return
    turn.hint = this.answer.solution
    module?.lay?.(turn, this.answer.solution, [])
  }

  listen(listener: (message: Json) => void): () => void {
    this.tell = listener
    void this.begin()
    return () => (this.tell = () => undefined)
  }

  send(): void {
    /* Nobody else follows an exercise. */
  }

  async ask({ type, action }: Json): Promise<Json> {
    if (type === 'preview') return { preview: this.stage!.view.preview }
    const body = { action, choices: this.choices }
    if (type === 'try') return call('POST', `${this.path}/try`, body)
    const answer = await call<Answer>('POST', this.path, body)
    this.take(answer, action)
    if (!answer.right)
      throw new Refused({ code: 'not_yet', params: {}, sentence: inLanguage(answer.say) }, 200)
    return {}
  }

  private async begin(): Promise<void> {
    try {
      this.begun = this.stage = await call<Begun>('GET', this.path)
    } catch (error) {
      this.failure = error
      return
    }
    const { table, view } = this.begun
    const seats = table.seats.map((seat) => (seat.mine ? { ...seat, name: ownName() } : seat))
    this.tell({ ...NO_TABLE, ...table, id: this.race.id, seats, type: 'table' })
    this.tell({ ...view, table: this.race.id, type: 'view' })
  }

  private take(answer: Answer, action: Action): void {
    this.answer = answer
    this.onanswer(answer)
    if (!answer.right) return
    this.choices.push(action)
    this.stage = answer
    this.tell({ ...answer.view, table: this.race.id, type: 'view' })
  }
}

const ownName = () => settings.name.trim() || w('guest')

/** What an exercise has nothing of. */
const NO_TABLE = { chat: false, hints: 'none', confirm: false, proposals: [], clock: { kind: 'none' } }
