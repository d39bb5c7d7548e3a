import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filingVersion, itemSetsSince } from '../../src/orders/facets.ts'
import { testReleaseUpgrades } from './release-traffic.ts'
import { Releases } from './releases.ts'

testReleaseUpgrades({ orderCount: 120, releaseCount: 2 })

test('one release can be loaded as two processes, each with modules of its own', async () => {
  const releases = new Releases()
  const release = { version: filingVersion + 1, facets: {}, tokens: [], tokensSince: itemSetsSince }
  try {
    const [first, second] = [await releases.load(release), await releases.load(release)]
    for (const { facets } of [first, second]) assert.equal(facets.filingVersion, release.version)
    assert.notEqual(first.store, second.store)
  } finally {
    releases.close()
  }
})
