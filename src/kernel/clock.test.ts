import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseTimestamp, timestamp } from './clock.ts'

const read = (text: string) => parseTimestamp(text)?.toISOString()

test('a timestamp is read with its offset and its fraction', () => {
  const cases: [text: string, utc: string][] = [
    ['2026-01-31T13:45:00Z', '2026-01-31T13:45:00.000Z'],
    ['2026-01-31T13:45:00.123Z', '2026-01-31T13:45:00.123Z'],
    ['2026-01-31T13:45:00.123-03:00', '2026-01-31T16:45:00.123Z'],
    ['2026-01-31T13:45:00.123-0300', '2026-01-31T16:45:00.123Z'],
    ['2026-01-31T13:45:00+05:30', '2026-01-31T08:15:00.000Z'],
    ['2026-01-31T13:45:00+0530', '2026-01-31T08:15:00.000Z'],
    ['2026-01-31T13:45:00+00:00', '2026-01-31T13:45:00.000Z'],
    ['2026-01-31T13:45:00-00:00', '2026-01-31T13:45:00.000Z'],
    ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00.000Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
    // A fraction of any length, cut to milliseconds and not rounded.
    ['2026-01-31T13:45:00.5Z', '2026-01-31T13:45:00.500Z'],
    ['2026-01-31T13:45:00.05Z', '2026-01-31T13:45:00.050Z'],
    ['2026-01-31T13:45:00.9999Z', '2026-01-31T13:45:00.999Z'],
    ['2026-01-31T13:45:00.123456789Z', '2026-01-31T13:45:00.123Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['1900-01-01T00:00:00Z', '1900-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ]
  for (const [text, utc] of cases) assert.equal(read(text), utc, text)
})

test('what no calendar or no clock has is no timestamp', () => {
  for (const text of [
    '2026-02-29T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T23:60:00Z',
    '2026-01-31T23:59:60Z',
    '2026-01-31T13:45:00+24:00',
    '2026-01-31T13:45:00+05:60',
    '2026-01-31T13:45:00+5:30',
    // Past what four digits of a year can say, seen in UTC.
    '9999-12-31T23:59:59-01:00',
    '1900-01-01T00:30:00+01:00',
    '1899-12-31T23:59:59Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '+010000-01-01T00:00:00Z',
  ]) {
    assert.equal(read(text), undefined, text)
  }
})

test('what is written otherwise is no timestamp', () => {
  for (const text of [
    '',
    '2026-01-31',
    '2026-01-31T13:45:00',
    '2026-01-31T13:45Z',
    '2026-01-31 13:45:00Z',
    '2026-1-31T13:45:00Z',
    '20260131T134500Z',
    '2026-01-31t13:45:00z',
    ' 2026-01-31T13:45:00Z',
    '2026-01-31T13:45:00Z\n',
    '2026-01-31T13:45:00.Z',
    '2026-01-31T13:45:00,5Z',
    '2026-01-31T13:45:00.1234567890Z',
    '2026-01-31T13:45:00 Z',
    '2026-01-31T13:45:00-03',
    '٢٠٢٦-01-31T13:45:00Z',
    '1769867100000',
    'now',
    'Sat, 31 Jan 2026 13:45:00 GMT',
  ]) {
    assert.equal(read(text), undefined, JSON.stringify(text))
  }
})

const moments = fc.date({
  min: new Date('1900-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})

test('every moment is read back as it was written, in UTC and from any offset', () => {
  fc.assert(
    fc.property(moments, (moment) => {
      assert.deepEqual(parseTimestamp(timestamp(moment)), moment)
    }),
  )
  const offsets = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 })
  fc.assert(
    fc.property(moments, offsets, fc.boolean(), (moment, minutes, colon) => {
      const local = new Date(moment.getTime() + minutes * 60_000)
      fc.pre(/^\d{4}/.test(local.toISOString()) && local.getUTCFullYear() > 0)
      const two = (value: number) => String(Math.trunc(value)).padStart(2, '0')
      const size = Math.abs(minutes)
      const zone = `${minutes < 0 ? '-' : '+'}${two(size / 60)}${colon ? ':' : ''}${two(size % 60)}`
      const text = local.toISOString().replace('Z', zone)
      assert.deepEqual(parseTimestamp(text), moment, text)
    }),
  )
})

test('every millisecond is read exactly', () => {
  for (let ms = 0; ms < 1_000; ms++) {
    const text = `2026-01-31T13:45:00.${String(ms).padStart(3, '0')}Z`
    assert.equal(read(text), text)
  }
})

test('whatever is given, it is read or refused, never thrown at', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.ok(parseTimestamp(text) === undefined || parseTimestamp(text) instanceof Date)
    }),
  )
})

test('no moment is written as null', () => {
  assert.equal(timestamp(null), null)
  assert.equal(timestamp(new Date(0)), '1970-01-01T00:00:00.000Z')
})
