import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { foldMessageText } from '../fold/fold.ts'

/** The folder of the word lists: package data, beside `src` and `dist`. */
export const listFolder = fileURLToPath(new URL('../../../moderation/lists/', import.meta.url))

/** The lists of phrases, then those of words. */
const listNames = [
  'claims',
  'language',
  'networks',
  'payments',
  'personal-data',
  'domains',
  'names',
  'numbers',
  'numerals',
  'spelling',
] as const
export type ListName = (typeof listNames)[number]

/** A word list is wrong. The message names the file and the line. */
export class ModerationListError extends Error {
  override name = 'ModerationListError'

  constructor(file: string, line: number, problem: string) {
    super(`moderation/lists/${file}, line ${line}: ${problem}`)
  }
}

export interface ListFile {
  /** Such as `payments.es-AR.txt`. */
  file: string
  /** `es` or `pt`; empty when its words belong to no language. */
  language: string
  lines: readonly ListLine[]
}

/** A line that is neither empty nor a comment, with those that continue it. */
interface ListLine {
  /** Number of its first line in the file. */
  number: number
  /** Folded as messages are: lower case, without accents. */
  text: string
}

const fileName = /^([a-z-]+?)(?:\.(es|pt)(?:-([A-Z]{2}))?)?\.txt$/

/**
 * Reads the lists of a folder by name. Files without a language come first, then those of a language, then those of its
 * countries: of two phrases that match, the earlier one counts. Throws `ModerationListError` for a file that has no known list.
 */
export function readListFiles(folder: string): Readonly<Record<ListName, readonly ListFile[]>> {
  const files = new Map<string, ListFile[]>(listNames.map((list) => [list, []]))
  const orderOf = (file: string) => file.replace(/\.txt$/, '')
  const names = readdirSync(folder).sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
  for (const file of names) {
    const ofList = files.get(fileName.exec(file)?.[1] ?? '')
    if (!ofList)
      throw new ModerationListError(file, 1, `expected one of ${listNames.join(', ')} as the name`)
    ofList.push(listFile(file, readFileSync(join(folder, file), 'utf8')))
  }
  return Object.fromEntries(files) as Record<ListName, ListFile[]>
}

/** Returns a file of a list from its name and text. */
export function listFile(file: string, text: string): ListFile {
  const language = fileName.exec(file)?.[2] ?? ''
  return { file, language, lines: linesOf(text) }
}

function linesOf(text: string): ListLine[] {
  const lines: ListLine[] = []
  for (const [index, raw] of text.split('\n').entries()) {
    const written = foldMessageText(raw).text.trimEnd()
    const last = lines.at(-1)
    if (written === '' || isComment(written)) continue
    if (last && /^\s/.test(written)) {
      last.text += last.text.endsWith('|') ? written.trim() : ` ${written.trim()}`
    } else lines.push({ number: index + 1, text: written.trim() })
  }
  return lines
}

/** No phrase begins with a number, so a line that begins with its sign is a comment. */
function isComment(line: string): boolean {
  return line.startsWith('#')
}
