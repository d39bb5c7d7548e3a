import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../src/app/routes.ts'
import { topics } from '../src/kernel/topics.ts'
import { orderStatuses } from '../src/orders/status.ts'
import { coveragePage } from './contract/coverage.ts'
import { guaranteeSummary, guaranteesIn, readGuarantees } from './contract/guarantees.ts'
import { openedSection, promisedSections } from './contract/promises.ts'
import { contract, contractSections, type Section, silentSections } from './harness/contract.ts'

const promises = promisedSections.flatMap(({ section, promises }) =>
  promises.map((text) => ({ section, text })),
)
// Throws at once where a tag is no section of the contract or a call cannot be read.
const guarantees = readGuarantees()
const slow = guarantees.filter(({ tier }) => tier === 'slow')

/** Sections that only slow tests can show, each with the reason. */
const slowOnly: Partial<Record<Section, string>> = {}

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
})

test('promises go through all sections of the contract in their order, and each has some', () => {
  const written = promisedSections.map(({ section }) => section)
  assert.deepEqual(written, [...contractSections, ...silentSections, 'sandbox'])
  const empty = promisedSections.filter(({ promises }) => promises.length === 0)
  assert.deepEqual(empty, [], 'sections without a promise')
  const texts = promises.map(({ section, text }) => `${section}: ${text}`)
  assert.equal(new Set(texts).size, texts.length, 'a promise stands once')
})

test('every promise has a fast guarantee in its section and in the section that it completes', () => {
  const isHeld = (section: string) =>
    guarantees.some(
      ({ sections, tier }) => tier === 'fast' && sections.some((tag) => tag === section),
    )
  const unheld = promises.filter(({ section, text }) => {
    const opened = openedSection(text)
    const isSubject = !/^\d/.test(section)
    if (isSubject !== (opened !== undefined)) return true
    return (section !== 'sandbox' && !isHeld(section)) || (opened !== undefined && !isHeld(opened))
  })
  assert.deepEqual(unheld, [])
})

test("every operation of users' and the public's has a promise", () => {
  const ours = /^\/((operator|health|metrics)(\/|$)|$)/
  const missing = routes
    .filter(({ url }) => !ours.test(url))
    .map(({ method, url }) => `${method} ${url.replace(/:([a-z_]+)/g, '{$1}')}`)
    .filter((operation) => !promises.some(({ text }) => text.includes(`\`${operation}\``)))
  assert.deepEqual(missing, [])
})

test('every topic and every status of an order has its own promise', () => {
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

test('the page counts the promises and guarantees of a section and names each file once', () => {
  const [first = '', second = ''] = ["['2.1', '8'], 'one', fn", "'8', 'two', fn"].map(callOf)
  const page = coveragePage(
    [
      { section: '2.1', title: 'Site', promises: ['`id`', '`name`'] },
      { section: '8', title: 'Limits', promises: ['eight'] },
      { section: 'orders', title: 'Orders', promises: [] },
      { section: 'sandbox', title: 'Sandbox', promises: ['(2.1) a', '(8) b'] },
    ],
    [
      ...guaranteesIn('src/orders/a.test.ts', first + second),
      ...guaranteesIn('src/orders/b/c.test.ts', second),
      ...guaranteesIn('test/d.slow.test.ts', second),
    ],
  )
  const all = '`orders/` a, b/c; `test/` d.slow'
  assert.match(page, /^In all: 5 promises and 4 guarantees, 1 of them slow\.$/m)
  for (const row of [
    '| 2.1 Site | 2 | 1 | `orders/` a |',
    `| 8 Limits | 1 | 4 | ${all} |`,
    '| Orders | 0 | 0 |  |',
    `| Sandbox | 2 | 4 | ${all} |`,
  ]) {
    assert.ok(page.split('\n').includes(row), row)
  }
})
