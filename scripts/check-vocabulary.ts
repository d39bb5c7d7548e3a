import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import jsTokens from 'js-tokens'

/**
 * Refuses words in identifiers, file names and pages for which docs/glossary.md has another one. Part of
 * `npm run check`.
 *
 * Names with an underscore are left alone: they are columns, and fields of the HTTP interface. Strings and comments
 * are not looked at.
 */
const oldWords: Readonly<Record<string, string>> = {
  basket: 'itemSet',
  baskets: 'itemSets',
  deed: 'action',
  deeds: 'actions',
  fence: 'leaseEpoch',
  intake: 'adminRoutes',
  lane: 'queue',
  lanes: 'queues',
  lesson: 'trainingExample',
  lessons: 'trainingExamples',
  settler: 'outcomeWriter',
  shelf: 'servedCatalog',
  unaccepted: 'pendingRetries',
  untold: 'unnotified',
}

/** Names of types that say nothing of what they hold. */
const emptyTypes = new Set(
  `Among Around Asked Asking Bargain Circumstances Deal Drafted Drawn Fate Found
    Given Gone Good Grown Heard Held Judging Kept Known Land Lead
    Leg Made Manner Material Meant Met Narrowed One Place Reached Reading
    Said Saying Seen Some Sought Speaking Spoken Standing Talk Taught Told
    Town Wanted Way Weather Whence Who Within Wording World Written`.split(/\s+/),
)

/** Identifiers that are names of tables, columns or published derivations, by file. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'bench/market/counts.ts': ['basket'],
  'bench/': ['intake'],
  'src/app/derivations.ts': ['lessons', 'basket'],
  'src/orders/store.ts': ['basket'],
  // The former name of a field of the HTTP interface.
  'src/notifications/explain/routes.ts': ['lane'],
  'src/notifications/former-names.test.ts': ['lane'],
  'src/notifications/delivery/queue-dispatch.test.ts': ['fence'],
  'test/old-data/': ['lessons', 'lanes', 'unaccepted', 'basket'],
  'test/simulation/': ['fence', 'lane', 'lanes', 'unaccepted'],
}

const patterns = [
  'src/**/*.ts',
  'client/*.ts',
  'console/src/**/*.{ts,tsx}',
  'bench/**/*.ts',
  'test/**/*.ts',
  'examples/*.ts',
  'scripts/**/*.ts',
]

/** Old words of prose, and references to sections of a document that the reader does not have. */
const oldProse =
  /\b(lanes?|baskets?|fences?|settlers?|unaccepted|lessons?|catalogues?|behaviour|contract \d\.\d)\b/i
const pages = [
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'bench/results/*.md',
  'docs/{command-line,configuration,contract,errors}.md',
  'docs/decisions/*.md',
]

const problems: string[] = []
for (const file of globSync(patterns)) {
  if (file === 'scripts/check-vocabulary.ts') continue
  const isAllowed = (word: string) =>
    Object.entries(allowed).some(
      ([prefix, words]) => file.startsWith(prefix) && words.includes(word),
    )
  for (const word of wordsOf(basename(file).replaceAll('-', ' '))) {
    const term = termFor(word)
    if (term && !isAllowed(word)) problems.push(`${file}: a file named by "${word}": ${term}`)
  }
  for (const { name, line } of identifiersOf(readFileSync(file, 'utf8'), file)) {
    for (const word of wordsOf(name)) {
      const term = termFor(word)
      if (term && !isAllowed(word)) problems.push(`${file}:${line} ${name}: "${word}" is ${term}`)
    }
    if (emptyTypes.has(name)) problems.push(`${file}:${line} ${name}: name it after what it holds`)
  }
}
for (const file of globSync(pages)) {
  // Code names tables and paths that are older than the glossary, and links name files.
  const prose = readFileSync(file, 'utf8').replace(
    /```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\)/g,
    (code) => code.replace(/[^\n]/g, ' '),
  )
  for (const [index, line] of prose.split('\n').entries()) {
    const [word] = oldProse.exec(line) ?? []
    if (word) problems.push(`${file}:${index + 1} "${word}": docs/glossary.md has another word`)
  }
}
for (const problem of new Set(problems)) console.error(problem)
if (problems.length > 0) {
  console.error(`${new Set(problems).size} names use words that docs/glossary.md replaces`)
  process.exitCode = 1
}

function termFor(word: string): string | undefined {
  return Object.hasOwn(oldWords, word) ? oldWords[word] : undefined
}

/** Splits `leaseEpochOf` into `lease`, `epoch` and `of`. */
function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase())
}

function identifiersOf(source: string, file: string): { name: string; line: number }[] {
  const names: { name: string; line: number }[] = []
  let line = 1
  for (const token of jsTokens(source, { jsx: file.endsWith('x') })) {
    const isName = token.type === 'IdentifierName' || token.type === 'PrivateIdentifier'
    if (isName && !token.value.includes('_')) {
      names.push({ name: token.value.replace('#', ''), line })
    }
    line += token.value.split('\n').length - 1
  }
  return names
}
