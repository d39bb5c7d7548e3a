import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ndjsonOf, smallCatalog } from '../harness/catalog-files.ts'
import {
  type ConsoleFixture,
  type ConsoleTab,
  noBrowser,
  openConsoleFixture,
} from '../harness/console.ts'
import { contract } from '../harness/contract.ts'
import { openReceiver, type Receiver } from '../harness/receiver.ts'
import { pollUntil } from '../harness/wait.ts'

/** What an operator does, in a browser, in one go: each test goes on where the one before it ended. */
let fixture: ConsoleFixture
let receiver: Receiver
let tab: ConsoleTab
let order: string
const seller = 100000001
const skip = noBrowser ?? false

before(async () => {
  if (noBrowser) return
  fixture = await openConsoleFixture()
  receiver = await openReceiver()
  tab = await fixture.openTab()
  order = fixture.startupValue('ORDER')
  const settings = { name: 'Feria demo', callback_url: receiver.url, topics: ['orders_v2'] }
  await fixture.client.operator(
    'PUT',
    `/operator/applications/${fixture.startupValue('APPLICATION')}`,
    settings,
  )
})
after(async () => {
  await fixture?.close()
  await receiver?.close()
})

const heading = (name: string | RegExp) =>
  tab.page.getByRole('heading', { level: 1, name }).waitFor()
const read = async (path: string) => (await fixture.client.operator('GET', path)).body

test('the operator comes in by the sandbox’s token, and sees how the marketplace is doing', {
  skip,
}, async () => {
  const { page } = tab
  await tab.goTo('/')
  await page.getByRole('button', { name: 'Use the sandbox token' }).click()
  await page.getByRole('link', { name: 'Go to overview' }).click()
  await heading('Overview')
  await page.getByRole('figure', { name: 'Orders per day' }).waitFor()
  await page.getByText('No notifications in this period').waitFor()
  await page.getByRole('link', { name: 'TIENDA_DEL_SUR' }).first().waitFor()
})

test('deliveries show in the charts, and in the table that says the same', {
  skip,
}, async () => {
  const { page } = tab
  await fixture.client.operator('PATCH', `/operator/orders/${order}`, { comments: 'one' })
  await pollUntil('it is told', () => receiver.received.length > 0)
  await page.reload()
  const chart = page.getByRole('figure', { name: 'Notifications per minute' })
  await chart.getByText('Show as table').click()
  const busyRow = chart.getByRole('row').filter({ hasText: /[1-9]/ }).last()
  await busyRow.waitFor()
  await page.getByRole('figure', { name: 'Outcomes' }).getByText('100%').waitFor()
  await page.getByText('6 hours', { exact: true }).click()
  await chart.waitFor()
})

test('orders are found by their seller and narrowed by filters with their counts', {
  skip,
}, async () => {
  const { page } = tab
  await page.getByRole('link', { name: 'Orders', exact: true }).click()
  await heading('Orders')
  await page.getByRole('combobox', { name: 'Seller', exact: true }).fill('tienda_del')
  await page.getByRole('option', { name: `TIENDA_DEL_SUR (${seller})` }).click()
  await page.getByRole('button', { name: 'Search' }).click()
  await page.waitForURL(/seller=/)
  const { paging } = (await read(`/operator/orders/search?seller=${seller}&limit=1`)) as {
    paging: { total: number }
  }
  await page
    .getByRole('status')
    .filter({ hasText: `of ${paging.total}` })
    .waitFor()
  const paid = `/operator/orders/search?seller=${seller}&order.status=paid&limit=1`
  const { total } = ((await read(paid)) as typeof paging & { paging: { total: number } }).paging
  await page.getByLabel('Status', { exact: true }).selectOption({ label: `Paid (${total})` })
  await page.getByText('More filters').click()
  await page.getByLabel('Created: from').fill('2020-01-01T00:00')
  await page.getByRole('button', { name: 'Search' }).click()
  await page
    .getByRole('status')
    .filter({ hasText: `of ${total}` })
    .waitFor()
  assert.match(page.url(), /order\.date_created\.from=2020/)
  await page.getByLabel('Search text').fill('zzzz')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByText('No matching orders').waitFor()
  await page.goBack()
  await page
    .getByRole('status')
    .filter({ hasText: `of ${total}` })
    .waitFor()
})

