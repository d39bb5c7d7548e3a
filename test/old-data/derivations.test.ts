import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { derivationNames, derivations } from '../../src/app/derivations.ts'
import { TrainedModels } from '../../src/catalog/learning/trained-models.ts'
import { Learner } from '../../src/listings/learning/learner.ts'
import { dayOf, wordHash } from '../../src/orders/facets.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { modelFormat } from '../../src/predictor/model/features.ts'
import { openTestApp, type TestApp } from '../harness/app.ts'
import { anaId, createTestMarket } from '../harness/market.ts'
import { drain } from '../harness/wait.ts'
import { earlierVersions } from './earlier-versions.ts'
import { copiedColumns, expiringColumns, sourceColumns } from './other-columns.ts'

/** No derivation without a version, and none without rows of earlier versions in the test kit. */

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
})
after(() => app.close())

const namesIn = (lists: readonly Readonly<Record<string, readonly string[]>>[]) =>
  lists
    .flatMap((tables) =>
      Object.entries(tables).flatMap(([table, columns]) =>
        columns.map((column) => `${table}.${column}`),
      ),
    )
    .sort()

test('every column of the schema is a source, a copy, or of one derivation', async () => {
  const rows = await app.ctx.db.rows<{ name: string }>(sql`
    select c.relname || '.' || a.attname as name
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped`)
  const derived = Object.values(derivations).map(({ columns }) => columns)
  const sorted = namesIn([...derived, sourceColumns, copiedColumns, expiringColumns])
  assert.deepEqual(sorted, rows.map(({ name }) => name).sort())
})

test('the test kit has rows of earlier versions for every derivation', () => {
  assert.deepEqual(Object.keys(earlierVersions).sort(), [...derivationNames].sort())
  for (const [name, old] of Object.entries(earlierVersions))
    assert.ok(Object.keys(old).length > 0, name)
})

test('formats by which counts are kept stay as they are', () => {
  assert.deepEqual(['pava', 'eléctrica', 'ñ', '30'].map(wordHash), [
    '-870104420451790110',
    '-5401828032176752124',
    '165429257635006881',
    '7082861240554195963',
  ])
  assert.deepEqual(
    ['1970-01-01T00:00:00.000Z', '2026-03-10T23:59:59.999Z', '1969-12-31T23:59:59.999Z'].map(
      (moment) => dayOf(new Date(moment)),
    ),
    [0, 20522, -1],
  )
})

test('lessons of an earlier format are counted as such, and learned anew', async () => {
  await app.client.operator('PUT', '/operator/items/MLA501', {
    seller_id: anaId,
    site_id: 'MLA',
    category_id: 'MLA1443',
    currency_id: 'ARS',
    title: 'Zzmesa zzrara',
    price: 10,
    available_quantity: 5,
  })
  const learner = new Learner(app.ctx, { checkpointAfter: 1 })
  await drain(() => learner.turn())
  await app.ctx.db.rows(sql`
    update lesson_head set snapshot_format = ${earlierVersions.lessons['an earlier format'].format}`)
  const countOutdated = () => derivations.lessons.countOutdated(app.ctx.db).then(Number)
  assert.ok((await countOutdated()) > 0)
  const next = new Learner({ ...app.ctx, trainedModels: new TrainedModels(app.ctx) })
  await drain(() => next.turn())
  assert.equal(await countOutdated(), 0)
  const head = await app.ctx.db.row<{ format: number }>(sql`
    select snapshot_format as format from lesson_head`)
  assert.equal(head?.format, modelFormat)
})
