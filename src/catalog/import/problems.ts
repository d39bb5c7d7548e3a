/** The files that a catalogue is written in, a line of JSON for each thing. */
export const catalogFiles = ['categories', 'attributes', 'domains'] as const
export type CatalogFile = (typeof catalogFiles)[number]

/** Where something stands: `line` from 1, or null for the file as a whole. */
export interface LinePosition {
  file: CatalogFile
  line: number | null
}

/** What is wrong with a catalogue: where, in which field, and what was expected there. */
export interface Problem extends LinePosition {
  field: string
  message: string
}

/** So many are told of; who has more has made one mistake many times. */
export const mostProblems = 100

/** Everything that is wrong, gathered so that it can be mended at once. */
export class Problems {
  readonly #told: Problem[]
  #count: number

  /** Goes on where `before` stands, which stays as it is. */
  constructor(before?: Problems) {
    this.#told = [...(before ? before.#told : [])]
    this.#count = before ? before.#count : 0
  }

  /** `expected` goes on behind that word, as everywhere: `a category of this file`. */
  add({ file, line }: LinePosition, field: string, expected: string): void {
    this.#count++
    if (this.#told.length === mostProblems) return
    this.#told.push({ file, line, field, message: `expected ${expected}` })
  }

  /** How many there are, those that are not told included. */
  get count(): number {
    return this.#count
  }

  /** The first hundred, by file and line. */
  get all(): readonly Problem[] {
    const rank = ({ file, line }: Problem) => catalogFiles.indexOf(file) * 1e9 + (line ?? 0)
    return this.#told.toSorted((a, b) => rank(a) - rank(b))
  }
}

/** `categories, line 3, parent: expected …` */
export function sayProblem({ file, line, field, message }: Problem): string {
  const at = line === null ? file : `${file}, line ${line}`
  return `${at}, ${field}: ${message}`
}

/** A value of a file, quoted for a message, and not too much of it. */
export function quoted(text: string): string {
  return text.length > 80 ? `"${text.slice(0, 80)}…"` : `"${text}"`
}