test('an order is seen whole: its history, who was told, and through the eyes of its parties', {
  skip,
}, async () => {
  const { page } = tab
  await tab.goTo('/operator/orders')
  await page.getByLabel('Search text').fill(order)
  await page.getByRole('button', { name: 'Search' }).click()
  await heading('Order')
  await page.getByText('Order created').waitFor()
  const notifications = page.getByRole('table', { name: 'Notifications' })
  await notifications.getByText('Accepted').first().waitFor()
  await notifications.getByText(`/orders/${order}`).first().waitFor()
  const buyerRequest = page.waitForRequest((request) => request.url().endsWith('?as=buyer'))
  await page.getByText('Buyer', { exact: true }).last().click()
  await buyerRequest
  await page.getByText(`GET /operator/orders/${order}?as=buyer`).waitFor()
  await tab.goTo('/operator/orders/1')
  await page.getByText('Order not found.').waitFor()
})

test('a conversation is read as a thread, its files are saved, and it is ended and let go on', {
  skip,
}, async () => {
  const { page } = tab
  await tab.goTo(`/operator/conversations?seller=${seller}`)
  await page.getByRole('table', { name: 'Conversations' }).waitFor()
  await tab.goTo(`/operator/conversations/${fixture.startupValue('TALK')}/${seller}`)
  const thread = page.getByRole('listitem').filter({ hasText: 'factura' })
  const download = page.waitForEvent('download')
  await thread.getByRole('button', { name: 'Download factura.pdf' }).click()
  assert.equal((await download).suggestedFilename(), 'factura.pdf')
  await page.getByRole('button', { name: 'Block for both' }).click()
  await page.getByText('restricted by the operator').first().waitFor()
  await page.getByRole('button', { name: 'Unblock' }).click()
  await page.getByRole('button', { name: 'Block for both' }).waitFor()
})

test('what was held back shows why, and is let pass', { skip }, async () => {
  const { page } = tab
  await page.getByRole('link', { name: 'Moderation' }).click()
  await heading('Moderation')
  const { messages } = (await read('/operator/messages/moderated')) as {
    messages: { id: string; finding: { text: string; rule: string } }[]
  }
  const [newest] = messages
  assert.ok(newest)
  const heldMessage = page.getByRole('listitem').filter({ hasText: newest.finding.text }).first()
  await heldMessage.getByText(newest.finding.rule).waitFor()
  await heldMessage.getByRole('button', { name: 'Release message' }).click()
  await pollUntil('it is available', async () => {
    const { status } = (await read(`/operator/messages/${newest.id}`)) as { status: string }
    return status === 'available'
  })
  await pollUntil('it left the queue', async () => (await heldMessage.count()) === 0)
})

