import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a block is run against: a sandbox with demo data, an empty server in production mode, or the checkout. */
const targets = ['sandbox', 'production', 'checkout'] as const
export type Target = (typeof targets)[number]

/** A fenced block of a page. */
export interface Block {
  page: string
  /** Line of the opening fence, from 1. */
  line: number
  language: string
  text: string
  /** Why a command block is not run. */
  notRun?: string
  target: Target
  /** Runs in a terminal of its own until the page ends; ready once it has printed this. */
  terminal?: string
  /** Text that the block, or a terminal, prints; `…` stands for anything. */
  shows: string[]
  /** Statuses from 400 up that the block is answered with. */
  refused: number[]
  /** Name under which the text is saved for the blocks after it. */
  file?: string
  /** The answer that the page shows for it. */
  expected?: Block
}

const runLanguages = ['sh', 'bash', 'http', 'ts', 'js', 'php', 'python'] as const
/** A command block: to be run, or marked with the reason why not. */
export const isCommand = ({ language, text, file }: Block): boolean =>
  file === undefined &&
  runLanguages.some((run) => run === language) &&
  !(language === 'http' && text.startsWith('HTTP/'))

/** An answer that can be compared: JSON, or a status line with headers. */
const isAnswer = ({ language, text, file }: Block): boolean =>
  file === undefined && (language === 'json' || (language === 'http' && text.startsWith('HTTP/')))

const directives = ['not run', 'runs against', 'terminal', 'shows', 'refused', 'file'] as const
type Directive = (typeof directives)[number]

export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Generated from the table of commands. Its examples are compared with the table, and name things of the reader's. */
export const commandReference = 'docs/command-line.md'

/** Returns the pages whose commands must work. */
export function commandPages(): string[] {
  return ['README.md', ...globSync('docs/**/*.md', { cwd: root })]
    .filter((page) => !page.startsWith('docs/decisions/') && page !== commandReference)
    .sort()
}

export const blocksOfPage = (page: string): Block[] =>
  blocksOf(page, readFileSync(join(root, page), 'utf8'))

const openingPattern = /^( *)(`{3,}|~{3,})(\S*).*$/
const directivePattern = /^ *<!-- *([a-z ]+?)(?:: *(.*?))? *-->$/

/** Reads the fenced blocks of a page with the comments in front of them. Throws on a comment that it does not know. */
export function blocksOf(page: string, markdown: string): Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  let pending: [Directive, string][] = []
  /** Lines of text since the last block, until a heading makes it unrelated. */
  let between = Number.POSITIVE_INFINITY
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const comment = directivePattern.exec(line)
    const opening = openingPattern.exec(line)
    if (comment) {
      const [, name = '', value = ''] = comment
      const directive = directives.find((directive) => directive === name)
      if (directive) pending.push([directive, value])
    } else if (opening) {
      const [, indent = '', delimiter = '', language = ''] = opening
      const end = lines.findIndex((later, at) => at > index && later.trim() === delimiter)
      if (end < 0) throw new Error(`${page}:${index + 1}: the block has no end`)
      const text = lines
        .slice(index + 1, end)
        .map((each) => (each.startsWith(indent) ? each.slice(indent.length) : each))
        .join('\n')
      const block = withDirectives({ page, line: index + 1, language, text }, pending)
      const before = blocks.at(-1)
      if (isAnswer(block) && before && isCommand(before) && between <= 1) before.expected = block
      blocks.push(block)
      pending = []
      between = 0
      index = end
    } else if (line.trim() !== '') {
      if (pending.length > 0) {
        throw new Error(`${page}:${index + 1}: "${pending[0]?.[0]}" stands before no block`)
      }
      between = line.startsWith('#') ? Number.POSITIVE_INFINITY : between + 1
    }
  }
  return blocks
}

function withDirectives(
  position: Pick<Block, 'page' | 'line' | 'language' | 'text'>,
  pending: readonly [Directive, string][],
): Block {
  const valuesOf = (name: Directive) =>
    pending.filter(([directive]) => directive === name).map(([, value]) => value)
  const [notRun] = valuesOf('not run')
  const [terminal] = valuesOf('terminal')
  const [file] = valuesOf('file')
  const [named = 'sandbox'] = valuesOf('runs against')
  const target = targets.find((each) => each === named)
  const where = `${position.page}:${position.line}`
  if (!target) throw new Error(`${where}: there is no target "${named}"`)
  if (notRun === '') throw new Error(`${where}: "not run" needs a reason`)
  return {
    ...position,
    target,
    shows: valuesOf('shows'),
    refused: valuesOf('refused').flatMap((value) => value.split(/[, ]+/).map(Number)),
    ...(notRun === undefined ? {} : { notRun }),
    ...(terminal === undefined ? {} : { terminal }),
    ...(file === undefined ? {} : { file }),
  }
}
