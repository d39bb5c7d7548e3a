import assert from 'node:assert/strict'
import { test } from 'node:test'
import { didYouMean, nearest } from './suggest.ts'

const candidates = [
  'start',
  'status',
  'serve',
  'seed',
  'deliveries',
  '--since',
  'FERIA_HISTORY_DAYS',
]

test('a slip of the finger is known for what was meant, and nothing is made up', () => {
  const cases: [written: string, expected: string | undefined][] = [
    ['strat', 'start'],
    ['star', 'start'],
    ['sevre', 'serve'],
    ['sed', 'seed'],
    ['delivery', 'deliveries'],
    ['deliv', 'deliveries'],
    ['--sice', '--since'],
    ['FERIA_HISTORY_DAY', 'FERIA_HISTORY_DAYS'],
    ['dance', undefined],
    ['x', undefined],
    ['', undefined],
    // Several begin so: none of them is offered.
    ['st', undefined],
  ]
  for (const [written, expected] of cases)
    assert.equal(nearest(written, candidates), expected, written)
  assert.equal(didYouMean('strat', candidates), ' Did you mean "start"?')
  assert.equal(didYouMean('dance', candidates), '')
})