test('a word of the operator’s is refused from then on, as trying a text shows', {
  skip,
}, async () => {
  const { page } = tab
  const text = page.getByLabel(/^Message text/)
  await text.fill('La remera dice trueque')
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText('Would be sent').waitFor()
  await page.getByLabel(/^Word or domain/).fill('trueque')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('cell', { name: 'trueque', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText('Would be held').waitFor()
  await page.locator('mark', { hasText: 'trueque' }).first().waitFor()
  await page.getByRole('button', { name: 'Remove: trueque' }).click()
  await page.getByText('No words or domains yet').waitFor()
})

contract(
  ['2.13', '2.15'],
  'the catalogue is walked down, and a title is explained',
  { skip },
  async () => {
    const { page } = tab
    await page.getByRole('link', { name: 'Catalog' }).click()
    await heading('Catalog')
    await page.getByLabel('Site', { exact: true }).selectOption('MLB')
    await page.waitForURL(/site=MLB/)
    await page.getByRole('main').getByRole('listitem').getByRole('link').first().click()
    await page.getByText('Subcategories').waitFor()
    await page.getByText('max_title_length').waitFor()
    await page.getByRole('link', { name: 'Predictor' }).click()
    await page.getByRole('button', { name: 'Heladera no frost blanca 375 litros' }).click()
    await page.getByRole('heading', { name: /^1\. / }).waitFor()
    await page.getByText('Matching names').first().waitFor()
    await page
      .getByText(/^Score/)
      .first()
      .waitFor()
  },
)

const fileOf = (name: string, text: string) => ({
  name: `${name}.ndjson`,
  mimeType: 'application/x-ndjson',
  buffer: Buffer.from(text),
})

contract(
  '2.13',
  'a catalogue is compared before it is brought into force, and gone back from',
  {
    skip,
  },
  async () => {
    const { page } = tab
    await page.getByRole('link', { name: 'Versions and import' }).click()
    await heading('Versions and import')
    const files = smallCatalog()
    const compare = page.getByRole('button', { name: 'Compare' })
    assert.ok(await compare.isDisabled())
    for (const name of ['categories', 'attributes', 'domains'] as const) {
      const text = name === 'domains' ? '{"id":"x"}\n' : ndjsonOf(files[name])
      await page.locator(`input[name=${name}]`).setInputFiles(fileOf(name, text))
    }
    await compare.click()
    await page.getByText('The catalog could not be imported').waitFor()
    await page
      .getByRole('table', { name: 'The catalog could not be imported' })
      .getByText('domains')
      .first()
      .waitFor()
    await page
      .locator('input[name=domains]')
      .setInputFiles(fileOf('domains', ndjsonOf(files.domains)))
    await compare.click()
    await page.getByText('Compared with version 0').waitFor({ timeout: 30_000 })
    await page
      .getByText(/^Removed: [\d,]+$/)
      .first()
      .waitFor()
    const { in_force } = (await read('/operator/catalog/versions')) as { in_force: number }
    assert.equal(in_force, 0, 'comparing changes nothing')
    await page.getByRole('button', { name: 'Import and activate' }).click()
    await page.getByText('Version 1 is active.').waitFor({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Activate: 0' }).click()
    await page.getByRole('button', { name: 'Activate: 1' }).waitFor({ timeout: 30_000 })
  },
)

test('a user is registered, changed, and given a password', { skip }, async () => {
  const { page } = tab
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await heading('Users')
  await page.getByRole('button', { name: 'Create user' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('User ID').fill('987001')
  await form.getByLabel('Nickname').fill('NUEVA_TIENDA')
  await form.getByRole('button', { name: 'Save' }).click()
  await heading('NUEVA_TIENDA')
  await page.getByLabel('Email').fill('nueva@example.com')
  await page.getByRole('main').getByLabel('Status').selectOption('deactivated')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Deactivated', { exact: true }).first().waitFor()
  const { email, status } = (await read('/operator/users/987001')) as Record<string, string>
  assert.deepEqual([email, status], ['nueva@example.com', 'deactivated'])
  await page.getByLabel('New password').fill('kurz')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText(/^password: expected/).waitFor()
  await page.getByLabel('New password').fill('long enough for anybody')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('Password changed.').waitFor()
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await page.getByLabel('User', { exact: true }).fill('nueva_')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('link', { name: 'NUEVA_TIENDA' }).waitFor()
})

test('an order, a conversation and a user show who changed them and why, with a link to the audit log', {
  skip,
}, async () => {
  const { page } = tab
  const body = { name: 'Support desk', role: 'owner' }
  const key = (await fixture.client.operator('POST', '/operator/keys', body)).body.key
  const headers = { 'x-feria-reason': 'ticket 4711' }
  const talk = `${fixture.startupValue('TALK')}/sellers/${seller}`
  for (const [path, change] of [
    [`orders/${order}`, { comments: 'gift' }],
    [`conversations/packs/${talk}`, { block: 'blocked_by_buyer' }],
  ] as const) {
    const options = { token: key, headers, body: change }
    const answer = await fixture.client.send('PATCH', `/operator/${path}`, options)
    assert.equal(answer.status, 200, answer.text)
  }
  const entryOf = (operation: string) =>
    page.getByRole('listitem').filter({ hasText: operation }).first()
  await tab.goTo(`/operator/conversations/${fixture.startupValue('TALK')}/${seller}`)
  const block = entryOf('PATCH /operator/conversations')
  await block.getByText('Changed by Support desk').waitFor()
  await block.getByText('block: none → blocked_by_buyer').waitFor()
  await page.getByText('Message sent').first().waitFor()
  await tab.goTo('/operator/users/987001')
  const password = entryOf('PUT /operator/users/{id}/password')
  await password.getByText('Changed by the bearer of the operator token').waitFor()
  await page.getByText('User created').waitFor()
  await tab.goTo(`/operator/orders/${order}`)
  // The history of an order has the oldest first.
  const comment = page.getByRole('listitem').filter({ hasText: 'PATCH /operator/orders/' }).last()
  await comment.getByText('Changed by Support desk').waitFor()
  await comment.getByText('Reason: ticket 4711').waitFor()
  await comment.getByText(/^comments: .* → gift$/).waitFor()
  await comment.getByRole('link', { name: 'View in the audit log' }).click()
  await heading('Audit log')
  const log = page.getByRole('table', { name: 'Audit log' })
  await log.getByText(`order:${order}`).first().waitFor()
})

test('what fails says what to do, and is tried again', { skip }, async () => {
  const { page } = tab
  await page.route('**/operator/orders/figures*', (route) => route.abort())
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.reload()
  await page
    .getByText(/did not respond/)
    .first()
    .waitFor({ timeout: 30_000 })
  await page.unroute('**/operator/orders/figures*')
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await page.getByRole('figure', { name: 'Orders per day' }).waitFor()
})
