import assert from 'node:assert/strict'
import { contract } from '../../../test/harness/contract.ts'
import {
  type GuideScenario,
  guideFacts,
  promisedHours,
  templateId,
} from '../../../test/harness/guide.ts'
import { Failure } from '../../kernel/failure.ts'
import { checkGuideApplies, resolveOption } from './choice.ts'
import type { ActionGuideFacts } from './options.ts'
import type { OptionBody } from './schemas.ts'

const today = '2026-03-10T00:00:00.000-03:00'
const flex: GuideScenario = { type: 'self_service', promisedAt: today }

/** What a body is refused with; its text when it is not. */
function outcome(body: unknown, scenario: GuideScenario = {}): string {
  try {
    return resolveOption(body as OptionBody, guideFacts(scenario)).text
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return `${error.code}: ${error.message}`
  }
}

const promise = (vars: unknown) => ({
  option_id: 'DELIVERY_PROMISE',
  template_id: templateId('DELIVERY_PROMISE'),
  vars,
})
const initId = `${templateId('DELIVERY_PROMISE')}___VAR___INIT`
const limitId = `${templateId('DELIVERY_PROMISE')}___VAR___LIMIT`

contract(
  ['4.1', 'messages'],
  'hours are whole ones from 0 to 23, the first before the last',
  () => {
    const hour = (id: string) => `bad_request: ${id}: expected a whole hour from 0 to 23`
    const later = `bad_request: ${limitId}: expected an hour after that of ${initId}`
    const one = (id: string, value: unknown) => ({ id, value })
    const cases: [vars: unknown, outcome: string][] = [
      [promisedHours(12, 23), 'Hola. Entregaremos tu compra hoy, entre 12 y 23 h.'],
      [promisedHours(0, 1), 'Hola. Entregaremos tu compra hoy, entre 0 y 1 h.'],
      [promisedHours(9, 18).reverse(), 'Hola. Entregaremos tu compra hoy, entre 9 y 18 h.'],
      [promisedHours(12, 12), later],
      [promisedHours(13, 12), later],
      [promisedHours(-1, 12), hour(initId)],
      [promisedHours(12, 24), hour(limitId)],
      [promisedHours(9.5, 12), hour(initId)],
      [promisedHours(9, Number.MAX_SAFE_INTEGER), hour(limitId)],
      [[one(limitId, 12)], hour(initId)],
      [[one(initId, 12)], hour(limitId)],
      [[], hour(initId)],
      [null, hour(initId)],
      [undefined, hour(initId)],
      [
        [...promisedHours(9, 12), one('TEMPLATE___OTHER___1___VAR___INIT', 9)],
        `bad_request: vars[2].id: expected one of ${initId}, ${limitId}`,
      ],
      [[one(initId, 9), one(initId, 9)], 'bad_request: vars[1].id: expected no variable twice'],
    ]
    for (const [vars, expected] of cases) assert.equal(outcome(promise(vars), flex), expected)
  },
)

contract('2.9', 'the promise is made in the words of its site and day', () => {
  const cases: [given: GuideScenario, text: string][] = [
    [{ site: 'MLB' }, 'Olá! Entregaremos a sua compra hoje, entre 12 e 23 h.'],
    [
      { site: 'MLU', now: '2026-03-09T15:00:00Z' },
      'Hola. Entregaremos tu compra mañana, entre 12 y 23 h.',
    ],
    [
      { site: 'MLC', now: '2026-03-13T15:00:00Z', promisedAt: '2026-03-16T00:00:00.000-03:00' },
      'Hola. Entregaremos tu compra el próximo día hábil (16 de marzo), entre 12 y 23 h.',
    ],
  ]
  for (const [scenario, text] of cases) {
    assert.equal(outcome(promise(promisedHours(12, 23)), { ...flex, ...scenario }), text)
  }
})

contract(['7.1', 'errors'], 'a promise needs a day that is not over', () => {
  const over =
    'The promise of delivery of the shipping contained in the pack is from a date before today'
  const now = '2026-03-11T03:00:00.000Z'
  assert.equal(
    outcome(promise(promisedHours(12, 23)), { ...flex, now }),
    `promise_in_the_past: ${over}`,
  )
  assert.equal(outcome(promise(null), { ...flex, now }), `promise_in_the_past: ${over}`)
  assert.equal(
    outcome(promise(promisedHours(12, 23)), { ...flex, promisedAt: null }),
    'bad_request: option_id: expected another option, because this shipment has no delivery date',
  )
})

contract(['4.1', '7.1'], 'only an option of this site and shipping mode is one', () => {
  const invalid = 'invalid_option: The option selected is not valid'
  const cases: [option_id: string, given: GuideScenario][] = [
    ['NOTHING', {}],
    ['', {}],
    ['other', {}],
    ['constructor', {}],
    ['DELIVERY_PROMISE', { type: 'drop_off' }],
    ['DELIVERY_PROMISE', { ...flex, site: 'MLM' }],
    ['REQUEST_VARIANTS', flex],
    ['REQUEST_VARIANTS', { type: 'fulfillment' }],
    ['REQUEST_VARIANTS', { site: 'MLU' }],
    ['REQUEST_BILLING_INFO', { site: 'MLB' }],
    ['REQUEST_BILLING_INFO', { site: 'MPE' }],
  ]
  for (const [option_id, scenario] of cases) {
    const body = { option_id, template_id: templateId(option_id), vars: promisedHours(9, 12) }
    assert.equal(outcome(body, scenario), invalid, `${option_id} ${JSON.stringify(scenario)}`)
  }
})

