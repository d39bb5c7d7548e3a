import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openConsoleFixture, restoreSession, type Viewport } from '../harness/console.ts'
import { openReceiver } from '../harness/receiver.ts'

/** `node test/console/operator-screenshots.ts [folder]`: pictures of the operator's pages, to be looked at;
 * those that the README shows go to `docs/images`. */
const folder = process.argv[2] ?? 'docs/images'
mkdirSync(folder, { recursive: true })

const fixture = await openConsoleFixture()
const receiver = await openReceiver()
const application = `/operator/applications/${fixture.startupValue('APPLICATION')}`
const topics = ['orders_v2', 'payments', 'shipments', 'messages']
await fixture.client.operator('PUT', application, {
  name: 'Feria demo',
  callback_url: receiver.url,
  topics,
})

/** Most of an hour: each minute some orders change, and are told. */
const response = await fixture.client.operator(
  'GET',
  '/operator/orders/search?seller=100000001&limit=100',
)
const { results } = response.body as { results: { id: number }[] }
for (let minute = 0; minute < 52; minute++) {
  receiver.responseStatus = minute % 9 === 4 ? 503 : 200
  const count = 3 + Math.round(2 * Math.sin(minute / 5)) + (minute % 3)
  for (let n = 0; n < count; n++) {
    const { id } = results[(minute * 13 + n * 7) % results.length] as { id: number }
    await fixture.client.operator('PATCH', `/operator/orders/${id}`, { comments: `${minute}.${n}` })
  }
  // Told before the clock moves on.
  for (let before = -1; before < receiver.received.length; ) {
    before = receiver.received.length
    await wait(150)
  }
  await fixture.client.operator('POST', '/operator/clock', { advance: '60s' })
}

const title = encodeURIComponent('Pava eléctrica de acero 1,7 litros')
const order = fixture.startupValue('ORDER')
const shots: [name: string, path: string, look: Partial<Viewport>][] = [
  ['console-overview', '/operator', {}],
  ['console-predictor', `/operator/catalogue/predictor?site=MLA&q=${title}`, { scheme: 'dark' }],
]
const others: typeof shots = [
  ['overview-phone', '/operator', { width: 390, scheme: 'dark', language: 'es' }],
  ['orders', '/operator/orders?seller=100000001', {}],
  ['orders-phone', '/operator/orders?seller=100000001', { width: 390, language: 'pt' }],
  ['order', `/operator/orders/${order}`, { scheme: 'dark', language: 'es' }],
  ['order-phone', `/operator/orders/${order}`, { width: 390 }],
  [
    'thread',
    `/operator/conversations/${fixture.startupValue('TALK')}/100000001`,
    { scheme: 'dark' },
  ],
  [
    'thread-phone',
    `/operator/conversations/${fixture.startupValue('TALK')}/100000001`,
    { width: 390 },
  ],
  ['moderation', '/operator/moderation', { language: 'pt', scheme: 'dark' }],
  ['moderation-phone', '/operator/moderation', { width: 390 }],
  ['catalogue', '/operator/catalogue', { language: 'es' }],
  ['category-phone', '/operator/catalogue?category=MLB1055', { width: 390, scheme: 'dark' }],
  ['predictor-phone', `/operator/catalogue/predictor?site=MLA&q=${title}`, { width: 390 }],
  ['versions', '/operator/catalogue/versions', {}],
  ['users', '/operator/users', { scheme: 'dark' }],
  ['user-phone', '/operator/users/100000001', { width: 390, language: 'es' }],
  ['sandbox', '/operator/sandbox', { scheme: 'dark', language: 'es' }],
  ['sandbox-phone', '/operator/sandbox', { width: 390, language: 'pt' }],
]
const session = JSON.stringify({ user: null, operatorToken: fixture.startupValue('OPERATOR') })
const isWhole = folder !== 'docs/images'
for (const [name, path, look] of isWhole ? [...shots, ...others] : shots) {
  const tab = await fixture.openTab(look)
  await restoreSession(tab, session)
  await tab.goTo(path)
  const { page } = tab
  const file = join(folder, `${name}.png`)
  await page.screenshot({ path: file, animations: 'disabled', fullPage: isWhole })
  await tab.context.close()
}
await fixture.close()
await receiver.close()
