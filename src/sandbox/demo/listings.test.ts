import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readDefaultSource } from '../../catalog/source/default.ts'
import { treeOf } from '../../catalog/tree/tree.ts'
import { demoListings } from './listings.ts'

test('what is on sale lies in categories of the default catalogue, where listings may lie', () => {
  const source = readDefaultSource(fileURLToPath(new URL('../../../catalog', import.meta.url)))
  for (const { categoryId, siteId, title } of demoListings()) {
    const category = treeOf(siteId, source).byId.get(categoryId)
    assert.equal(category?.children.length, 0, `${title} in ${categoryId}`)
  }
})
