import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { anaId, brunoId, createTestMarket, putItem } from '../../test/harness/market.ts'
import { drain } from '../../test/harness/wait.ts'
import { encodeModel } from '../catalog/learning/checkpoints.ts'
import { TrainedModels } from '../catalog/learning/trained-models.ts'
import { sql } from '../platform/database/sql.ts'
import { eraseNextBatches } from './commands.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
  await putItem(app.client, 'MLA3001', { seller_id: brunoId, title: 'Mesa plegable' })
  await app.runPendingWork()
})
after(() => app.close())

/** Returns the models of all sites as bytes. */
async function encodedModels(models: TrainedModels): Promise<string[]> {
  const encoded: string[] = []
  for (const [siteId, model] of models.bySite) {
    const parts = await encodeModel(model)
    encoded.push(`${siteId} ${parts.map((part) => Buffer.from(part).toString('hex')).join()}`)
  }
  return encoded.sort()
}

test('a process that has not followed the log yet learns what others have unlearned', async () => {
  const late = new TrainedModels(app.ctx)
  await drain(() => late.trainNextBatches())
  const before = await encodedModels(late)
  await app.client.operator('POST', `/operator/users/${anaId}/erasure`)
  for (let isFinished = false; !isFinished; ) {
    await drain(() => eraseNextBatches(app.ctx))
    await app.runPendingWork()
    const { body } = await app.client.operator('GET', `/operator/users/${anaId}/erasure`)
    isFinished = body.state === 'finished'
  }
  const titles = await app.ctx.db.rows(sql`
    select position from lessons where entries::text like '%Pava%'`)
  assert.deepEqual(titles, [])
  await drain(() => late.trainNextBatches())
  const current = await encodedModels(app.ctx.trainedModels)
  assert.deepEqual(await encodedModels(late), current)
  assert.notDeepEqual(current, before)
})
