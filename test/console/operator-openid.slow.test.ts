import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type ConsoleFixture,
  type ConsoleTab,
  noBrowser,
  openConsoleFixture,
} from '../harness/console.ts'
import {
  openProviderServer,
  type ProviderServer,
  serveCertifiedProvider,
} from '../harness/openid-provider.ts'
import {
  createAccount,
  operatorPassword,
  sendAs,
  setUpTotp,
  succeed,
} from '../harness/operators.ts'

/** Signing in with an identity provider in a browser, in one go: each test goes on where the one before it ended. */
let fixture: ConsoleFixture
let provider: ProviderServer
let tab: ConsoleTab
const skip = noBrowser ?? false
const email = 'ana@example.com'
let recoveryCodes: string[] = []

before(async () => {
  if (noBrowser) return
  provider = await openProviderServer()
  fixture = await openConsoleFixture(provider.env)
  serveCertifiedProvider(provider, {
    redirectUri: `${fixture.address}/console/openid`,
    people: {
      ana: { email, email_verified: true },
      ben: { email: 'ben@example.com', email_verified: true },
    },
  })
  tab = await fixture.openTab()
  tab.page.setDefaultTimeout(60_000)
  const invited = { email, name: 'Ana', role: 'owner' }
  const token = fixture.startupValue('OPERATOR')
  await succeed(sendAs(fixture, token, 'POST', '/operator/accounts', invited))
})
after(async () => {
  await fixture?.close()
  await provider?.close()
})

const heading = (name: string) => tab.page.getByRole('heading', { level: 1, name }).waitFor()
const providerButton = () =>
  tab.page.getByRole('button', { name: 'Sign in with Example Login' }).click()

/** Fills the sign-in page of the provider, and its page of consent if it shows one. */
async function signInAtProvider(login: string): Promise<void> {
  const { page } = tab
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  const consent = page.getByRole('button', { name: 'Continue', exact: true })
  await Promise.race([
    consent.waitFor().then(() => consent.click()),
    page.waitForURL(/\/console\//),
  ])
}

async function storedToken(): Promise<string> {
  const stored = await tab.page.evaluate(() => sessionStorage.getItem('feria-console-session'))
  return JSON.parse(stored ?? '{}').operatorToken
}

test('an invited operator signs in with the provider and lands on the page asked for', {
  skip,
}, async () => {
  const { page, pageErrors } = tab
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await tab.goTo('/operator/accounts')
  await providerButton()
  await signInAtProvider('ana')
  await heading('Operator accounts')
  assert.equal(page.url(), `${fixture.address}/console/operator/accounts`)
  const token = await storedToken()
  assert.match(token, /^feria_session_/)
  assert.ok(addresses.every((address) => !address.includes(token)))
  const row = page.getByRole('row').filter({ hasText: email })
  await row.getByText(provider.issuer).waitFor()
  assert.deepEqual(pageErrors, [])
})

test('a sensitive operation leads to the provider, which asks for the password again', {
  skip,
}, async () => {
  const { page } = tab
  const invite = async () => {
    await page.getByLabel('Email').fill('ben@example.com')
    await page.getByLabel('Name').fill('Ben')
    await page.getByRole('button', { name: 'Create invitation' }).click()
  }
  await invite()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByRole('button', { name: 'Sign in again with Example Login' }).click()
  await signInAtProvider('ana')
  await heading('Operator accounts')
  await invite()
  await page.getByTestId('secret').waitFor()
})

test('an account with two-factor authentication is asked for a code after the provider', {
  skip,
}, async () => {
  const { page, pageErrors } = tab
  const program = { client: fixture.client, ctx: { now: () => new Date() } }
  ;({ recoveryCodes } = await setUpTotp(program, await storedToken()))
  await page.getByRole('button', { name: 'Sign out as operator' }).click()
  await heading('Welcome to Feria')
  await providerButton()
  const code = page.getByLabel('Code')
  await code.fill('not-a-recovery-code')
  await code.press('Enter')
  await page.getByText('The code is wrong or was used before.').waitFor()
  await code.fill(recoveryCodes[0] ?? '')
  await code.press('Enter')
  await page.getByRole('link', { name: 'Go to overview' }).waitFor()
  assert.deepEqual(pageErrors, [])
})

test('an answer that this tab has not asked for signs nobody in, and shows no text of its address', {
  skip,
}, async () => {
  const { page } = tab
  await page.getByRole('button', { name: 'Sign out as operator' }).click()
  await tab.goTo('/openid?code=stolen&state=planted&error_description=Call+this+number')
  await page.getByText('this sign-in did not begin in this tab').waitFor()
  assert.equal(await page.getByText('Call this number').count(), 0)
  assert.equal(await storedToken(), null)
  assert.equal(page.url(), `${fixture.address}/console/`)
})

test('an operator with a password links the own account, and removes the link', {
  skip,
}, async () => {
  const { page, pageErrors } = tab
  const owner = { email: 'owner@example.com', role: 'owner' }
  await createAccount(fixture, { ...owner, token: fixture.startupValue('OPERATOR') })
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel(/^Password/).fill(operatorPassword)
  await page.getByRole('button', { name: 'Sign in as operator' }).click()
  await page.getByRole('link', { name: 'Go to overview' }).waitFor()
  await tab.goTo('/operator/account')
  // The provider would otherwise go on as the person who signed in there last.
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Link your account to Example Login' }).click()
  await signInAtProvider('ben')
  await page.getByText('Your account is linked to Example Login.').waitFor()
  await page.getByRole('button', { name: 'Remove link', exact: true }).click()
  await page.getByRole('button', { name: 'Link your account to Example Login' }).waitFor()
  assert.deepEqual(pageErrors, [])
})
