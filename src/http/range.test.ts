import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { requestedRange } from './range.ts'

const etag = '"abc"'
const of = (headers: Parameters<typeof requestedRange>[0]) =>
  requestedRange(headers, { size: 100, etag })

test('one range of bytes is a part, cut to what is there', () => {
  const cases: [range: string, answer: ReturnType<typeof requestedRange>][] = [
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=0-99', { start: 0, end: 99 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=90-', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['bytes=50-1000', { start: 50, end: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=100-200', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=0-1,5-6', 'whole'],
    ['bytes=9-5', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=1-99999999999999999999', 'whole'],
    ['lines=0-1', 'whole'],
    ['bytes', 'whole'],
    ['', 'whole'],
  ]
  for (const [range, answer] of cases) {
    assert.deepEqual(of({ range }), answer, range)
  }
})

test('no Range gets a part outside of the file', () => {
  const number = fc.option(fc.nat({ max: 250 }), { nil: '' as const })
  fc.assert(
    fc.property(number, number, fc.integer({ min: 1, max: 200 }), (first, last, size) => {
      const range = requestedRange({ range: `bytes=${first}-${last}` }, { size, etag })
      if (typeof range === 'string') return
      assert.ok(range.start >= 0 && range.start <= range.end && range.end < size)
    }),
  )
})

test('a range of another file is answered by the whole of this one', () => {
  const range = 'bytes=0-1'
  assert.deepEqual(of({ range, 'if-range': etag }), of({ range }))
  assert.equal(of({ range, 'if-range': '"other"' }), 'whole')
  assert.equal(of({ range, 'if-range': `W/${etag}` }), 'whole')
  assert.equal(of({ range, 'if-range': 'Tue, 10 Mar 2026 15:00:00 GMT' }), 'whole')
})

test('what the caller has already is not sent again', () => {
  for (const knownEtag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    assert.equal(of({ 'if-none-match': knownEtag, range: 'bytes=0-1' }), 'unchanged', knownEtag)
  }
  assert.equal(of({ 'if-none-match': '"x"' }), 'whole')
})
