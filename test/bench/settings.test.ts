import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { numberSetting, numbersSetting } from '../../bench/settings.ts'

const namesIn = (text: string) => new Set(text.match(/\bFERIA_BENCH_[A-Z]+\b/g))

test('docs/performance.md names every setting of the benchmarks, and no other', () => {
  const sources = globSync('bench/**/*.ts').map((file) => readFileSync(file, 'utf8'))
  const read = namesIn(sources.join('\n'))
  assert.ok(read.size > 5)
  assert.deepEqual(
    [...namesIn(readFileSync('docs/performance.md', 'utf8'))].sort(),
    [...read].sort(),
  )
})

test('a setting that is no positive number is refused with its name', (t) => {
  t.after(() => delete process.env['FERIA_BENCH_TEST'])
  assert.equal(numberSetting('FERIA_BENCH_TEST', 7), 7)
  assert.deepEqual(numbersSetting('FERIA_BENCH_TEST', [1, 2]), [1, 2])
  for (const text of ['', 'many', '0', '-1', '1,2', 'Infinity']) {
    process.env['FERIA_BENCH_TEST'] = text
    assert.throws(() => numberSetting('FERIA_BENCH_TEST', 7), /FERIA_BENCH_TEST: expected/, text)
  }
  for (const text of ['1', '1,2,3', '1,x']) {
    process.env['FERIA_BENCH_TEST'] = text
    assert.throws(() => numbersSetting('FERIA_BENCH_TEST', [1, 2]), /FERIA_BENCH_TEST: expected/)
  }
  process.env['FERIA_BENCH_TEST'] = '50000,500000'
  assert.deepEqual(numbersSetting('FERIA_BENCH_TEST', [1, 2]), [50_000, 500_000])
  const any = { isOfAnyLength: true }
  assert.deepEqual(numbersSetting('FERIA_BENCH_TEST', [1], any), [50_000, 500_000])
})
