import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type ConsoleFixture,
  type ConsoleTab,
  noBrowser,
  openConsoleFixture,
} from '../harness/console.ts'
import {
  accept,
  createAccount,
  operatorPassword,
  setUpTotp,
  signIn,
  trySignIn,
} from '../harness/operators.ts'

/** Accounts of operators and API keys in a browser, in one go: each test goes on where the one before it ended. */
let fixture: ConsoleFixture
let tab: ConsoleTab
/** Of the account, which has two-factor authentication from the third test on. */
let recoveryCodes: string[]
const skip = noBrowser ?? false
const email = 'owner@example.com'

before(async () => {
  if (noBrowser) return
  fixture = await openConsoleFixture()
  tab = await fixture.openTab()
  tab.page.setDefaultTimeout(20_000)
  await createAccount(fixture, { email, role: 'owner', token: fixture.startupValue('OPERATOR') })
})
after(() => fixture?.close())

const heading = (name: string) => tab.page.getByRole('heading', { level: 1, name }).waitFor()

async function enterAccount(password: string): Promise<void> {
  const { page } = tab
  await page.getByLabel('Email').fill(email)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Sign in as operator' }).click()
}

test('an operator signs in with an account, and a wrong password is told so', {
  skip,
}, async () => {
  const { page } = tab
  await tab.goTo('/operator/audit')
  await page.getByText('Sign in as an operator to view this page.').waitFor()
  await enterAccount('a wrong password')
  await page.getByText('The email or the password is wrong.').waitFor()
  await enterAccount(operatorPassword)
  await heading('Audit log')
})

test('who signs out of an account ends its session at the service', { skip }, async () => {
  const { page } = tab
  const stored = await page.evaluate(() => sessionStorage.getItem('feria-console-session'))
  const { operatorToken: token } = JSON.parse(stored ?? '')
  assert.match(token, /^feria_session_/)
  const read = () => fixture.client.get('/operator/accounts/me', token)
  assert.equal((await read()).status, 200)
  await page.getByRole('button', { name: 'Sign out as operator' }).click()
  await heading('Welcome to Feria')
  assert.equal((await read()).status, 401)
})

test('an account with two-factor authentication is asked for a code', { skip }, async () => {
  const { page, pageErrors } = tab
  const program = { client: fixture.client, ctx: { now: () => new Date() } }
  const token = await signIn(fixture, { email })
  recoveryCodes = (await setUpTotp(program, token)).recoveryCodes
  await enterAccount(operatorPassword)
  const code = page.getByLabel('Code')
  await code.waitFor()
  assert.ok(await code.evaluate((input) => input === input.ownerDocument.activeElement))
  await code.fill('not-a-recovery-code')
  await code.press('Enter')
  await page.getByText('The email, the password or the code is wrong.').waitFor()
  await code.fill(recoveryCodes[0] ?? '')
  await code.press('Enter')
  await page.getByRole('link', { name: 'Go to overview' }).waitFor()
  assert.deepEqual(pageErrors, [])
})

