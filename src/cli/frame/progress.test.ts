import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barOf, Progress } from './progress.ts'

const escapes = '\u001b'
const clearsRest = `${escapes}[K`

/** What is written to a terminal, or to something else, while a clock is moved. */
function watch(of: { isTTY: boolean; total?: number }) {
  const written: string[] = []
  let nowMs = 0
  const sink = { write: (text: string) => written.push(text), isTTY: of.isTTY, columns: 100 }
  const total = of.total === undefined ? {} : { total: of.total }
  const progress = new Progress(sink, { unit: 'orders', ...total, now: () => nowMs })
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { written, progress, pass }
}

test('elsewhere than in a terminal there is a line for every tenth, and nothing else', () => {
  const { written, progress } = watch({ isTTY: false, total: 1_000 })
  for (let done = 0; done <= 1_000; done += 7) progress.update(done)
  progress.update(1_000)
  progress.end()
  assert.equal(written.length, 10)
  assert.equal(written[0], '105 of 1000 orders (10 %)\n')
  assert.equal(written.at(-1), '1000 of 1000 orders (100 %)\n')
  assert.ok(!/\r/.test(written.join('')) && !written.join('').includes(escapes))
})

test('of what nobody knows the whole, a line every ten seconds', () => {
  const { written, progress, pass } = watch({ isTTY: false })
  for (let done = 0; done < 300; done++) {
    progress.update(done)
    pass(100)
  }
  assert.deepEqual(written, ['1 orders\n', '101 orders\n', '201 orders\n'])
})

test('in a terminal one line is written over, at most ten times a second, and left as it ended', () => {
  const { written, progress, pass } = watch({ isTTY: true, total: 1_000 })
  for (let done = 0; done < 1_000; done++) {
    progress.update(done)
    pass(1)
  }
  progress.update(1_000)
  progress.end()
  assert.ok(written.length <= 13, String(written.length))
  assert.ok(
    written.slice(0, -1).every((text) => /^\r[^\n]*$/.test(text) && text.endsWith(clearsRest)),
  )
  assert.match(written.at(-2) ?? '', /█{30} 100 % {2}1000 of 1000 orders/)
  assert.equal(written.at(-1), '\n')
})

test('a bar is taken away for what is to stand above it, and drawn anew', () => {
  const { written, progress, pass } = watch({ isTTY: true, total: 10 })
  progress.update(5)
  progress.clear()
  assert.equal(written.at(-1), '\r\u001b[2K')
  progress.clear()
  progress.end()
  assert.equal(written.length, 2, 'there is nothing to take away')
  pass(100)
  progress.update(6)
  assert.match(written.at(-1) ?? '', /6 of 10 orders/)
})

test('a terminal that does not know how wide it is gets a line of eighty', () => {
  const written: string[] = []
  const sink = { write: (text: string) => written.push(text), isTTY: true, columns: 0 }
  new Progress(sink, { unit: 'orders', total: 10 }).update(10)
  assert.match(written[0] ?? '', /10 of 10 orders {2}0:00/)
})

test('a bar fits its terminal, and tells what is left at the pace so far', () => {
  const far = { done: 250, total: 1_000, unit: 'orders', elapsedMs: 20_000 }
  assert.equal(
    barOf(far, 100),
    `${'█'.repeat(7)}${'░'.repeat(23)}  25 %  250 of 1000 orders  1:00 left`,
  )
  for (const columns of [20, 40, 79, 200]) assert.ok(barOf(far, columns).length < columns)
  assert.match(barOf({ ...far, done: 0 }, 100), /0 % {2}0 of 1000 orders$/)
  assert.match(barOf({ ...far, done: 0, total: 0 }, 100), /100 %/)
})
