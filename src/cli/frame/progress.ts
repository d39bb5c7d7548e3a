/** A stream as far as a command needs one. */
export interface Sink {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

/** How often a bar is drawn anew, and a line is written where there is nothing to draw on. */
const drawMs = 100
const lineMs = 10_000

interface Far {
  done: number
  total: number | undefined
  unit: string
  elapsedMs: number
}

/**
 * How far long work is: a bar that is written over in a terminal, elsewhere a line for every tenth,
 * or every ten seconds where nobody knows the whole.
 */
export class Progress {
  readonly #sink: Sink
  readonly #unit: string
  #total: number | undefined
  readonly #now: () => number
  readonly #beganMs: number
  #saidMs = Number.NEGATIVE_INFINITY
  #tenth = 0
  #isDrawn = false

  constructor(
    sink: Sink,
    {
      unit,
      total,
      now = () => performance.now(),
    }: { unit: string; total?: number; now?: () => number },
  ) {
    this.#sink = sink
    this.#unit = unit
    this.#total = total
    this.#now = now
    this.#beganMs = now()
  }

  /** So many are done; of how many, where that has become known or has changed. */
  at(done: number, total = this.#total): void {
    this.#total = total
    const now = this.#now()
    const isEnd = total !== undefined && done >= total
    if (this.#sink.isTTY) {
      if (now - this.#saidMs < drawMs && !isEnd) return
      this.#draw(barOf(this.#far(done, now), this.#sink.columns || 80))
    } else {
      const tenth = total ? Math.floor((10 * done) / total) : 0
      const isDue = total ? tenth > this.#tenth : now - this.#saidMs >= lineMs && done > 0
      if (!isDue) return
      this.#tenth = tenth
      this.#sink.write(`${lineOf(this.#far(done, now))}\n`)
    }
    this.#saidMs = now
  }

  /** Takes the bar away for a moment, so that something else can be written. */
  clear(): void {
    if (this.#isDrawn) this.#sink.write('\r\u001b[2K')
    this.#isDrawn = false
  }

  /** Leaves the bar as it stands, and the line below it to whoever comes next. */
  end(): void {
    if (this.#isDrawn) this.#sink.write('\n')
    this.#isDrawn = false
  }

  #draw(text: string): void {
    this.#sink.write(`\r${text}\u001b[K`)
    this.#isDrawn = true
  }

  #far(done: number, now: number): Far {
    return { done, total: this.#total, unit: this.#unit, elapsedMs: now - this.#beganMs }
  }
}

/** `1200 of 5000 orders (24 %)`; without a total what is done alone. */
export function lineOf({ done, total, unit }: Far): string {
  if (total === undefined) return `${done} ${unit}`
  return `${done} of ${total} ${unit} (${percentOf({ done, total })} %)`
}

/** `█████░░░░░  50 %  1200 of 2400 orders  0:07 left`, in one line of the terminal. */
export function barOf(far: Far, columns: number): string {
  const { done, total, elapsedMs } = far
  if (total === undefined) return `${lineOf(far)}  ${clockOf(elapsedMs)}`.slice(0, columns - 1)
  const width = Math.max(5, Math.min(30, columns - 50))
  const full = Math.floor((width * Math.min(done, total)) / Math.max(total, 1))
  const leftMs = done > 0 ? (elapsedMs / done) * Math.max(0, total - done) : undefined
  const left =
    done >= total ? clockOf(elapsedMs) : leftMs === undefined ? '' : `${clockOf(leftMs)} left`
  const bar = '█'.repeat(full) + '░'.repeat(width - full)
  const percent = `${percentOf({ done, total })} %`.padStart(5)
  return `${bar} ${percent}  ${done} of ${total} ${far.unit}  ${left}`
    .trimEnd()
    .slice(0, columns - 1)
}

function percentOf({ done, total }: { done: number; total: number }): number {
  return total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total))
}

function clockOf(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
