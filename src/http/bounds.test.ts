import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../kernel/failure.ts'
import { parseFormFields } from './bodies/parse.ts'
import { bodyBounds, mostFields, refuseManyValues } from './bounds.ts'

function wordsOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof Failure)
    return error.message
  }
  return 'accepted'
}

test('values of JSON text are counted outside its strings, at the bound and past it', () => {
  const { values: most } = bodyBounds
  const refused = `body: expected at most ${most} values in all`
  const list = (count: number, value = '0') => `[${Array(count).fill(value).join()}]`
  const cases: [text: string, words: string][] = [
    [list(most - 1), 'accepted'],
    [list(most), refused],
    [list(most / 2 + 1, '{}'), refused],
    ['['.repeat(most), refused],
    [`{"a":"${',[{'.repeat(most)}"}`, 'accepted'],
    [`{"a":"${'\\"'.repeat(most)},"}`, 'accepted'],
    [`{"a":"\\\\",${list(most)}}`, refused],
    ['', 'accepted'],
  ]
  for (const [text, words] of cases) {
    assert.equal(
      wordsOf(() => refuseManyValues(text)),
      words,
      text.slice(0, 30),
    )
  }
})

test('fields of a form are read in their order, repeated ones as a list, up to the bound', () => {
  assert.deepEqual(parseFormFields('a=1&b=%20+&a=2&a='), { a: ['1', '2', ''], b: '  ' })
  assert.deepEqual(parseFormFields(''), {})
  assert.equal(
    wordsOf(() => parseFormFields('a&'.repeat(mostFields - 1))),
    'accepted',
  )
  assert.equal(
    wordsOf(() => parseFormFields('a&'.repeat(mostFields))),
    `body: expected at most ${mostFields} fields`,
  )
})
