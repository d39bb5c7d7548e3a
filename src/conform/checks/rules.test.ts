import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  filledBody,
  fillPlaceholders,
  MissingPlaceholder,
  type PlaceholderValues,
} from './placeholders.ts'
import {
  eachContains,
  eachHasSome,
  eachIs,
  eachIsBetween,
  hasLength,
  isError,
  keysInOrder,
  noneContains,
  noneIs,
  type Rule,
  someIs,
  sorted,
  valueIs,
} from './rules.ts'

const material: PlaceholderValues = new Map<string, string | number>([
  ['order', 7],
  ['title', 'a b/c'],
  ['moment', '2026-03-10T12:00:00.000Z'],
])
const body = {
  total: 2,
  error: 'not_found',
  message: 'Order not found.',
  sent: '{"b":1,"a":2}',
  results: [
    { id: 6, price: 1, at: '2026-03-10T11:00:00.000Z', tags: ['paid'], lines: [{ of: 'a' }] },
    {
      id: 7,
      price: 2,
      at: '2026-03-10T08:00:00.000-04:00',
      tags: ['paid', 'shops'],
      lines: [{ of: 'b' }, { of: 'a' }],
    },
  ],
}
const says = (rule: Rule) => rule({ status: 200, headers: new Headers(), body, text: '' }, material)

test('each rule holds where it should, and fails where it should', () => {
  const cases: [holds: Rule, fails: Rule][] = [
    [valueIs('total', 2), valueIs('total', '2')],
    [valueIs('results[1].id', '{order}'), valueIs('results[0].id', '{order}')],
    [valueIs('message', /not found/), valueIs('total', /2/)],
    [eachIs('results', 'tags[0]', 'paid'), eachIs('results', 'id', 6)],
    [someIs('results', 'id', '{order}'), someIs('results', 'id', 8)],
    [noneIs('results', 'id', 8), noneIs('results', 'id', '{order}')],
    [eachHasSome('results', 'lines', 'of', 'a'), eachHasSome('results', 'lines', 'of', 'b')],
    [eachContains('results', 'tags', 'paid'), eachContains('results', 'tags', 'shops')],
    [noneContains('results', 'tags', 'x'), noneContains('results', 'tags', 'shops')],
    [hasLength('results', { least: 2, most: 2 }), hasLength('results', { most: 1 })],
    [hasLength('nothing', { most: 0 }), hasLength('nothing', { least: 1 })],
    [sorted('results', 'price', 'ascending'), sorted('results', 'price', 'descending')],
    [sorted('results', 'at', 'ascending'), sorted('results', 'at', 'descending')],
    [
      sorted('results', 'at', 'descending', { slackMs: 3_600_000 }),
      sorted('results', 'at', 'descending', { slackMs: 3_599_999 }),
    ],
    [
      eachIsBetween('results', 'at', { to: '{moment}' }),
      eachIsBetween('results', 'at', { from: '{moment}' }),
    ],
    [keysInOrder('sent', ['b', 'a']), keysInOrder('sent', ['a', 'b'])],
    [keysInOrder('sent', ['_id?', 'b', 'a']), keysInOrder('sent', ['a?', 'b'])],
    [isError('not_found', /^Order/), isError('forbidden')],
  ]
  for (const [n, [holds, fails]] of cases.entries()) {
    assert.equal(says(holds), undefined, `${n}`)
    assert.match(says(fails) ?? '', /expected/, `${n}`)
  }
})

test('braces are filled in paths, texts and bodies, and what is lacking is named', () => {
  assert.equal(fillPlaceholders('/orders/{order}?q={title}', material), '/orders/7?q=a%20b%2Fc')
  const sent = { id: '{order}', say: 'of {order}: {title}', list: ['{title}', 3, null] }
  assert.deepEqual(filledBody(sent, material), {
    id: 7,
    say: 'of 7: a b/c',
    list: ['a b/c', 3, null],
  })
  assert.throws(
    () => fillPlaceholders('/claims/{claim}', material),
    (error) => error instanceof MissingPlaceholder && error.placeholder === 'claim',
  )
})
