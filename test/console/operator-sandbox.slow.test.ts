import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type ConsoleFixture,
  type ConsoleTab,
  noBrowser,
  openConsoleFixture,
  restoreSession,
} from '../harness/console.ts'
import { contract } from '../harness/contract.ts'
import { putUser } from '../harness/market.ts'
import { pollUntil } from '../harness/wait.ts'

/** What an operator does to a sandbox, in a browser, in one go: each test goes on where the one before it ended. */
let fixture: ConsoleFixture
let tab: ConsoleTab
let order: string
const skip = noBrowser ?? false

before(async () => {
  if (noBrowser) return
  fixture = await openConsoleFixture()
  tab = await fixture.openTab()
  order = fixture.startupValue('ORDER')
  await restoreSession(
    tab,
    JSON.stringify({ user: null, operatorToken: fixture.startupValue('OPERATOR') }),
  )
})
after(async () => {
  await fixture?.close()
})

const heading = (name: string | RegExp) =>
  tab.page.getByRole('heading', { level: 1, name }).waitFor()
const read = async (path: string) => (await fixture.client.operator('GET', path)).body

test('the sandbox’s clock is moved, and faults are set and ended', { skip }, async () => {
  const { page, pageErrors } = tab
  await tab.goTo('/operator/sandbox')
  await heading('Sandbox')
  await page.getByRole('button', { name: 'Advance by 12h' }).click()
  await page.getByText('12 h ahead of the system clock.').waitFor()
  await page.getByLabel('Duration or time').fill('soon')
  await page.getByRole('button', { name: 'Advance clock' }).click()
  await page.getByText(/^to: expected/).waitFor()
  await page.getByLabel('Fault', { exact: true }).first().selectOption('duplicate')
  await page.getByLabel('Share of notifications').fill('50')
  await page.getByRole('button', { name: 'Add fault' }).first().click()
  await page.getByRole('cell', { name: '50%' }).waitFor()
  const faults = () =>
    read('/operator/sandbox/receiver-faults') as Promise<{ faults: { kind: string }[] }>
  assert.equal((await faults()).faults[0]?.kind, 'duplicate')
  await page.getByRole('button', { name: 'Remove all' }).click()
  await pollUntil('it is ended', async () => (await faults()).faults.length === 0)
  assert.deepEqual(pageErrors, [])
})

test('an order that lacks its buyer is shown without a link to nobody', { skip }, async () => {
  const { page, pageErrors } = tab
  await fixture.client.operator('PUT', '/operator/faults', {
    order_parts: ['buyer', 'feedback', 'shipping'],
  })
  try {
    await tab.goTo(`/operator/orders/${fixture.startupValue('ORDER')}`)
    await page.locator('dt', { hasText: 'Shipment' }).waitFor()
    assert.equal(await page.locator('a[href*="/operator/users/"]').count(), 1, 'the seller')
    assert.equal(await page.locator('a[href$="undefined"]').count(), 0)
    assert.deepEqual(pageErrors, [])
  } finally {
    await fixture.client.operator('PUT', '/operator/faults', { order_parts: [] })
  }
})

contract(
  '6.2',
  'something is made to happen, and the order that it made is opened',
  {
    skip,
  },
  async () => {
    const { page } = tab
    await tab.goTo('/operator/sandbox')
    await page.getByLabel('Event').selectOption('orders_v2')
    await page.getByRole('button', { name: 'Trigger' }).click()
    await page.getByRole('link', { name: /^\/orders\/\d+$/ }).click()
    await heading('Order')
    await page.getByText('Order created').waitFor()
  },
)

test('answers are made to fail, and a fault is ended by its name', { skip }, async () => {
  const { page } = tab
  await tab.goTo('/operator/sandbox')
  const faults = page.locator('section').filter({ hasText: 'API faults' })
  await faults.getByLabel(/^Name/).fill('late-orders')
  await faults.getByLabel('Operation', { exact: true }).fill('/orders/{order_id}')
  await faults.getByLabel('Delay in milliseconds').fill('1')
  await faults.getByRole('button', { name: 'Add fault' }).click()
  await faults.getByRole('cell', { name: 'late-orders', exact: true }).waitFor()
  await fixture.client.get(`/orders/${order}`, fixture.startupValue('SELLER'))
  await faults.getByRole('cell', { name: '1 of 1' }).waitFor()
  await faults.getByRole('button', { name: 'Remove: late-orders' }).click()
  await faults.getByText('No faults').waitFor()
})

test('traffic is begun, followed and stopped', { skip }, async () => {
  const { page } = tab
  const traffic = page.locator('section').filter({ hasText: 'realistic orders' })
  await traffic.getByLabel(/^Orders per minute/).fill('60')
  await traffic.getByLabel(/^Duration in minutes/).fill('500')
  await traffic.getByRole('button', { name: 'Start' }).click()
  await traffic.getByText(/Orders started: [1-9]\d* of 30,000/).waitFor({ timeout: 30_000 })
  await traffic.getByRole('button', { name: 'Stop' }).click()
  await traffic.getByText('Stopped').waitFor()
  await traffic.getByRole('button', { name: 'Start' }).waitFor()
})

test('a world is kept, left and gone back to, once that was said twice', {
  skip,
}, async () => {
  const { page, pageErrors } = tab
  const snapshots = page.locator('section').filter({ hasText: 'Snapshots' })
  await snapshots.getByLabel(/^Name/).fill('before')
  await snapshots.getByRole('button', { name: 'Create snapshot' }).click()
  await snapshots.getByRole('cell', { name: 'before', exact: true }).waitFor({ timeout: 30_000 })
  const id = 987_002
  await putUser(fixture.client, id)
  await snapshots.getByRole('button', { name: 'Restore: before' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Everything created since this snapshot will be lost').waitFor()
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await page.getByText('before restored.').waitFor({ timeout: 30_000 })
  assert.equal((await fixture.client.operator('GET', `/operator/users/${id}`)).status, 404)
  await snapshots.getByRole('button', { name: 'Delete: before' }).click()
  await snapshots.getByText('No snapshots yet').waitFor()
  assert.deepEqual(pageErrors, [])
})
