/** Notices a connection that is lost without a word: silence is asked about, and a question has its time. */
const QUIET_MS = 3000
const ANSWER_MS = 4000
/** A command is a question, too: silence after it is asked about sooner. */
const AFTER_COMMAND_MS = 1000
const LOOK_MS = 500

export class Heartbeat {
  private heardAt = 0
  private askedAt = 0
  private patience = ANSWER_MS
  private timer: ReturnType<typeof setInterval> | undefined

  constructor(
    private readonly ask: () => void,
    private readonly lose: () => void,
  ) {}

  /** A connection is being made, which may take as long as an answer. */
  start(): void {
    clearInterval(this.timer)
    this.askedAt = this.heardAt = performance.now()
    this.patience = ANSWER_MS
    this.timer = setInterval(() => this.look(), LOOK_MS)
  }

  stop(): void {
    clearInterval(this.timer)
    this.askedAt = 0
  }

  /** Something came. */
  heard(): void {
    this.heardAt = performance.now()
    this.askedAt = 0
    this.patience = ANSWER_MS
  }

  /** Something was sent that will be answered. */
  sent(): void {
    this.heardAt = Math.min(this.heardAt, performance.now() - QUIET_MS + AFTER_COMMAND_MS)
  }

  /** Ask now, and wait at most so long for the answer. */
  probe(patience: number): void {
    this.askedAt ||= performance.now()
    this.patience = Math.min(this.patience, patience)
    this.ask()
  }

  private look(): void {
    const now = performance.now()
    if (this.askedAt && now - this.askedAt > this.patience) this.lose()
    else if (!this.askedAt && now - this.heardAt > QUIET_MS) this.probe(ANSWER_MS)
  }
}
