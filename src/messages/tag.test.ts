import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { anaId, brunoId, placeOrder } from '../../test/harness/market.ts'
import {
  createMessagingMarket,
  type MessagingTokens,
  messagesPath,
  placeCustomShippingOrder,
} from '../../test/harness/messaging.ts'
import { multipartForm, uploadFile, uploadForm } from '../../test/harness/upload.ts'
import { routes } from '../app/routes.ts'

let app: TestApp
let talk: MessagingTokens

before(async () => {
  app = await openTestApp()
  talk = await createMessagingMarket(app.client)
})
after(() => app.close())

contract(
  '4',
  'tag=post_sale, another tag or none: every resource of messages answers alike',
  async () => {
    const [free, guided] = [
      await placeCustomShippingOrder(app.client),
      await placeOrder(app.client),
    ]
    const parties = { from: { user_id: anaId }, to: { user_id: brunoId } }
    const about = { user_id: brunoId, resource: 'orders', resource_id: free.id, site_id: 'MLA' }
    const bodies: Readonly<Record<string, object>> = {
      [messagesPath(free.id)]: { ...parties, text: 'Hola' },
      '/messages': { ...parties, to: [about], text: { plain: 'Hola' } },
      [`/messages/action_guide/packs/${guided.id}/option`]: {
        option_id: 'REQUEST_VARIANTS',
        template_id: 'TEMPLATE___REQUEST_VARIANTS___1',
      },
    }
    const posted = await app.client.send('POST', messagesPath(free.id), {
      token: talk.anaToken,
      body: bodies[messagesPath(free.id)],
    })
    const reads = [
      messagesPath(free.id),
      `/messages/${posted.body.id}`,
      '/messages/unread',
      `/messages/unread${messagesPath(free.id).replace('/messages', '')}`,
      `/messages/action_guide/packs/${guided.id}`,
      `/messages/action_guide/packs/${guided.id}/caps_available`,
    ]
    const id = await uploadFile(app.address, { token: talk.anaToken })
    const attachments = '/messages/attachments?site_id=MLA'
    for (const tag of ['', 'tag=post_sale', 'tag=x', 'tag=']) {
      for (const path of reads) {
        const { status, text } = await app.client.get(`${path}?${tag}`, talk.anaToken)
        assert.equal(status, 200, `${path}?${tag}: ${text}`)
      }
      for (const [path, body] of Object.entries(bodies)) {
        const call = { token: talk.anaToken, body }
        const { status, text } = await app.client.send('POST', `${path}?${tag}`, call)
        assert.equal(status, 201, `${path}?${tag}: ${text}`)
      }
      const form = multipartForm({ filename: 'a.txt', content: 'x' })
      const path = `${attachments}&${tag}`
      assert.equal(
        (await uploadForm(app.address, { token: talk.anaToken, path, form })).status,
        201,
      )
      const file = attachments.replace('?', `/${id}?`)
      assert.equal((await app.client.get(`${file}&${tag}`, talk.anaToken)).status, 200)
    }
    const messageRoutes = routes.filter(({ url }) => url.startsWith('/messages'))
    assert.equal(reads.length + Object.keys(bodies).length + 2, messageRoutes.length, 'all of them')
  },
)
