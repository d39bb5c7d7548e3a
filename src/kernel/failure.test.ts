import assert from 'node:assert/strict'
import { test } from 'node:test'
import { badField, Failure, type FailureCode, failures } from './failure.ts'

const codes = Object.keys(failures) as FailureCode[]

test('every failure has a status of its kind, a code and words', () => {
  for (const code of codes) {
    const { status, error, says } = failures[code]
    assert.ok(status >= 400 && status < 600, code)
    assert.match(error, /^[a-z_.]+$/, code)
    assert.notEqual(says, '', code)
  }
})

test('a failure says the words of the table, with the detail where there is a place for it', () => {
  for (const code of codes) {
    const { status, error, says } = failures[code]
    const failure = new Failure(code, 'THE DETAIL', 'the note')
    assert.deepEqual([failure.code, failure.status, failure.error], [code, status, error])
    assert.equal(failure.message, says.replace('{detail}', 'THE DETAIL'))
    assert.ok(!failure.message.includes('the note'), 'the note is for the log')
    assert.equal(failure.note, 'the note')
  }
})

test('a detail is put in as it is', () => {
  for (const detail of ['$&', '$1', '$$', '{detail}', '']) {
    assert.equal(new Failure('not_found', detail).message, detail)
  }
})

test('a bad value is named with what was expected', () => {
  const failure = badField('lines[0].quantity', 'a whole number')
  assert.equal(failure.message, 'lines[0].quantity: expected a whole number')
  assert.deepEqual([failure.status, failure.error], [400, 'bad_request'])
})
