import type { TestApp } from '../harness/app.ts'
import { ana, applicationId, sell } from '../harness/sale.ts'
import type { KnownIds } from './values.ts'

/** A notification of the application, which is ana's, has been tried at a callback that refuses at once. */
export async function makeOwned(app: TestApp): Promise<KnownIds> {
  const callback_url = 'http://127.0.0.1:9/'
  await app.client.operator('PUT', `/operator/applications/${applicationId}`, {
    name: 'Stock keeper',
    callback_url,
    topics: ['orders_v2'],
    owner_id: ana,
  })
  await sell(app.client)
  await app.settle()
  const url = `/operator/applications/${applicationId}/missed_feeds?limit=1`
  const { body } = await app.client.operator('GET', url)
  return { notification_id: [body.messages[0]._id], callback_url: [callback_url] }
}
