import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isReadModel, isStore } from './harness/sql-templates.ts'

/**
 * The shape of the code (ARCHITECTURE.md), each rule with its reason. Tests are free to reach
 * anywhere; everything else under `src` is held to all of it.
 */
const root = fileURLToPath(new URL('../', import.meta.url))
const findFiles = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.includes('node_modules/'))
    .sort()
const isTest = (file: string) => file.endsWith('.test.ts')
const sources = findFiles('src/**/*.ts').filter((file) => !isTest(file))
// What is published apart from the program, and what shows how to use it.
const around = findFiles('{client,examples}/*.ts').filter((file) => !isTest(file))
const consoleSources = findFiles('console/**/*.{ts,tsx}')
const texts = new Map(
  [
    ...findFiles('{src,test,bench}/**/*.ts'),
    ...findFiles('{client,examples}/*.ts'),
    ...consoleSources,
  ].map((file) => [file, read(file)]),
)

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** The source without its comments, so that prose is not taken for code. */
function codeOf(file: string): string {
  const text = texts.get(file) ?? ''
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

/** The files of ours that a file imports, types included. */
function importsOf(file: string): string[] {
  const imports = codeOf(file).matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)
  return [...imports].map(([, to]) =>
    normalize(join(dirname(file), to ?? '')).replaceAll('\\', '/'),
  )
}

const modules = [
  'kernel',
  'moderation',
  'predictor',
  'platform',
  'http',
  'audit',
  'identity',
  'operators',
  'changes',
  'catalog',
  'listings',
  'questions',
  'shipments',
  'claims',
  'orders',
  'feedback',
  'messages',
  'notifications',
  'exports',
  'imports',
  'jobs',
  'sandbox',
  'personal-data',
  'app',
  'conform',
  'cli',
]
const moduleOf = (file: string) => file.split('/')[1] ?? ''

/** Fails with every breach at once and the reason of the rule. */
function assertNoBreaches(breaches: string[], reason: string): void {
  assert.deepEqual(breaches, [], `${reason}\n  ${breaches.join('\n  ')}\n`)
}

test('the rules see the code: sources, modules and imports are found', () => {
  assert.ok(sources.length > 50)
  assert.ok(importsOf('src/app/servers.ts').includes('src/http/server/server.ts'))
  assert.ok(sources.some((file) => moduleOf(file) === 'cli'))
})

test('every folder of src is a module that the order knows', () => {
  assertNoBreaches(
    [...new Set(sources.map(moduleOf))].filter((module) => !modules.includes(module)),
    'A module without a place in the order could import anything: give it its place in this test and in ARCHITECTURE.md.',
  )
})

test('a module imports only modules to its left', () => {
  const rank = (file: string) => modules.indexOf(moduleOf(file))
  assertNoBreaches(
    sources.flatMap((file) =>
      importsOf(file)
        .filter((to) => rank(to) > rank(file))
        .map((to) => `${file} imports ${to}`),
    ),
    `Who reads a module needs to know only those before it (${modules.join(' < ')}).`,
  )
})

test('the console imports nothing of the program but the types of its interface', () => {
  const types = 'console/src/api/types.ts'
  assertNoBreaches(
    consoleSources.flatMap((file) =>
      importsOf(file)
        .filter((to) => !to.startsWith('console/'))
        .filter((to) => file !== types || to !== 'client/operations.ts')
        .map((to) => `${file} imports ${to}`),
    ),
    'It talks to the HTTP interface as any client does: what it could not do that way, nobody could.',
  )
  const imports = [...codeOf(types).matchAll(/^(?:import|export) .*$/gm)].map(([line]) => line)
  assertNoBreaches(
    imports.filter((line) => !/^(?:import|export) type /.test(line)),
    `${types} has types only, so that the bundle has nothing of the client.`,
  )
})

test('moderation and the predictor import nothing of the program but the kernel', () => {
  assertNoBreaches(
    sources
      .filter((file) => ['moderation', 'predictor'].includes(moduleOf(file)))
      .flatMap((file) => importsOf(file).map((to) => ({ file, to })))
      .filter(({ file, to }) => moduleOf(to) !== moduleOf(file) && moduleOf(to) !== 'kernel')
      .map(({ file, to }) => `${file} imports ${to}`),
    'They judge a text from the text and its context alone, so that anybody can run and test them without a server.',
  )
})

test('the checks of the contract import nothing of the program', () => {
  assertNoBreaches(
    sources
      .filter((file) => moduleOf(file) === 'conform')
      .flatMap((file) => importsOf(file).map((to) => ({ file, to })))
      .filter(({ to }) => !to.startsWith('src/conform/'))
      .map(({ file, to }) => `${file} imports ${to}`),
    'They judge any server by its HTTP interface. What they shared with this one, it could not get wrong.',
  )
})

