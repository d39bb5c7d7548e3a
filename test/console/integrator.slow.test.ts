import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type ConsoleFixture,
  type ConsoleTab,
  noBrowser,
  openConsoleFixture,
  signInDemoSeller,
} from '../harness/console.ts'
import { openReceiver, type Receiver } from '../harness/receiver.ts'
import { pollUntil } from '../harness/wait.ts'

/** What an integrator does, in a browser, in one go: each test goes on where the one before it ended. */
let fixture: ConsoleFixture
let receiver: Receiver
let tab: ConsoleTab
let order: string
let application: string

before(async () => {
  if (noBrowser) return
  fixture = await openConsoleFixture()
  receiver = await openReceiver()
  tab = await fixture.openTab()
  order = fixture.startupValue('ORDER')
})
after(async () => {
  await fixture?.close()
  await receiver?.close()
})

const skip = noBrowser ?? false

/** Something happens to an order of the demo seller. */
let commentCount = 0
async function commentOnOrder(): Promise<void> {
  const body = { comments: `said ${commentCount++}` }
  const { status } = await fixture.client.operator('PATCH', `/operator/orders/${order}`, body)
  assert.equal(status, 200)
}

test('a seller signs in to the console by the authorisation page', { skip }, async () => {
  const { page } = tab
  await signInDemoSeller(tab)
  await page.getByRole('link', { name: 'Go to applications' }).click()
  await page.getByRole('heading', { level: 1, name: 'Applications' }).waitFor()
  await page.getByRole('link', { name: 'Feria demo' }).waitFor()
  assert.ok(!page.url().includes('code='), 'the code is gone from the address')
})

test('an application is made, and its secret is seen once', { skip }, async () => {
  const { page } = tab
  await page.getByRole('link', { name: 'Create application' }).click()
  await page.getByLabel('Name').fill('Stock keeper')
  await page.getByLabel('Callback').fill('nowhere')
  const make = page.getByRole('button', { name: 'Create application' })
  await make.click()
  await page.getByText(/^callback_url: expected/).waitFor()
  await page.getByLabel('Callback').fill(receiver.url)
  await make.click()
  const secret = await page.getByTestId('secret').innerText()
  assert.match(secret, /^[0-9a-f]{40}$/)
  await page.getByRole('link', { name: 'Go to application' }).click()
  await page.getByRole('heading', { level: 1, name: 'Stock keeper' }).waitFor()
  application = /applications\/(\d+)/.exec(page.url())?.[1] ?? ''
  await page.reload()
  await page.getByText(receiver.url).waitFor()
  assert.ok(!(await page.content()).includes(secret))
})

test('its owner authorises it, and is listed', { skip }, async () => {
  const { page } = tab
  await page.getByRole('link', { name: 'Authorizations' }).click()
  await page.getByText('No authorizations yet').waitFor()
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('button', { name: 'Create token' }).click()
  assert.match(await page.getByTestId('secret').innerText(), /^APP_USR-/)
  await page.getByRole('link', { name: 'Authorizations' }).click()
  await page.getByRole('cell', { name: '100000001' }).waitFor()
})

test('the feed follows what happens, and shows it whole', { skip }, async () => {
  const { page } = tab
  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.getByText('No notifications yet').waitFor()
  await page.getByText('npm run feria -- trigger orders_v2').waitFor()
  await commentOnOrder()
  const row = page.getByRole('button', { name: `/orders/${order}` })
  await row.waitFor()
  await page.getByText('Accepted · 200').waitFor()
  await row.press('Enter')
  const drawer = page.getByRole('dialog')
  const lastDelivery = receiver.received.at(-1)
  await drawer.getByText(lastDelivery?.headers['webhook-signature'] as string).waitFor()
  await drawer.getByText(`"/orders/${order}"`).waitFor()
  await drawer.getByText('thank you').waitFor()
  await drawer.getByRole('button', { name: 'Copy as cURL' }).click()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.ok(copied.startsWith(`curl -X POST '${receiver.url}'`), copied)
  assert.ok(copied.includes(lastDelivery?.text ?? 'the body'))
})

test('one notification is sent now, from where it is looked at', { skip }, async () => {
  const { page } = tab
  const before = receiver.received.length
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: 'Send now' }).click()
  await drawer.getByText('Sent: Accepted').waitFor()
  assert.equal(receiver.received.length, before + 1)
  assert.equal(receiver.received.at(-1)?.body.attempts, 2)
  await drawer.getByText('"attempts": 2').waitFor()
})

test('why it arrived is explained', { skip }, async () => {
  const { page } = tab
  await page.getByRole('dialog').getByRole('link', { name: 'Explain' }).click()
  await page.getByText('Delivered', { exact: true }).waitFor()
  await page.getByText('Your callback accepted the notification.').waitFor()
  await page.getByLabel('Resource').fill('/orders/1')
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.getByText('No changes found').waitFor()
})

