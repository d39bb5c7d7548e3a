import assert from 'node:assert/strict'
import { test } from 'node:test'
import { propertyRuns } from '../harness/tier.ts'
import { assertModelConforms } from './conformance.ts'

test('the simulated PostgreSQL answers every statement of a schedule as PostgreSQL does', async () => {
  for (let seed = 1; seed <= propertyRuns(20); seed++) {
    assert.ok((await assertModelConforms(seed)) > 100)
  }
})
