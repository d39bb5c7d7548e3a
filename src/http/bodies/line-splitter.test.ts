import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LineSplitter, longestLine } from './line-splitter.ts'

function cut(pieces: readonly Buffer[]) {
  const cutter = new LineSplitter()
  return [...pieces.flatMap((piece) => cutter.push(piece)), ...cutter.flush()]
}

const texts = (...pieces: (string | Buffer)[]) =>
  cut(pieces.map((piece) => Buffer.from(piece))).map(
    ({ number, text, failure }) => `${number}:${failure?.message ?? text.trim()}`,
  )

test('lines are numbered from 1, blank ones counted and left out', () => {
  const cases: [why: string, text: string, lines: string[]][] = [
    ['nothing', '', []],
    ['ended', 'a\nb\n', ['1:a', '2:b']],
    ['the last one not ended', 'a\nb', ['1:a', '2:b']],
    ['ended as in other systems', 'a\r\nb\r\n', ['1:a', '2:b']],
    ['blank ones', '\n \na\n\r\n\t\nb\n\n', ['3:a', '6:b']],
    ['a byte order mark', '\ufeffa\nb', ['1:a', '2:b']],
  ]
  for (const [why, text, lines] of cases) assert.deepEqual(texts(text), lines, why)
})

test('a line that is no text is refused by its number, and the others are not', () => {
  const broken = Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a])
  assert.deepEqual(texts('a\n', broken, 'b\n'), ['1:a', '2:line: expected text in UTF-8', '3:b'])
})

test('a line that is too long is passed over without being held', () => {
  const piece = Buffer.alloc(65_536, 'x')
  const cutter = new LineSplitter()
  assert.equal(cutter.push(Buffer.from('a\n')).length, 1)
  for (let sent = 0; sent <= longestLine * 3; sent += piece.length)
    assert.deepEqual(cutter.push(piece), [])
  const [long, next] = cutter.push(Buffer.from('x\nb\n'))
  assert.equal(long?.number, 2)
  assert.match(long?.failure?.message ?? '', /^line: expected at most 1048576 bytes$/)
  assert.equal(next?.text, 'b')
  const longest = 'y'.repeat(longestLine)
  assert.deepEqual(
    cut([Buffer.from(`${longest}\n`)]).map(({ bytes }) => bytes),
    [longestLine],
  )
})

test('how the bytes were cut into pieces changes nothing', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constant(''),
    fc.constant('{"a":"é🇦🇷"}'),
  )
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat({ max: 12 })), (lines, sizes) => {
      const whole = Buffer.from(lines.join('\n'))
      const pieces: Buffer[] = []
      let from = 0
      for (const size of sizes) {
        pieces.push(whole.subarray(from, from + size))
        from += size
      }
      pieces.push(whole.subarray(from))
      assert.deepEqual(cut(pieces), cut([whole]))
    }),
  )
})