/** Libraries inside the repository, and the files that are their interface. */
const libraryInterfaces: Readonly<Record<string, readonly string[]>> = {
  'src/conform/': ['conform.ts', 'http-client.ts', 'result.ts'],
  'src/moderation/': [
    'built-in-rules.ts',
    'decision.ts',
    'moderate.ts',
    'reason.ts',
    'terms.ts',
    // How a text is read, for whoever compares texts.
    'fold/fold.ts',
    'text/words.ts',
  ],
  'src/predictor/': [
    'catalog-predictor.ts',
    'predictor.ts',
    // Why and how probably a category is right.
    'confidence.ts',
    'explanation.ts',
    'source.ts',
    'offered-values.ts',
    'tables.ts',
    // The parts of a title that may be attribute values.
    'values.ts',
    // What is learned from listings, for whoever trains, saves and loads it.
    'model/features.ts',
    'model/encoding.ts',
    'model/trained-model.ts',
    // How a text is read, for the search of listings.
    'title/tokenize.ts',
    'title/words.ts',
    'title/word-files.ts',
    'units.ts',
  ],
  'src/sandbox/demo/': [
    'demo.ts',
    'ids.ts',
    'load.ts',
    'sale-action.ts',
    'sale-draft.ts',
    'users.ts',
  ],
}

test('a library is imported by its interface only', () => {
  assertNoBreaches(
    Object.entries(libraryInterfaces).flatMap(([folder, files]) =>
      sources
        .filter((file) => !file.startsWith(folder))
        .flatMap((file) => importsOf(file).map((to) => ({ file, to })))
        .filter(({ to }) => to.startsWith(folder) && !files.includes(to.slice(folder.length)))
        .map(({ file, to }) => `${file} imports ${to}`),
    ),
    'What lies behind an interface of a few functions can change without anybody else.',
  )
})

test('no source imports a test, the harness or the bench', () => {
  assertNoBreaches(
    sources.flatMap((file) =>
      importsOf(file)
        .filter((to) => !to.startsWith('src/') || isTest(to))
        .map((to) => `${file} imports ${to}`),
    ),
    'What is published holds src only.',
  )
})

test('no file imports itself by way of others', () => {
  assertNoBreaches(
    [...sources, ...around].flatMap((file) => cycleThrough(file)),
    'Files in a circle can only be understood, tested and moved together.',
  )
})

test('the client needs nothing of the program, and the program only its types, in what calls the interface', () => {
  const inClient = (file: string) => file.startsWith('client/')
  assertNoBreaches(
    [...sources, ...around].flatMap((file) =>
      importsOf(file)
        .filter((to) => inClient(to) !== inClient(file))
        .map((to) => `${file} imports ${to}`),
    ),
    'It is published for programs that have no server with them; examples import it by its name.',
  )
  const imports = sources.flatMap((file) =>
    [...codeOf(file).matchAll(/^import (type )?\{[^}]*\} from 'feria\/client'/gm)].map(
      ([, type]) => ({ file, isType: type !== undefined }),
    ),
  )
  assert.ok(imports.length > 0, 'imports by name are found')
  assertNoBreaches(
    imports
      .filter(({ file, isType }) => !['cli', 'conform'].includes(moduleOf(file)) || !isType)
      .map(({ file, isType }) => `${file} imports ${isType ? 'types' : 'values'}`),
    'The command line and the checks call the interface as any client does. At run time they need nothing of the client.',
  )
})

/** A way from a file back to it, written from its first file in the alphabet, so that it shows once. */
function cycleThrough(start: string): string[] {
  const visited = new Set<string>()
  const walk = (file: string, way: string[]): string[] => {
    for (const to of importsOf(file)) {
      if (to === start) return [[...way, to].join(' → ')]
      if (to < start || visited.has(to)) continue
      visited.add(to)
      const cycle = walk(to, [...way, to])
      if (cycle.length > 0) return cycle
    }
    return []
  }
  return walk(start, [start])
}

test('SQL stands in stores and read models only', () => {
  // platform/database is the tool that runs it, platform/postgres sets up the server itself.
  const isDatabaseTool = (file: string) => /^src\/platform\/(database|postgres)\//.test(file)
  const mayHold = (file: string) => isStore(file) || isReadModel(file) || isDatabaseTool(file)
  const statement =
    /\bsql`|\.query\(|['"`]\s*(select|insert into|update(?! an? )|delete from|(create|alter|drop) table|truncate)\s/i
  assertNoBreaches(
    sources.filter((file) => !mayHold(file) && statement.test(codeOf(file))),
    "Who looks for a module's SQL, or for who touches a table, has two kinds of files to read.",
  )
})

