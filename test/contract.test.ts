import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { routes } from '../src/app/routes.ts'
import { topics } from '../src/kernel/topics.ts'
import { orderStatuses } from '../src/orders/order.ts'

const at = (path: string) => fileURLToPath(new URL(`../docs/${path}`, import.meta.url))
const page = readFileSync(at('contract.md'), 'utf8')
const lines = page.split('\n')

interface Row {
  line: string
  section: string
  promise: string
  heldBy: string
}

/** Every line of a table but its head and the line under that. */
const rows: Row[] = lines
  .filter((line, index) => /^\|(?!---)/.test(line) && !/^\|---/.test(lines[index + 1] ?? ''))
  .map((line) => {
    const [section = '', promise = '', heldBy = '', ...more] = line.split('|').slice(1, -1)
    assert.deepEqual(more, [], line)
    return { line, section: section.trim(), promise: promise.trim(), heldBy: heldBy.trim() }
  })

const link = /\[`([^`]+)`\]\((\.\.\/[\w./-]+\.test\.ts)\)/g

function referencesIn(text: string): { name: string; path: string }[] {
  return [...text.matchAll(link)].map(([, name = '', path = '']) => ({ name, path }))
}

type Standing = 'held' | 'in part' | 'not yet'

function standingOf({ heldBy }: Row): Standing {
  if (referencesIn(heldBy).length === 0) return 'not yet'
  return heldBy.replace(link, '').includes('not yet') ? 'in part' : 'held'
}

const literal = String.raw`'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|\u0060([^\u0060\n]+)\u0060`

/** The names of a file's tests: what `test(`, `it(` and `t.test(` are called with, and the steps of a
 * table that is walked with `t.test(name, …)`. What differs from case to case of one name is `…`. */
function testNamesIn(source: string): Set<string> {
  const walksTable = /\bt\.test\(name\b/.test(source)
  const calls = [
    RegExp(String.raw`\b(?:test|it)\(\s*(?:${literal})`, 'g'),
    ...(walksTable ? [RegExp(String.raw`\[\s*(?:${literal}),\s*async \(`, 'g')] : []),
  ]
  return new Set(
    calls
      .flatMap((call) => [...source.replace(/^\s*\/\/.*/gm, '').matchAll(call)])
      .map(
        ([, single, double, back]) => single ?? double ?? back?.replace(/\$\{[^}]*\}/g, '…') ?? '',
      )
      .map((name) => name.replace(/\\(.)/g, '$1')),
  )
}

const sources = new Map<string, Set<string> | undefined>()

function testNamesOf(path: string): Set<string> | undefined {
  if (!sources.has(path)) {
    sources.set(
      path,
      existsSync(at(path)) ? testNamesIn(readFileSync(at(path), 'utf8')) : undefined,
    )
  }
  return sources.get(path)
}

test('docs/contract.md names tests that exist, under the names that they have', () => {
  const references = rows.flatMap(({ heldBy }) => referencesIn(heldBy))
  assert.ok(references.length > 100)
  const wrong = references
    .filter(({ name, path }) => !testNamesOf(path)?.has(name))
    .map(({ name, path }) =>
      testNamesOf(path) ? `${path} has no test "${name}"` : `${path} is not there`,
    )
  assert.deepEqual([...new Set(wrong)], [])
})

test('a test is found by its whole name only, be it called or walked as a step', () => {
  const source = `test('one', x)\nit("it's two", x)\nt.test(\`three\`, x)\ntest(\n  'fo\\'ur', x)
    const steps = [['five', async () => {}]]\n// test('six', x)\ntest(\`seven \${x(1)} (7)\`, x)\n`
  const named = ['one', "it's two", 'three', "fo'ur", 'seven … (7)']
  assert.deepEqual([...testNamesIn(source)], named)
  assert.deepEqual([...testNamesIn(`${source}t.test(name, walk)`)], [...named, 'five'])
})

test('every promise of docs/contract.md has its section, its words and what holds it', () => {
  const wrong = rows.filter(({ section, promise, heldBy }) => {
    if (!/^[1-9](\.\d+)?$/.test(section) || promise === '') return true
    if (referencesIn(heldBy).length === 0) return heldBy !== 'not yet'
    // What is left without the references is words: nothing that was meant to be one.
    return /[[\]()]/.test(heldBy.replace(link, ''))
  })
  assert.deepEqual(
    wrong.map(({ line }) => line),
    [],
  )
})

test('docs/contract.md goes through all chapters of the contract, and what it is silent on', () => {
  const heads = lines.filter((line) => line.startsWith('## ')).map((line) => line.slice(3))
  assert.deepEqual(
    heads.map((head) => head.split('. ')[0]),
    [...Array.from('123456789'), 'Where the contract is silent'],
  )
  const sections = new Set(rows.map(({ section }) => section))
  const counts = { 2: 17, 3: 3, 4: 6, 6: 3, 7: 5 }
  for (const [chapter, count] of Object.entries(counts))
    for (let part = 1; part <= count; part++)
      assert.ok(sections.has(`${chapter}.${part}`), `${chapter}.${part}`)
})

test("every operation of users' and the public's stands in docs/contract.md", () => {
  const ours = /^\/(operator|health|metrics)(\/|$)/
  const missing = routes
    .filter(({ url }) => !ours.test(url))
    .map(({ method, url }) => `${method} ${url.replace(/:([a-z_]+)/g, '{$1}')}`)
    .filter((operation) => !rows.some(({ promise }) => promise.includes(`\`${operation}\``)))
  assert.deepEqual(missing, [])
})

test('every topic and every status of an order stands in docs/contract.md as its own promise', () => {
  const begins = (section: string, word: string) =>
    rows.some((row) => row.section === section && row.promise.startsWith(`\`${word}\``))
  assert.deepEqual(
    topics.filter((topic) => !begins('6.2', topic)),
    [],
  )
  assert.deepEqual(
    orderStatuses.filter((status) => !begins('3.1', status)),
    [],
  )
})

test('docs/contract.md counts its promises right', () => {
  const count = (standing: Standing) => rows.filter((row) => standingOf(row) === standing).length
  const line = `${rows.length} promises, ${count('held')} held, ${count('in part')} in part, ${count('not yet')} not yet.`
  assert.ok(lines.includes(line), `expected the line "${line}"`)
})

test("no path carries a version, the claims' aside", () => {
  const versioned = routes.filter(({ url }) => /\/v\d/.test(url.replace(/\/v1\/claims\//, '/')))
  assert.deepEqual(versioned, [])
})