test('what was refused is found by its filter, and retried', { skip }, async () => {
  const { page } = tab
  receiver.responseStatus = 503
  await commentOnOrder()
  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.getByText('Rejected · 503').waitFor()
  await page.getByText('Not accepted', { exact: true }).click()
  await page.waitForURL(/missed=1/)
  await page.getByLabel('Outcome').selectOption('timeout')
  await page.getByText('No notifications match these filters').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('button', { name: `/orders/${order}` }).click()
  receiver.responseStatus = 200
  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByText('Sent: Accepted').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('All notifications were accepted').waitFor()
})

test('deliveries are paused, wait, and go on', { skip }, async () => {
  const { page } = tab
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused', { exact: true }).waitFor()
  const before = receiver.received.length
  await commentOnOrder()
  const queue = `/operator/applications/${application}/queue`
  await pollUntil('one that waits', async () => {
    const { waiting } = (await fixture.client.operator('GET', queue)).body
    return waiting === 1
  })
  assert.equal(receiver.received.length, before)
  await page.getByLabel('Resume with').selectOption('catch_up')
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('Open', { exact: true }).waitFor()
  await pollUntil('it is told', () => receiver.received.length === before + 1)
})

test('a span is counted, sent once more, and followed to its end', { skip }, async () => {
  const { page } = tab
  await page.getByRole('link', { name: 'Replays' }).click()
  await page.getByText('No replays yet').waitFor()
  await page.getByRole('button', { name: 'Count' }).click()
  await page.getByText('Notifications to send: 3').waitFor()
  const before = receiver.received.length
  await page.getByRole('button', { name: 'Start replay' }).click()
  await page.getByText('Finished').waitFor()
  await page.getByText('3 of 3, 0 not accepted').waitFor()
  assert.equal(receiver.received.length, before + 3)
})

test('an application is changed, and gets other secrets', { skip }, async () => {
  const { page } = tab
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('Name').fill('Order keeper')
  await page.getByLabel('Redirect URIs').fill('ftp://x/')
  const save = page.getByRole('button', { name: 'Save' })
  await save.click()
  await page.getByText(/^redirect_uris\[0\]: expected/).waitFor()
  await page.getByLabel('Redirect URIs').fill('https://app.example/callback')
  await save.click()
  await page.getByText('Changes saved.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Order keeper' }).waitFor()
  await page.getByRole('button', { name: 'Create new secret' }).click()
  assert.match(await page.getByTestId('secret').innerText(), /^[0-9a-f]{40}$/)
  await page.getByRole('button', { name: 'Create new signing secret' }).click()
  await page
    .getByText(/^whsec_/)
    .last()
    .waitFor()
})

test('tokens and test users are made, each shown once', { skip }, async () => {
  const { page } = tab
  await page.getByRole('link', { name: 'Tokens' }).click()
  await page.getByRole('button', { name: 'Create token' }).click()
  assert.match(await page.getByTestId('secret').innerText(), /^APP_USR-.*-100000001$/)
  await page.getByRole('button', { name: 'Create test user' }).click()
  await page.getByText(/^User \d+, TETE\d+: password$/).waitFor()
})

test('any operation of the reference is tried with one’s own token', { skip }, async () => {
  const { page } = tab
  await page.getByRole('link', { name: 'API explorer' }).click()
  await page.getByLabel('Find an operation').fill('get /orders/{order_id}')
  await page.getByRole('button', { name: /^GET \/orders\/\{order_id\} / }).click()
  await page.getByLabel('order_id').fill(order)
  await page.getByText(`/orders/${order}'`).waitFor()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('200 OK').waitFor()
  await page.getByRole('region', { name: 'Response' }).getByText(`"id"`).first().waitFor()
  await page.getByText('Anonymous', { exact: true }).click()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('401 Unauthorized').waitFor()
})

test('who signs out is out, here and at the service', { skip }, async () => {
  const { page, pageErrors } = tab
  const session = await page.evaluate(() => sessionStorage.getItem('feria-console-session'))
  const { accessToken } = JSON.parse(session ?? '').user
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Welcome to Feria' }).waitFor()
  const read = () => fixture.client.get('/users/me', accessToken)
  await pollUntil('the token is refused', async () => (await read()).status === 401)
  await tab.goTo(`/applications/${application}`)
  await page.getByText('Sign in to view this page.').waitFor()
  assert.deepEqual(pageErrors, [])
})

test('the operator comes in by the token, sees every application, and a wrong one is told so', {
  skip,
}, async () => {
  const { page, pageErrors } = tab
  await tab.goTo('/operator/applications')
  await page.getByLabel('Operator token').fill('not it at all, this one')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('This operator token is not valid.').waitFor()
  await page.getByLabel('Operator token').fill(fixture.startupValue('OPERATOR'))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('link', { name: 'Order keeper' }).click()
  await page.getByRole('link', { name: 'Notifications' }).click()
  await page
    .getByRole('button', { name: `/orders/${order}` })
    .first()
    .waitFor()
  await page.getByRole('link', { name: 'Tokens' }).click()
  await page.getByLabel('User ID').fill('100000101')
  await page.getByLabel('Application', { exact: true }).selectOption('Order keeper')
  await page.getByRole('button', { name: 'Create token' }).click()
  assert.match(await page.getByTestId('secret').innerText(), /^APP_USR-.*-100000101$/)
  assert.deepEqual(pageErrors, [])
})
