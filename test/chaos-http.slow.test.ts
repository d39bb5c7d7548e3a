import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cells } from './chaos/http/cells.ts'
import { runHttpCell, scales } from './chaos/http/run-cell.ts'
import { formatHttpResult, isClean } from './chaos/http/run-cells.ts'
import { contract } from './harness/contract.ts'

/** Some cells of `npm run chaos` in their short form: docs/reliability.md says what each does. */
const names = [
  'kill-process',
  'kill-everything',
  'kill-backend',
  'paused',
  'read-only',
  'late-commit-clock',
  'sigterm',
  'first-start',
  'embedded-kill',
]

for (const name of names) {
  const cell = cells[name]
  assert.ok(cell, name)
  contract(
    '6.3',
    `what was acknowledged is stored once and notified in time: ${cell.name}`,
    async () => {
      const row = await runHttpCell(cell, scales.short)
      assert.ok(row.acknowledged > 0, 'something was acknowledged')
      assert.ok(isClean(row), formatHttpResult(row))
    },
  )
}

test('a small disk of its own that is full refuses writes, and loses none', {
  skip: cells['disk-full']?.skipReason?.() ?? false,
}, async () => {
  const cell = cells['disk-full']
  assert.ok(cell)
  const row = await runHttpCell(cell, scales.short)
  assert.ok(isClean(row), formatHttpResult(row))
})
