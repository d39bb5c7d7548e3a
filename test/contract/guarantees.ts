import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contractSections, type Section, silentSections } from '../harness/contract.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
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

/** Counts guarantees by tier: `12 guarantees, 2 of them slow`. */
export function guaranteeSummary(guarantees: readonly Guarantee[]): string {
  const slow = guarantees.filter(({ tier }) => tier === 'slow').length
  const count = guarantees.length === 1 ? '1 guarantee' : `${guarantees.length} guarantees`
  return slow > 0 ? `${count}, ${slow} of them slow` : count
}
