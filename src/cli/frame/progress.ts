/** The part of a stream that commands use. */
export interface OutputStream {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

/** Interval between drawings of the bar, and between lines without a terminal and a total. */
const drawMs = 100
const lineMs = 10_000

interface ProgressState {
  done: number
  total: number | undefined
  unit: string
  elapsedMs: number
}

/** Progress of long work: a bar in a terminal, elsewhere a line for every tenth, or every 10 s without a total. */
export class Progress {
  readonly #sink: OutputStream
  readonly #unit: string
  #total: number | undefined
  readonly #now: () => number
  readonly #beganMs: number
  #lastOutputMs = Number.NEGATIVE_INFINITY
  #tenth = 0
  #isDrawn = false

  constructor(
    sink: OutputStream,
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

  /** Reports that `done` of `total` units are done. */
  update(done: number, total = this.#total): void {
    this.#total = total
    const now = this.#now()
    const isEnd = total !== undefined && done >= total
    if (this.#sink.isTTY) {
      if (now - this.#lastOutputMs < drawMs && !isEnd) return
      this.#draw(barOf(this.#stateAt(done, now), this.#sink.columns || 80))
    } else {
      const tenth = total ? Math.floor((10 * done) / total) : 0
      const isDue = total ? tenth > this.#tenth : now - this.#lastOutputMs >= lineMs && done > 0
      if (!isDue) return
      this.#tenth = tenth
      this.#sink.write(`${progressLine(this.#stateAt(done, now))}\n`)
    }
    this.#lastOutputMs = now
  }

  /** Erases the bar, so that another line can be printed. */
  clear(): void {
    if (this.#isDrawn) this.#sink.write('\r\u001b[2K')
    this.#isDrawn = false
  }

  /** Leaves the bar as it is and moves to the next line. */
  end(): void {
    if (this.#isDrawn) this.#sink.write('\n')
    this.#isDrawn = false
  }

  #draw(text: string): void {
    this.#sink.write(`\r${text}\u001b[K`)
    this.#isDrawn = true
  }

  #stateAt(done: number, now: number): ProgressState {
    return { done, total: this.#total, unit: this.#unit, elapsedMs: now - this.#beganMs }
  }
}

/** Formats `1200 of 5000 orders (24 %)`, or `1200 orders` without a total. */
function progressLine({ done, total, unit }: ProgressState): string {
  if (total === undefined) return `${done} ${unit}`
  return `${done} of ${total} ${unit} (${percentOf({ done, total })} %)`
}

/** Formats `█████░░░░░  50 %  1200 of 2400 orders  0:07 left`, cut to one line of the terminal. */
export function barOf(state: ProgressState, columns: number): string {
  const { done, total, elapsedMs } = state
  if (total === undefined)
    return `${progressLine(state)}  ${clockOf(elapsedMs)}`.slice(0, columns - 1)
  const width = Math.max(5, Math.min(30, columns - 50))
  const full = Math.floor((width * Math.min(done, total)) / Math.max(total, 1))
  const leftMs = done > 0 ? (elapsedMs / done) * Math.max(0, total - done) : undefined
  const time =
    done >= total ? clockOf(elapsedMs) : leftMs === undefined ? '' : `${clockOf(leftMs)} left`
  const bar = '█'.repeat(full) + '░'.repeat(width - full)
  const percent = `${percentOf({ done, total })} %`.padStart(5)
  return `${bar} ${percent}  ${done} of ${total} ${state.unit}  ${time}`
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
