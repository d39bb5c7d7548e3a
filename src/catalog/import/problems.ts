/** The files of a catalog, with one JSON object per line. */
export const catalogFiles = ['categories', 'attributes', 'domains'] as const
export type CatalogFile = (typeof catalogFiles)[number]

/** The files that an import may have: those of a catalog, or a list of aliases. */
export const importFiles = [...catalogFiles, 'aliases'] as const
export type ImportFile = (typeof importFiles)[number]

/** A position in a file. Lines begin at 1; null means the whole file. */
export interface LinePosition {
  file: ImportFile
  line: number | null
}

/** A problem of a catalog: its position, its field and the expectation. */
export interface Problem extends LinePosition {
  field: string
  message: string
}

/** Limit of listed problems. More of them usually have one cause. */
const maxListedProblems = 100

/** The problems of a catalog, collected so that all can be corrected at once. */
export class Problems {
  readonly #listed: Problem[]
  #count: number

  /** Starts with a copy of `before`. */
  constructor(before?: Problems) {
    this.#listed = [...(before ? before.#listed : [])]
    this.#count = before ? before.#count : 0
  }

  /** Adds a problem. `expected` completes the word "expected", as in `a category of this file`. */
  add({ file, line }: LinePosition, field: string, expected: string): void {
    this.#count++
    if (this.#listed.length === maxListedProblems) return
    this.#listed.push({ file, line, field, message: `expected ${expected}` })
  }

  /** The number of problems, including those that are not listed. */
  get count(): number {
    return this.#count
  }

  /** The first 100 problems, by file and line. */
  get all(): readonly Problem[] {
    const rank = ({ file, line }: Problem) => importFiles.indexOf(file) * 1e9 + (line ?? 0)
    return this.#listed.toSorted((a, b) => rank(a) - rank(b))
  }
}

/** Formats a problem: `categories, line 3, parent: expected …`. */
export function formatProblem({ file, line, field, message }: Problem): string {
  const at = line === null ? file : `${file}, line ${line}`
  return `${at}, ${field}: ${message}`
}

/** Quotes a value for a message, shortened to 80 characters. */
export function quoted(text: string): string {
  return text.length > 80 ? `"${text.slice(0, 80)}…"` : `"${text}"`
}