contract(['4.1', '7.1'], 'a template is one of its own option', () => {
  const of = (template_id: unknown) => outcome({ option_id: 'REQUEST_VARIANTS', template_id })
  for (const id of [
    'TEMPLATE___REQUEST_VARIANTS___2',
    'TEMPLATE___REQUEST_BILLING_INFO___1',
    'REQUEST_VARIANTS',
    'template___request_variants___1',
    'x',
  ]) {
    assert.equal(of(id), `invalid_template: The template ${id} is invalid`)
  }
  assert.equal(
    of('x'.repeat(5_000)),
    `invalid_template: The template ${'x'.repeat(200)} is invalid`,
  )
  for (const missing of [undefined, null, '']) {
    const expected = 'bad_request: template_id: expected one of TEMPLATE___REQUEST_VARIANTS___1'
    assert.equal(of(missing), expected)
  }
})

contract(
  ['4.1', '7.1', '8'],
  'free text has 350 characters as people see them, of those that messages take',
  () => {
    const invalid = 'invalid_text: The text is invalid'
    for (const option_id of ['OTHER', 'SEND_INVOICE_LINK']) {
      const of = (text: unknown) => outcome({ option_id, text })
      for (const text of [
        'x',
        'ñ'.repeat(350),
        '👨‍👩‍👧‍👦'.repeat(350),
        'Con señas: ¿ya está? 🇧🇷',
      ]) {
        assert.equal(of(text), text)
      }
      for (const text of [
        undefined,
        null,
        '',
        '  \n ',
        'x'.repeat(351),
        '👨‍👩‍👧‍👦'.repeat(351),
        '漢字',
        'a\u0007b',
        'a\u200bb',
      ]) {
        assert.equal(of(text), invalid, JSON.stringify(text))
      }
    }
  },
)

contract('4.1', 'fields that an option has no use for are passed over', () => {
  const text = outcome({
    option_id: 'REQUEST_VARIANTS',
    template_id: templateId('REQUEST_VARIANTS'),
  })
  const more = { text: 'x'.repeat(999), vars: [{ id: 'y', value: 1 }], another: true }
  const body = {
    option_id: 'REQUEST_VARIANTS',
    template_id: templateId('REQUEST_VARIANTS'),
    ...more,
  }
  assert.equal(outcome(body), text)
  assert.equal(outcome({ ...more, option_id: 'OTHER', text: 'Hola', template_id: 'z' }), 'Hola')
})

contract(
  '7.1',
  'what no other words would help is said first: used up, before what is wrong',
  () => {
    const spent = { OTHER: 1, DELIVERY_PROMISE: 1, REQUEST_VARIANTS: 20 }
    const used = (option: string) =>
      `option_used_up: You are not allowed to execute the option ${option} again`
    assert.equal(outcome({ option_id: 'OTHER', text: '' }, { spent }), used('OTHER'))
    const wrong = { option_id: 'REQUEST_VARIANTS', template_id: 'x' }
    assert.equal(outcome(wrong, { spent }), used('REQUEST_VARIANTS'))
    assert.equal(outcome(promise(null), { ...flex, spent }), used('DELIVERY_PROMISE'))
  },
)

contract('7.1', 'the guide is refused for what every option has in common, in one order', () => {
  const wrote = new Date('2026-03-10T13:00:00.000Z')
  const blocked = { block: 'blocked_by_restrictions', blockedAt: wrote } as const
  const answeredThread = { lastMessageAt: wrote, buyerWroteAt: wrote }
  const cases: [
    scenario: GuideScenario,
    thread: Partial<ActionGuideFacts['thread']>,
    code: string | undefined,
  ][] = [
    [{}, {}, undefined],
    [{}, { spent: { OTHER: 1 }, lastMessageAt: wrote }, undefined],
    [
      { site: 'MPE' },
      { spent: { OTHER: 1, SEND_INVOICE_LINK: 1 }, lastMessageAt: wrote },
      undefined,
    ],
    [{}, answeredThread, 'blocked_by_conversation_use_message_api'],
    [{}, blocked, 'pack_is_blocked'],
    [{}, { ...answeredThread, ...blocked }, 'pack_is_blocked'],
    [{ now: '2026-05-10T12:00:00.000Z' }, {}, 'pack_is_blocked'],
    [{ type: 'fulfillment' }, {}, 'pack_is_blocked'],
    [{ isMadeToOrder: true }, {}, 'blocked_by_excepted_case'],
    [{ isMadeToOrder: true }, { ...answeredThread, ...blocked }, 'blocked_by_excepted_case'],
    [{ type: null }, blocked, 'blocked_by_excepted_case'],
    [{ type: 'default' }, {}, 'blocked_by_excepted_case'],
    [{ mode: 'custom', type: null }, {}, 'blocked_by_excepted_case'],
  ]
  for (const [scenario, thread, code] of cases) {
    const facts = guideFacts(scenario)
    const refuse = () => checkGuideApplies({ ...facts, thread: { ...facts.thread, ...thread } })
    const what = JSON.stringify([scenario, thread])
    if (code === undefined) assert.doesNotThrow(refuse, what)
    else assert.throws(refuse, (error) => error instanceof Failure && error.code === code, what)
  }
})
