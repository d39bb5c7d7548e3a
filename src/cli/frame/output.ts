import { styleText } from 'node:util'
import { type OutputStream, Progress } from './progress.ts'

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow'

/** The output of a command. With `--json`, standard output holds only JSON, and text goes to standard error. */
export class Output {
  readonly isJson: boolean
  readonly #stdout: OutputStream
  readonly #stderr: OutputStream
  readonly #hasColor: (sink: OutputStream) => boolean

  constructor(
    { stdout, stderr }: { stdout: OutputStream; stderr: OutputStream },
    { isJson, env }: { isJson: boolean; env: Readonly<Record<string, string | undefined>> },
  ) {
    this.isJson = isJson
    this.#stdout = stdout
    this.#stderr = stderr
    const allowsColor = !env['NO_COLOR'] && env['TERM'] !== 'dumb'
    this.#hasColor = ({ isTTY }) => allowsColor && isTTY === true
  }

  /** Prints a line of text. */
  print = (line: string): void => {
    this.#words.write(`${line}\n`)
  }

  /** Prints a line that is not part of the result, such as progress or a hint, to standard error. */
  printNote = (line: string): void => {
    this.#stderr.write(`${line}\n`)
  }

  /** Prints a result: one JSON value on its own line, or the lines of `words`. */
  printResult(value: unknown, words: () => string | readonly string[]): undefined {
    if (this.isJson) this.write(`${JSON.stringify(value)}\n`)
    else for (const line of [words()].flat()) this.print(line)
  }

  /** Writes text to standard output unchanged. */
  write(text: string): undefined {
    this.#stdout.write(text)
  }

  /** Returns the text, colored if it goes to a terminal that allows color. */
  paint(style: Style, words: string): string {
    if (!this.#hasColor(this.#words)) return words
    return styleText(style, words, { validateStream: false })
  }

  progress(options: { unit: string; total?: number }): Progress {
    return new Progress(this.#stderr, options)
  }

  get #words(): OutputStream {
    return this.isJson ? this.#stderr : this.#stdout
  }
}

/** Aligns rows in columns. The last column is not padded. */
export function alignColumns(rows: readonly (readonly string[])[], gap = 2): string[] {
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
