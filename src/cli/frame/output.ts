import { styleText } from 'node:util'
import { Progress, type Sink } from './progress.ts'

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow'

/** Where a command says what it does. With `--json` standard output holds JSON alone, and words for
 * people go to standard error. */
export class Output {
  readonly isJson: boolean
  readonly #stdout: Sink
  readonly #stderr: Sink
  readonly #hasColour: (sink: Sink) => boolean

  constructor(
    { stdout, stderr }: { stdout: Sink; stderr: Sink },
    { isJson, env }: { isJson: boolean; env: Readonly<Record<string, string | undefined>> },
  ) {
    this.isJson = isJson
    this.#stdout = stdout
    this.#stderr = stderr
    const mayHave = !env['NO_COLOR'] && env['TERM'] !== 'dumb'
    this.#hasColour = ({ isTTY }) => mayHave && isTTY === true
  }

  /** A line for people. */
  say = (line: string): void => {
    this.#words.write(`${line}\n`)
  }

  /** A line for people that is no part of the result: what goes on, what to mind. */
  note = (line: string): void => {
    this.#stderr.write(`${line}\n`)
  }

  /** A result, or one of those that stream: one JSON value on a line of its own, or these words. */
  show(value: unknown, words: () => string | readonly string[]): undefined {
    if (this.isJson) this.write(`${JSON.stringify(value)}\n`)
    else for (const line of [words()].flat()) this.say(line)
  }

  /** Text that is the result itself, as it is. */
  write(text: string): undefined {
    this.#stdout.write(text)
  }

  /** The words, coloured where lines for people go to a terminal that may show it. */
  paint(style: Style, words: string): string {
    if (!this.#hasColour(this.#words)) return words
    return styleText(style, words, { validateStream: false })
  }

  progress(of: { unit: string; total?: number }): Progress {
    return new Progress(this.#stderr, of)
  }

  get #words(): Sink {
    return this.isJson ? this.#stderr : this.#stdout
  }
}

/** Rows as columns that stand below each other; the last one is not filled up. */
export function columns(rows: readonly (readonly string[])[], gap = 2): string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, [...cell].length)
    }
  }
  const fill = (cell: string, index: number) =>
    cell + ' '.repeat((widths[index] ?? 0) - [...cell].length + gap)
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : fill(cell, index)))
      .join('')
      .trimEnd(),
  )
}
