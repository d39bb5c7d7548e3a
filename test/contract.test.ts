import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { routes } from '../src/app/routes.ts'
import { topics } from '../src/kernel/topics.ts'
import { orderStatuses } from '../src/orders/status.ts'
import {
  contractCommand,
  guaranteeSummary,
  guaranteesIn,
  headingsOf,
  pagePath,
  promisesOf,
  readGuarantees,
  renderPage,
} from './contract/page.ts'
import { contract, contractSections, type Section, silentSections } from './harness/contract.ts'

const page = readFileSync(pagePath, 'utf8')
const promises = promisesOf(page)
// Throws at once where a tag is no section of the contract or a call cannot be read.
const guarantees = readGuarantees()
const slow = guarantees.filter(({ tier }) => tier === 'slow')

/** Sections that only slow tests can show, each with the reason. */
const slowOnly: Partial<Record<Section, string>> = {}

test('docs/contract.md is what the tests say, to the letter', () => {
  // A comparison of two long pages would print both of them.
  const isCurrent = renderPage(page, guarantees) === page
  assert.ok(isCurrent, `docs/contract.md is out of date. Write it again: ${contractCommand}`)
})

test('every section of the contract has a guarantee in the fast tier', () => {
  const missing = contractSections.filter(
    (section) =>
      !guarantees.some(
        ({ sections, tier }) =>
          sections.includes(section) && (tier === 'fast' || slowOnly[section] !== undefined),
      ),
  )
  assert.deepEqual(missing, [], 'add a fast test with contract(), or a reason to slowOnly')
  const needless = Object.keys(slowOnly).filter((section) =>
    guarantees.some(({ sections, tier }) => tier === 'fast' && sections.some((s) => s === section)),
  )
  assert.deepEqual(needless, [], 'slowOnly names a section that has a fast guarantee')
})

test('every subject on which the contract is silent has a guarantee', () => {
  const missing = silentSections.filter(
    (section) => !guarantees.some(({ sections }) => sections.includes(section)),
  )
  assert.deepEqual(missing, [])
})

test('guarantees of the slow tier alone are listed', (t) => {
  t.diagnostic(guaranteeSummary(guarantees))
  for (const { file, name, sections } of slow)
    t.diagnostic(`slow: ${sections.join(', ')}: ${name} (${file})`)
  const [, list = ''] = page.split('\n## Slow guarantees\n')
  assert.deepEqual(
    slow.filter(({ file }) => !list.includes(`- [${file}](../${file}), slow`)),
    [],
  )
})

test('docs/contract.md goes through all sections of the contract in their order', () => {
  const chapters = ['2', '3']
  const headings = headingsOf(page).filter((section) => !chapters.includes(section))
  assert.deepEqual(headings, [...contractSections, ...silentSections, 'sandbox'])
  const silent = headings.filter((heading) => !promises.some(({ section }) => section === heading))
  assert.deepEqual(silent, [], 'sections without a promise')
})

test("every operation of users' and the public's stands in docs/contract.md", () => {
  const ours = /^\/((operator|health|metrics)(\/|$)|$)/
  const missing = routes
    .filter(({ url }) => !ours.test(url))
    .map(({ method, url }) => `${method} ${url.replace(/:([a-z_]+)/g, '{$1}')}`)
    .filter((operation) => !promises.some(({ text }) => text.includes(`\`${operation}\``)))
  assert.deepEqual(missing, [])
})

test('every topic and every status of an order stands in docs/contract.md as its own promise', () => {
  // Where the contract is silent, a promise begins with the section that left it open.
  const hasOwnPromise = (home: string, silent: Section, word: string) =>
    promises.some(
      ({ section, text }) =>
        (section === home && text.startsWith(`\`${word}\``)) ||
        (section === silent && text.startsWith(`(${home}) \`${word}\``)),
    )
  assert.deepEqual(
    topics.filter((topic) => !hasOwnPromise('6.2', 'notifications', topic)),
    [],
  )
  assert.deepEqual(
    orderStatuses.filter((status) => !hasOwnPromise('3.1', 'orders', status)),
    [],
  )
})

contract('9', "no path carries a version, the claims' aside", () => {
  const versioned = routes.filter(({ url }) => /\/v\d/.test(url.replace(/\/v1\/claims\//, '/')))
  assert.deepEqual(versioned, [])
})

/** Writes a call, so that this file has none that is not its own. */
const callOf = (words: string) => `${'contract'}(${words})\n`

test('guarantees are read from the source, whatever the form of the call', () => {
  const source = [
    callOf("'7.3', 'one', async () => {}"),
    callOf(`['2.2', 'errors'], "it's two", { skip }, fn`),
    callOf(`\n  '8',\n  \`\${three} of \${f(1)}\`,\n  fn,\n`),
    `// ${callOf("'9', 'four', fn")}`,
  ].join('')
  assert.deepEqual(
    guaranteesIn('src/a.slow.test.ts', source).map(({ name, sections, tier }) => [
      name,
      sections.join(),
      tier,
    ]),
    [
      ['one', '7.3', 'slow'],
      ["it's two", '2.2,errors', 'slow'],
      ['… of …', '8', 'slow'],
    ],
  )
})

test('an unknown section and a name that is not in sight are refused with the file', () => {
  assert.throws(() => guaranteesIn('a.test.ts', callOf("'7.6', 'one', fn")), /a\.test\.ts.* 7\.6/)
  assert.throws(() => guaranteesIn('a.test.ts', callOf("'7.5', name, fn")), /a\.test\.ts/)
  assert.throws(() => guaranteesIn('a.test.ts', callOf("sections, 'one', fn")), /a\.test\.ts/)
})

test('the page lists a guarantee once in each of its sections, by file, and keeps what is written by hand', () => {
  const hand =
    '# P\n\nLists inside `<details>`.\n\n## 8. L\n\n- eight\n\n### 2.1 S\n\n- site\n\n## Slow guarantees\n\nW.\n'
  const [fast, slowOne] = [
    guaranteesIn('a.test.ts', callOf("['2.1', '8'], 'one <b>', fn")),
    guaranteesIn('a.slow.test.ts', callOf("'8', 'two', fn")),
  ]
  const written = renderPage(hand, [...fast, ...slowOne])
  const list = (...lines: string[]) => ['<details>', ...lines, '', '</details>'].join('\n')
  const one = ['- [a.test.ts](../a.test.ts)', '  - one \\<b\\>']
  const two = ['- [a.slow.test.ts](../a.slow.test.ts), slow', '  - two']
  const summary = (text: string) => [`<summary>${text}</summary>`, '']
  const expected = [
    `# P\n\nLists inside \`<details>\`.\n\n## 8. L\n\n- eight\n\n${list(...summary('2 guarantees, 1 of them slow'), ...one, ...two)}`,
    `### 2.1 S\n\n- site\n\n${list(...summary('1 guarantee'), ...one)}`,
    `## Slow guarantees\n\nW.\n\n${list(...summary('1 guarantee, 1 of them slow'), ...two)}\n`,
  ]
  assert.equal(written, expected.join('\n\n'))
  assert.equal(renderPage(written, [...fast, ...slowOne]), written)
  assert.equal(renderPage(written, []), hand)
})
