import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  openConsoleFixture,
  readStoredSession,
  restoreSession,
  signInDemoSeller,
  type Viewport,
} from '../harness/console.ts'
import { openReceiver } from '../harness/receiver.ts'
import { pollUntil } from '../harness/wait.ts'

/** `node test/console/screenshots.ts [folder]`: pictures of the pages, to be looked at; those that the
 * README shows go to `docs/images`. */
const folder = process.argv[2] ?? 'docs/images'
mkdirSync(folder, { recursive: true })

const fixture = await openConsoleFixture()
const receiver = await openReceiver()
const signed = await fixture.openTab()
await signInDemoSeller(signed)
const session = await readStoredSession(signed)
await signed.context.close()

const id = fixture.startupValue('APPLICATION')
await fixture.client.operator('PUT', `/operator/applications/${id}`, {
  name: 'Feria demo',
  callback_url: receiver.url,
  topics: ['orders_v2', 'payments', 'shipments', 'messages', 'questions', 'items'],
})
const main = join(import.meta.dirname, '../../src/cli/main.ts')
for (const [answers, topic] of [
  [200, 'orders_v2'],
  [200, 'questions'],
  [503, 'payments'],
  [200, 'messages'],
] as const) {
  receiver.responseStatus = answers
  const receivedCount = receiver.received.length
  execFileSync(process.execPath, [main, 'trigger', topic, '--server', fixture.address])
  await pollUntil('it is told', () => receiver.received.length > receivedCount)
}

const shots: [name: string, path: string, look: Partial<Viewport>, open?: RegExp][] = [
  ['console-feed', `/applications/${id}/feed`, {}],
  ['console-application', `/applications/${id}`, { scheme: 'dark' }],
]
const others: typeof shots = [
  ['welcome', '/', { language: 'es' }],
  ['applications', '/applications', {}],
  ['new', '/applications/new', {}],
  ['delivery', `/applications/${id}/feed`, { scheme: 'dark' }, /collections/],
  ['feed-phone', `/applications/${id}/feed`, { width: 390, language: 'es' }],
  ['replays-phone', `/applications/${id}/replays`, { width: 390, scheme: 'dark' }],
  ['replays', `/applications/${id}/replays`, {}],
  ['settings', `/applications/${id}/settings`, { language: 'pt' }],
  ['grants', `/applications/${id}/grants`, {}],
  ['explain', `/applications/${id}/explain?resource=/orders/1`, {}],
  ['tokens', '/tokens', { scheme: 'dark' }],
  ['try', '/try', {}],
  ['call', '/try?op=PUT%20%2Fapplications%2F%7Bapplication_id%7D', { language: 'es' }],
]
for (const [name, path, look, open] of folder === 'docs/images' ? shots : [...shots, ...others]) {
  const tab = await fixture.openTab(look)
  await restoreSession(tab, session)
  await tab.goTo(path)
  const { page } = tab
  if (open) {
    await page.getByRole('button', { name: open }).first().click()
    await page.waitForTimeout(400)
  }
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
  await tab.context.close()
}
await fixture.close()
await receiver.close()