test('an operator is invited after the session was verified again, and accepts', {
  skip,
}, async () => {
  const { page } = tab
  await fixture.client.operator('POST', '/operator/clock', { advance: '11m' })
  await page.getByRole('link', { name: 'Operator accounts' }).click()
  await heading('Operator accounts')
  await page.getByLabel('Email').fill('ana@example.com')
  await page.getByLabel('Name').fill('Ana')
  await page.getByLabel('Role').selectOption('finance')
  await page.getByRole('button', { name: 'Create invitation' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  // The password alone does not do for an account with two-factor authentication.
  await dialog.getByLabel('Your password').fill(operatorPassword)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const code = dialog.getByLabel('Your code')
  await code.fill('not-a-recovery-code')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('The code is wrong or was used before.').waitFor()
  await code.fill(recoveryCodes[1] ?? '')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const link = await page.getByTestId('secret').innerText()
  await accept(fixture, new URL(link).hash.slice(1))
  await page.reload()
  const row = page.getByRole('row').filter({ hasText: 'ana@example.com' })
  await row.getByText('Active', { exact: true }).waitFor()
  await row.getByText('finance').waitFor()
  assert.equal(await page.getByTestId('secret').count(), 0)
})

test('an account is signed out, disabled and enabled, each after a confirmation', {
  skip,
}, async () => {
  const { page, pageErrors } = tab
  await page.getByRole('link', { name: 'Ana', exact: true }).click()
  await heading('Ana')
  const token = await signIn(fixture, { email: 'ana@example.com' })
  const confirm = async (operation: string) => {
    await page.getByRole('button', { name: operation, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: `${operation}: Ana` })
    await dialog.getByRole('button', { name: operation, exact: true }).click()
  }
  await confirm('End sessions')
  await page.getByText('The sessions of Ana ended.').waitFor()
  assert.equal((await fixture.client.get('/operator/accounts/me', token)).status, 401)
  await confirm('Disable')
  await page.getByText('Ana is disabled.').waitFor()
  assert.equal((await trySignIn(fixture, { email: 'ana@example.com' })).status, 401)
  await confirm('Enable')
  await page.getByText('Ana is enabled.').waitFor()
  await signIn(fixture, { email: 'ana@example.com' })
  assert.deepEqual(pageErrors, [])
})

test('an API key is created, rotated and revoked, and shown once', { skip }, async () => {
  const { page, pageErrors } = tab
  const dialogOf = (operation: string) =>
    page.getByRole('dialog', { name: `${operation}: Prometheus` })
  const read = (key: string) => fixture.client.get('/operator/orders/figures', key)
  await page.getByRole('link', { name: 'API keys' }).click()
  await heading('API keys')
  await page.getByLabel('Name').fill('Prometheus')
  await page.getByLabel('Role').selectOption('read-only')
  await page.getByLabel('Allowed addresses').fill('127.0.0.0/8, ::1')
  await page.getByLabel('Expires').fill('2099-01-01T00:00')
  await page.getByRole('button', { name: 'Create key' }).click()
  const first = await page.getByTestId('secret').innerText()
  assert.match(first, /^feria_key_/)
  assert.equal((await read(first)).status, 200)
  await page.reload()
  await page.getByText('127.0.0.0/8').waitFor()
  assert.equal(await page.getByTestId('secret').count(), 0)
  await page.getByRole('button', { name: 'Rotate: Prometheus' }).click()
  await dialogOf('Rotate').getByLabel('Hours').fill('0')
  await dialogOf('Rotate').getByRole('button', { name: 'Rotate', exact: true }).click()
  const second = await page.getByTestId('secret').innerText()
  assert.equal((await read(first)).status, 401)
  assert.equal((await read(second)).status, 200)
  await page.getByRole('button', { name: 'Revoke: Prometheus' }).click()
  await dialogOf('Revoke').getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByText('The key of Prometheus is revoked.').waitFor()
  await page.getByText('Revoked on').waitFor()
  assert.equal((await read(second)).status, 401)
  assert.equal(await page.getByTestId('secret').count(), 0)
  assert.deepEqual(pageErrors, [])
})

test('an account is limited to sites, and then finds no page about all of them', {
  skip,
}, async () => {
  const { page, pageErrors } = tab
  await page.getByRole('link', { name: 'Operator accounts' }).click()
  await page.getByRole('link', { name: 'Ana', exact: true }).click()
  await heading('Ana')
  await page.getByLabel('Sites', { exact: true }).fill('mlc, mlu')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('The changes are saved.').waitFor()
  await page.getByText('MLC, MLU', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Operator accounts' }).click()
  await page.getByRole('row').filter({ hasText: 'ana@example.com' }).getByText('MLC, MLU').waitFor()
  await page.getByRole('button', { name: 'Sign out as operator' }).click()
  await heading('Welcome to Feria')
  await page.getByLabel('Email').fill('ana@example.com')
  await page.getByLabel(/^Password/).fill(operatorPassword)
  await page.getByRole('button', { name: 'Sign in as operator' }).click()
  await page.getByRole('link', { name: 'Users' }).waitFor()
  await page.getByRole('link', { name: 'Operator accounts' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Orders' }).click()
  await page.getByText('Enter a seller or buyer of your sites above.').waitFor()
  await page.getByRole('link', { name: 'Users' }).click()
  await heading('Users')
  await page.getByLabel('Site', { exact: true }).selectOption('MLU')
  const cellsOf = (site: string) => page.getByRole('cell', { name: site, exact: true })
  await cellsOf('MLU').first().waitFor()
  assert.equal(await cellsOf('MLC').count(), 0)
  await tab.goTo('/operator/users?after=9999999999')
  await page.getByText('No users').waitFor()
  await page.getByLabel('Site', { exact: true }).selectOption('MLC')
  await cellsOf('MLC').first().waitFor()
  assert.equal(new URL(page.url()).search, '')
  assert.deepEqual(pageErrors, [])
})
