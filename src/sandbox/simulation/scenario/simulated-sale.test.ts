import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minuteMs } from '../../../kernel/clock.ts'
import { demoSites } from '../../demo/ids.ts'
import { type SimulatedAction, shiftTimestamps } from './action.ts'
import { stepOffsetsMs } from './pace.ts'
import { saleStartMs, simulateSale } from './simulated-sale.ts'

const many = Array.from({ length: 600 }, (_, number) => number)
const stories = many.map((number) => simulateSale({ seed: 1, sites: demoSites }, number))
const actionsOf = (kind: SimulatedAction['kind']) =>
  stories.flatMap((story) =>
    story.steps
      .filter(({ action }) => action.kind === kind)
      .map(({ action }) => ({ story, action })),
  )

test('the same seed and sites tell the same stories, and another seed others', () => {
  const again = many
    .slice(0, 60)
    .map((number) => simulateSale({ seed: 1, sites: demoSites }, number))
  assert.deepEqual(again, stories.slice(0, 60))
  const other = many
    .slice(0, 60)
    .map((number) => simulateSale({ seed: 2, sites: demoSites }, number))
  assert.notDeepEqual(other, again)
})

test('people do what they do in its order: they are there, ask, buy, pay, and the rest', () => {
  for (const { steps } of stories) {
    const kinds = steps.map(({ action }) => action.kind)
    const bought = kinds.indexOf('order')
    assert.ok(bought >= 0)
    for (const before of ['user', 'listing', 'question', 'answer'] as const) {
      assert.ok(kinds.lastIndexOf(before) < bought)
    }
    for (const after of ['payment', 'shipment', 'message', 'rating', 'claim'] as const) {
      const first = kinds.indexOf(after)
      assert.ok(first === -1 || first > bought)
    }
    const moments = steps.map(({ at }) => at.getTime())
    assert.deepEqual(
      moments,
      moments.toSorted((one, other) => one - other),
    )
  }
})

test('everything happens that sales are made of, some of it often and some of it seldom', () => {
  const share = (kind: SimulatedAction['kind']) =>
    new Set(actionsOf(kind).map(({ story }) => story)).size / stories.length
  const between = (kind: SimulatedAction['kind'], least: number, most: number) =>
    assert.ok(share(kind) >= least && share(kind) <= most, `${kind}: ${share(kind)}`)
  between('order', 1, 1)
  between('payment', 0.9, 1)
  between('shipment', 0.7, 1)
  between('question', 0.2, 0.4)
  between('answer', 0.15, 0.35)
  between('message', 0.1, 0.5)
  between('option', 0.01, 0.3)
  between('claim', 0.03, 0.3)
  between('rating', 0.1, 0.7)
  between('user', 0.3, 0.5)
  between('listing', 0.01, 0.1)
  const statuses = new Set<unknown>(
    actionsOf('payment').map(({ action }) => action.kind === 'payment' && action.news.status),
  )
  for (const status of ['approved', 'pending', 'rejected', 'refunded', 'in_process']) {
    assert.ok(statuses.has(status), status)
  }
  const cancelled = actionsOf('change').filter(
    ({ action }) => action.kind === 'change' && action.patch.cancel_detail,
  )
  assert.ok(cancelled.length / stories.length > 0.02 && cancelled.length / stories.length < 0.3)
})

test('people speak the language of their site, and live there', () => {
  const portuguese = /\b(não|você|olá|obrigad|em estoque|quando sai|nota fiscal|bom dia|dá para)\b/i
  const spanish = /[¿¡ñ]|\b(hola|gracias|los datos|el paquete|cuándo|tienen)\b/i
  const texts = [...actionsOf('question'), ...actionsOf('answer'), ...actionsOf('message')]
  assert.ok(texts.some(({ story }) => story.site === 'MLB'))
  for (const { story, action } of texts) {
    if (!('text' in action)) continue
    assert.doesNotMatch(action.text, story.site === 'MLB' ? spanish : portuguese)
  }
  for (const { story, action } of actionsOf('user')) {
    if (action.kind !== 'user') continue
    assert.equal(action.user.siteId, story.site)
    assert.match(action.user.email ?? '', /@example\.com$/)
    assert.equal(action.user.id, story.buyerId)
  }
  const only = many.map((number) => simulateSale({ seed: 3, sites: ['MLB', 'MLU'] }, number).site)
  assert.deepEqual([...new Set(only)].sort(), ['MLB', 'MLU'])
})

test('a quick sale is over within minutes, one at its real pace takes its days', () => {
  for (const story of stories) {
    const quick = stepOffsetsMs(story, 'quick')
    assert.equal(quick[0], 0)
    assert.deepEqual(
      quick,
      quick.toSorted((one, other) => one - other),
    )
    assert.ok((quick.at(-1) ?? 0) < 15 * minuteMs, `${story.name}: ${quick.at(-1)}`)
    const [first, last] = [story.steps[0]?.at, story.steps.at(-1)?.at]
    assert.equal(stepOffsetsMs(story, 'real').at(-1), Number(last) - Number(first))
  }
})

test('so many sales begin a minute as were asked for, one in each share of it', () => {
  const begins = many.map((number) => saleStartMs({ seed: 5, perMinute: 12 }, number))
  for (let minute = 0; minute < 10; minute++) {
    const within = begins.filter((ms) => Math.floor(ms / minuteMs) === minute)
    assert.equal(within.length, 12)
  }
})

test('dates are moved to the moment of the deed: what was ahead stays ahead, what was behind is not before the story', () => {
  const at = (text: string) => new Date(text)
  const moments = {
    scenarioTime: at('2026-03-12T10:00:00.000Z'),
    now: at('2030-01-01T00:10:00.000Z'),
    startedAt: at('2030-01-01T00:00:00.000Z'),
  }
  const texts = {
    text: 'on 2026-03-12',
    n: 3,
    nothing: null,
    list: [{ ahead: '2026-03-13T10:00:00.000Z', behind: '2026-03-12T09:58:00.000Z' }],
    longBehind: '2026-03-01T00:00:00.000Z',
  }
  assert.deepEqual(shiftTimestamps(texts, moments), {
    text: 'on 2026-03-12',
    n: 3,
    nothing: null,
    list: [{ ahead: '2030-01-02T00:10:00.000Z', behind: '2030-01-01T00:08:00.000Z' }],
    longBehind: '2030-01-01T00:00:00.000Z',
  })
})
