import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contractSections, type Section, silentSections } from '../harness/contract.ts'

/**
 * docs/contract.md: the promises are written by hand under a heading per section; what stands inside
 * `<details>` is written by `npm run contract` from the tests that call `contract(…)`.
 */
const root = fileURLToPath(new URL('../../', import.meta.url))
export const pagePath = join(root, 'docs/contract.md')
export const contractCommand = 'npm run contract'

const sections: readonly Section[] = [...contractSections, ...silentSections]

/** A test that holds sections of the contract. */
export interface Guarantee {
  /** `…` stands for what differs from case to case. */
  name: string
  sections: Section[]
  /** Relative to the root, with slashes. */
  file: string
  tier: 'fast' | 'slow'
}

export interface ContractPromise {
  section: string
  text: string
}

const literal = String.raw`'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|\u0060((?:[^\u0060\\]|\\.)+)\u0060`
const call = RegExp(
  String.raw`(?<![\w.])contract\(\s*('[^']+'|\[[^\]]+\]),\s*(?:${literal})\s*,`,
  'g',
)

/** Reads the guarantees of a test file without running it. Throws where a call cannot be read. */
export function guaranteesIn(file: string, source: string): Guarantee[] {
  const code = source.replace(/^\s*\/\/.*/gm, '')
  const calls = [...code.matchAll(call)]
  const count = [...code.matchAll(/(?<![\w.])contract\((?!\))/g)].length
  if (calls.length !== count)
    throw new Error(`${file}: contract() takes its sections and its name as literals`)
  return calls.map(([, tags = '', single, double, template]) => {
    const name = single ?? double ?? template?.replace(/\$\{[^}]*\}/g, '…') ?? ''
    return {
      name: name.replace(/\\(.)/g, '$1'),
      sections: [...tags.matchAll(/'([^']+)'/g)].map(([, tag]) => knownSection(file, tag ?? '')),
      file,
      tier: file.endsWith('.slow.test.ts') ? 'slow' : 'fast',
    }
  })
}

function knownSection(file: string, tag: string): Section {
  const section = sections.find((each) => each === tag)
  if (!section) throw new Error(`${file}: the contract has no section ${tag}`)
  return section
}

/** Reads the guarantees of all test files, ordered by file. */
export function readGuarantees(): Guarantee[] {
  return globSync('{src,test,client,examples}/**/*.test.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .flatMap((file) => guaranteesIn(file, readFileSync(join(root, file), 'utf8')))
}

interface PageSection {
  /** A section of the contract, `sandbox`, or undefined for text that belongs to none. */
  section: string | undefined
  isSlowList: boolean
  /** Heading and text by hand. */
  text: string
}

/** Splits a page at its headings and drops what the command wrote. */
function pageSections(page: string): PageSection[] {
  return page
    .replace(/\n*^<details>$[\s\S]*?^<\/details>$\n*/gm, '\n\n')
    .split(/^(?=#)/m)
    .map((text) => ({
      section:
        /^##+ (\d\.\d+|\d(?=\. )|Errors|Orders|Messages|Notifications|Users|Catalog|Leniency|Sandbox)\b/
          .exec(text)?.[1]
          ?.toLowerCase(),
      isSlowList: text.startsWith('## Slow guarantees'),
      text: text.trim(),
    }))
}

/** Returns the promises of a page in their order. */
export function promisesOf(page: string): ContractPromise[] {
  return pageSections(page).flatMap(({ section, text }) =>
    section === undefined
      ? []
      : [...text.matchAll(/^- (.+)$/gm)].map(([, line]) => ({ section, text: line ?? '' })),
  )
}

/** Returns the sections that have a heading on the page, in their order. */
export function headingsOf(page: string): string[] {
  return pageSections(page).flatMap(({ section }) => section ?? [])
}

/** Returns the page with its lists of guarantees written anew; what is written by hand stays. */
export function renderPage(page: string, guarantees: Guarantee[]): string {
  const parts = pageSections(page).map(({ section, isSlowList, text }) => {
    const held = guarantees.filter((each) =>
      isSlowList ? each.tier === 'slow' : each.sections.some((tag) => tag === section),
    )
    return held.length > 0 ? `${text}\n\n${listOf(held)}` : text
  })
  return `${parts.join('\n\n')}\n`
}

function listOf(guarantees: Guarantee[]): string {
  const files = Map.groupBy(guarantees, ({ file }) => file)
  const lines = [...files].flatMap(([file, held]) => [
    `- [${file}](../${file})${held[0]?.tier === 'slow' ? ', slow' : ''}`,
    ...new Set(held.map(({ name }) => `  - ${name.replace(/[<>*`[\]\\]/g, '\\$&')}`)),
  ])
  return [
    '<details>',
    `<summary>${guaranteeSummary(guarantees)}</summary>`,
    '',
    ...lines,
    '',
    '</details>',
  ].join('\n')
}

/** Counts guarantees by tier: `12 guarantees, 2 of them slow`. */
export function guaranteeSummary(guarantees: Guarantee[]): string {
  const slow = guarantees.filter(({ tier }) => tier === 'slow').length
  const count = guarantees.length === 1 ? '1 guarantee' : `${guarantees.length} guarantees`
  return slow > 0 ? `${count}, ${slow} of them slow` : count
}
