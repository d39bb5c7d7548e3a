import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type ConsoleStage,
  type Looking,
  noBrowser,
  openConsole,
  takeAlong,
} from '../harness/console.ts'
import { contract } from '../harness/contract.ts'
import { until } from '../harness/program.ts'

/** What an operator does to a sandbox, in a browser, in one go: each test goes on where the one before it ended. */
let stage: ConsoleStage
let looking: Looking
let order: string
const skip = noBrowser ?? false

before(async () => {
  if (noBrowser) return
  stage = await openConsole()
  looking = await stage.open()
  order = stage.told('ORDER')
  await takeAlong(looking, JSON.stringify({ user: null, operatorToken: stage.told('OPERATOR') }))
})
after(async () => {
  await stage?.close()
})

const heading = (name: string | RegExp) =>
  looking.page.getByRole('heading', { level: 1, name }).waitFor()
const read = async (path: string) => (await stage.operator('GET', path)).json()

test('the sandbox’s clock is moved, and faults are set and ended', { skip }, async () => {
  const { page, errors } = looking
  await looking.go('/operator/sandbox')
  await heading('Sandbox')
  await page.getByRole('button', { name: 'Ahead by 12h' }).click()
  await page.getByText('12 hours ahead of the machine’s clock.').waitFor()
  await page.getByLabel('Ahead by, or to').fill('soon')
  await page.getByRole('button', { name: 'Move it' }).click()
  await page.getByText(/^to: expected/).waitFor()
  await page.getByLabel('Kind').first().selectOption('duplicate')
  await page.getByLabel('Share of notifications').fill('50')
  await page.getByRole('button', { name: 'Set it' }).first().click()
  await page.getByRole('cell', { name: '50 %' }).waitFor()
  const faults = () =>
    read('/operator/sandbox/receiver-faults') as Promise<{ faults: { kind: string }[] }>
  assert.equal((await faults()).faults[0]?.kind, 'duplicate')
  await page.getByRole('button', { name: 'End all' }).click()
  await until('it is ended', async () => (await faults()).faults.length === 0)
  assert.deepEqual(errors, [])
})

contract(
  '6.2',
  'something is made to happen, and the order that it made is opened',
  {
    skip,
  },
  async () => {
    const { page } = looking
    await looking.go('/operator/sandbox')
    await page.getByLabel('What happens').selectOption('orders_v2')
    await page.getByRole('button', { name: 'Let it happen' }).click()
    await page.getByRole('link', { name: /^\/orders\/\d+$/ }).click()
    await heading('Order')
    await page.getByText('The order was made').waitFor()
  },
)

test('answers are made to fail, and a fault is ended by its name', { skip }, async () => {
  const { page } = looking
  await looking.go('/operator/sandbox')
  const faults = page.locator('section').filter({ hasText: 'Faults of answers' })
  await faults.getByLabel(/^Name/).fill('late-orders')
  await faults.getByLabel('Of', { exact: true }).fill('/orders/{order_id}')
  await faults.getByLabel('Late by, in milliseconds').fill('1')
  await faults.getByRole('button', { name: 'Set it' }).click()
  await faults.getByRole('cell', { name: 'late-orders', exact: true }).waitFor()
  const headers = { authorization: `Bearer ${stage.told('SELLER')}` }
  await fetch(`${stage.address}/orders/${order}`, { headers })
  await faults.getByRole('cell', { name: '1 of 1' }).waitFor()
  await faults.getByRole('button', { name: 'End it: late-orders' }).click()
  await faults.getByText('Nothing is made to fail').waitFor()
})

test('traffic is begun, followed and stopped', { skip }, async () => {
  const { page } = looking
  const traffic = page.locator('section').filter({ hasText: 'Believable sales' })
  await traffic.getByLabel(/^Orders a minute/).fill('60')
  await traffic.getByLabel(/^For minutes/).fill('500')
  await traffic.getByRole('button', { name: 'Begin' }).click()
  await traffic.getByText(/[1-9]\d* of 30,000 sales begun/).waitFor({ timeout: 30_000 })
  await traffic.getByRole('button', { name: 'Stop' }).click()
  await traffic.getByText('stopped').waitFor()
  await traffic.getByRole('button', { name: 'Begin' }).waitFor()
})

test('a world is kept, left and gone back to, once that was said twice', {
  skip,
}, async () => {
  const { page, errors } = looking
  const worlds = page.locator('section').filter({ hasText: 'Kept worlds' })
  await worlds.getByLabel(/^Name/).fill('before')
  await worlds.getByRole('button', { name: 'Keep this world' }).click()
  await worlds.getByRole('cell', { name: 'before', exact: true }).waitFor({ timeout: 30_000 })
  const { id } = (await (
    await stage.operator('PUT', '/operator/users/987002', { site_id: 'MLA', nickname: 'LATER' })
  ).json()) as { id: number }
  await worlds.getByRole('button', { name: 'Go back to it: before' }).click()
  const asked = page.getByRole('dialog')
  await asked.getByText('Everything that has come since is gone').waitFor()
  await asked.getByRole('button', { name: 'Go back to it' }).click()
  await page.getByText('Back in before.').waitFor({ timeout: 30_000 })
  assert.equal((await stage.operator('GET', `/operator/users/${id}`)).status, 404)
  await worlds.getByRole('button', { name: 'Remove: before' }).click()
  await worlds.getByText('No world is kept').waitFor()
  assert.deepEqual(errors, [])
})
