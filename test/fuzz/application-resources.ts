import type { TestApp } from '../harness/app.ts'
import { anaId, applicationId, placeOrder, putApplication } from '../harness/market.ts'
import type { KnownValues } from './values.ts'

/** A notification of the application, which is ana's, has been tried at a callback that refuses at once. */
export async function createApplicationResources(app: TestApp): Promise<KnownValues> {
  const callback_url = 'http://127.0.0.1:9/'
  await putApplication(app.client, applicationId, { callback_url, owner_id: anaId })
  await placeOrder(app.client)
  await app.runPendingWork()
  const url = `/operator/applications/${applicationId}/missed_feeds?limit=1`
  const { body } = await app.client.operator('GET', url)
  return { notification_id: [body.messages[0]._id], callback_url: [callback_url] }
}
