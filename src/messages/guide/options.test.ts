import assert from 'node:assert/strict'
import { contract } from '../../../test/harness/contract.ts'
import { defaultGuideCaps, guideFacts } from '../../../test/harness/guide.ts'
import { type GuideOption, guideOptions } from '../../kernel/guide-options.ts'
import { hasOptionsLeft, remainingUsesOf } from '../option-rules.ts'
import { capsView, optionsView } from './options.ts'

// biome-ignore lint/suspicious/noExplicitAny: options as JSON
const viewsOf = (facts: Parameters<typeof optionsView>[0]) => optionsView(facts).options as any[]

contract(['2.9', '4.1', '8'], 'options are listed as recorded: keys, types, order', () => {
  const template = (option: string) => [{ id: `TEMPLATE___${option}___1`, vars: null }]
  const expected = [
    { id: 'REQUEST_VARIANTS', type: 'template', templates: template('REQUEST_VARIANTS'), cap: 20 },
    {
      id: 'REQUEST_BILLING_INFO',
      type: 'template',
      cap: 20,
      templates: template('REQUEST_BILLING_INFO'),
    },
    { id: 'SEND_INVOICE_LINK', type: 'free_text', templates: null, cap: 1 },
    { id: 'OTHER', type: 'free_text', templates: null, cap: 1 },
  ].map(({ id, type, templates, cap }) => ({
    id,
    enabled: true,
    type,
    templates,
    actionable: true,
    ...(type === 'free_text' ? { char_limit: 350 } : {}),
    child_options: null,
    cap_available: cap,
  }))
  const views = viewsOf(guideFacts({ type: 'drop_off' }))
  assert.deepEqual(
    views.map(({ internal_description: _, ...rest }) => rest),
    expected,
  )
  for (const view of views) {
    assert.match(view.internal_description, /^[A-Z].*\.$/)
    const isFree = view.type === 'free_text'
    assert.deepEqual(Object.keys(view), [
      'id',
      'internal_description',
      'enabled',
      'type',
      'templates',
      'actionable',
      ...(isFree ? ['char_limit'] : []),
      'child_options',
      'cap_available',
    ])
  }
})

contract('2.9', 'a promise shows its words and its two hours', () => {
  const facts = guideFacts({ type: 'self_service', promisedAt: '2026-03-11T00:00:00.000-03:00' })
  const view = viewsOf(facts).find(({ id }) => id === 'DELIVERY_PROMISE')
  const [{ texts, ...rest }, ...more] = view.templates
  assert.deepEqual(more, [])
  const id = 'TEMPLATE___DELIVERY_PROMISE___1'
  assert.deepEqual(rest, {
    id,
    vars: [
      { id: `${id}___VAR___INIT`, type: 'NUMBER' },
      { id: `${id}___VAR___LIMIT`, type: 'NUMBER' },
    ],
  })
  assert.deepEqual(Object.keys(texts).sort(), ['mla', 'mlb', 'mlc', 'mco', 'mlu'].sort())
  for (const { html } of Object.values<{ html: string }>(texts)) {
    for (const placeholder of ['{day}', '{initial}', '{final}']) {
      assert.ok(html.includes(placeholder), html)
    }
  }
  assert.equal('char_limit' in view, false)
})

contract('2.9', 'an option is enabled as long as sending it would work', () => {
  const enabled = (scenario: Parameters<typeof guideFacts>[0]) =>
    viewsOf(guideFacts({ type: 'self_service', ...scenario }))
      .filter((view) => view.enabled)
      .map(({ id }) => id)
  const free = ['REQUEST_BILLING_INFO', 'SEND_INVOICE_LINK', 'OTHER']
  const today = '2026-03-10T00:00:00.000-03:00'
  assert.deepEqual(enabled({}), free, 'no day promised')
  assert.deepEqual(
    enabled({ promisedAt: '2026-03-09T00:00:00.000-03:00' }),
    free,
    'a day that is over',
  )
  const promising = ['REQUEST_BILLING_INFO', 'SEND_INVOICE_LINK', 'DELIVERY_PROMISE', 'OTHER']
  assert.deepEqual(enabled({ promisedAt: today }), promising)
  const spent = { DELIVERY_PROMISE: 1, OTHER: 1 }
  assert.deepEqual(enabled({ promisedAt: today, spent }), [
    'REQUEST_BILLING_INFO',
    'SEND_INVOICE_LINK',
  ])
})

contract(
  ['2.9', '3.3', '8'],
  'what is left of an option is its cap less what was sent, never below none',
  () => {
    const cases: [option: GuideOption, spent: Record<string, number>, expected: number][] = [
      ['OTHER', {}, 1],
      ['OTHER', { OTHER: 1 }, 0],
      ['OTHER', { SEND_INVOICE_LINK: 1 }, 1],
      ['SEND_INVOICE_LINK', {}, 1],
      ['DELIVERY_PROMISE', {}, 1],
      ['REQUEST_VARIANTS', {}, 20],
      ['REQUEST_VARIANTS', { REQUEST_VARIANTS: 19 }, 1],
      ['REQUEST_VARIANTS', { REQUEST_VARIANTS: 20 }, 0],
      ['REQUEST_BILLING_INFO', { REQUEST_BILLING_INFO: 3 }, 17],
      // The operator has lowered it since.
      ['REQUEST_BILLING_INFO', { REQUEST_BILLING_INFO: 21 }, 0],
    ]
    for (const [option, spent, expected] of cases) {
      assert.equal(
        remainingUsesOf(option, spent, defaultGuideCaps),
        expected,
        `${option} ${JSON.stringify(spent)}`,
      )
    }
    assert.deepEqual(capsView(guideFacts({ type: 'fulfillment', spent: { OTHER: 1 } })), [
      { option_id: 'REQUEST_BILLING_INFO', cap_available: 20 },
      { option_id: 'SEND_INVOICE_LINK', cap_available: 1 },
      { option_id: 'OTHER', cap_available: 0 },
    ])
  },
)

contract('3.3', 'a seller has options left until the last offered one is used up', () => {
  const caps = { ...defaultGuideCaps, REQUEST_BILLING_INFO: 1, REQUEST_VARIANTS: 1 }
  const has = (scenario: Parameters<typeof guideFacts>[0], spent: Record<string, number>) =>
    hasOptionsLeft(guideFacts(scenario).sale, spent, caps)
  const all = Object.fromEntries(guideOptions.map((option) => [option, 1]))
  assert.equal(has({}, {}), true)
  assert.equal(has({}, all), false)
  for (const option of guideOptions) {
    const isOffered = option !== 'DELIVERY_PROMISE'
    assert.equal(has({ type: 'drop_off' }, { ...all, [option]: 0 }), isOffered, option)
  }
  assert.equal(has({ type: null }, {}), false)
})
