import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { ana, bruno, sell } from '../../test/harness/sale.ts'
import { openTalk, pathOf, sellFreely, type Talk } from '../../test/harness/talk.ts'
import { formOf, sendForm, uploadFile } from '../../test/harness/upload.ts'
import { routes } from '../app/routes.ts'

let app: TestApp
let talk: Talk

before(async () => {
  app = await openTestApp()
  talk = await openTalk(app.client)
})
after(() => app.close())

contract(
  '4',
  'tag=post_sale, another tag or none: every resource of messages answers alike',
  async () => {
    const [free, guided] = [await sellFreely(app.client), await sell(app.client)]
    const parties = { from: { user_id: ana }, to: { user_id: bruno } }
    const about = { user_id: bruno, resource: 'orders', resource_id: free.id, site_id: 'MLA' }
    const bodies: Readonly<Record<string, object>> = {
      [pathOf(free.id)]: { ...parties, text: 'Hola' },
      '/messages': { ...parties, to: [about], text: { plain: 'Hola' } },
      [`/messages/action_guide/packs/${guided.id}/option`]: {
        option_id: 'REQUEST_VARIANTS',
        template_id: 'TEMPLATE___REQUEST_VARIANTS___1',
      },
    }
    const posted = await app.client.call('POST', pathOf(free.id), {
      token: talk.ana,
      body: bodies[pathOf(free.id)],
    })
    const reads = [
      pathOf(free.id),
      `/messages/${posted.body.id}`,
      '/messages/unread',
      `/messages/unread${pathOf(free.id).replace('/messages', '')}`,
      `/messages/action_guide/packs/${guided.id}`,
      `/messages/action_guide/packs/${guided.id}/caps_available`,
    ]
    const id = await uploadFile(app.address, { token: talk.ana })
    const attachments = '/messages/attachments?site_id=MLA'
    for (const tag of ['', 'tag=post_sale', 'tag=x', 'tag=']) {
      for (const path of reads) {
        const { status, text } = await app.client.get(`${path}?${tag}`, talk.ana)
        assert.equal(status, 200, `${path}?${tag}: ${text}`)
      }
      for (const [path, body] of Object.entries(bodies)) {
        const call = { token: talk.ana, body }
        const { status, text } = await app.client.call('POST', `${path}?${tag}`, call)
        assert.equal(status, 201, `${path}?${tag}: ${text}`)
      }
      const form = formOf({ filename: 'a.txt', content: 'x' })
      const path = `${attachments}&${tag}`
      assert.equal((await sendForm(app.address, { token: talk.ana, path, form })).status, 201)
      const file = attachments.replace('?', `/${id}?`)
      const headers = { authorization: `Bearer ${talk.ana}` }
      assert.equal((await fetch(`${app.address}${file}&${tag}`, { headers })).status, 200)
    }
    const known = routes.filter(({ url }) => url.startsWith('/messages'))
    assert.equal(reads.length + Object.keys(bodies).length + 2, known.length, 'all of them')
  },
)