test('no file is named for being useful', () => {
  const bucket = /^(utils?|helpers?|common|misc|shared|lib)\b/i
  assertNoBreaches(
    [...texts.keys()].filter((file) => file.split('/').some((part) => bucket.test(part))),
    'Such a name keeps nothing out. What a function is about says where it lives.',
  )
})

test('no file only passes on what others export', () => {
  const passesOn = /^\s*export\s+(type\s+)?(\*|\{[^}]*\})(\s+as\s+\w+)?\s+from\b.*$/gm
  assertNoBreaches(
    sources.filter((file) => basename(file) === 'index.ts' || passesOn.test(codeOf(file))),
    'A barrel hides where a thing lives and ties circles: import the file itself.',
  )
})

/** Folders that import each other, each with its reason. */
const mutualFolders: Readonly<Record<string, string>> = {
  'src/messages, src/messages/send':
    'the routes of reading and sending are one list, and both show a message in the same way',
  'src/orders/commands, src/orders/commands/chargebacks':
    'a charge-back is decided apart and committed like any change of an order',
  'src/platform, src/platform/database':
    'the context names the database, which uses timers and the log',
}

test('folders do not import each other, but for those with a reason', () => {
  const imported = new Map<string, Set<string>>()
  for (const file of sources) {
    const folder = dirname(file)
    const targets = imported.get(folder) ?? new Set()
    imported.set(folder, targets)
    for (const to of importsOf(file)) if (dirname(to) !== folder) targets.add(dirname(to))
  }
  const pairs = [...imported].flatMap(([folder, targets]) =>
    [...targets].flatMap((other) =>
      folder < other && imported.get(other)?.has(folder) ? [`${folder}, ${other}`] : [],
    ),
  )
  assert.deepEqual(pairs.toSorted(), Object.keys(mutualFolders).toSorted())
})

test('the state of a process is a field of its context', () => {
  const isHidden = /new Weak(Map|Set)<(object|Context|Database|Signals)\b|\b(ctx|context): object\b/
  assertNoBreaches(
    sources.filter((file) => isHidden.test(codeOf(file))),
    'State that is found by the identity of a context is lost with `{ ...ctx }`, and no type tells that it is needed.',
  )
})

test('chaos builds on the benchmarks, they on the test harness, and it on neither', () => {
  const mayImport: Readonly<Record<string, RegExp>> = {
    'bench/': /^(src|client|bench|test\/harness)\//,
    'test/harness/': /^(src|client|console\/src|test\/harness)\//,
  }
  assertNoBreaches(
    Object.entries(mayImport).flatMap(([folder, allowed]) =>
      [...texts.keys()]
        .filter((file) => file.startsWith(folder))
        .flatMap((file) =>
          importsOf(file)
            .filter((to) => !allowed.test(to) && !to.endsWith('package.json'))
            .map((to) => `${file} imports ${to}`),
        ),
    ),
    'Two tools that need each other cannot be understood apart.',
  )
})

test('time and chance enter through the context', () => {
  // app/context.ts makes the context; sandbox/clock.ts is the clock that it puts in there. A UUID is no chance
  // that a test could want to repeat.
  const mayAsk = /^src\/(platform|cli)\/|^src\/app\/context\.ts$|^src\/sandbox\/clock\.ts$/
  const asks = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandom(Bytes|Int)\(/
  assertNoBreaches(
    sources.filter((file) => !mayAsk.test(file) && asks.test(codeOf(file))),
    'What reads the clock or throws dice by itself can be neither moved in time nor repeated by a test.',
  )
})

test('only the program that was started ends the process', () => {
  const mayEnd = /^src\/cli\/|^src\/platform\/lifecycle\.ts$/
  assertNoBreaches(
    sources.filter((file) => !mayEnd.test(file) && /\bprocess\.exit\(/.test(codeOf(file))),
    'Whoever ends the process skips the orderly stop of everybody else.',
  )
})

test('the environment is read by the command line only', () => {
  // platform/postgres hands the environment on to the programs of PostgreSQL.
  const mayRead = /^src\/(cli|platform\/postgres)\//
  assertNoBreaches(
    sources.filter((file) => !mayRead.test(file) && /\bprocess\.env\b/.test(codeOf(file))),
    'A setting read elsewhere is missing from the list of settings and from the report of mistakes.',
  )
})
