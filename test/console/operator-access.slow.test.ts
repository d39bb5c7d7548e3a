import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { seriousViolations } from '../harness/axe.ts'
import {
  type ConsoleFixture,
  type ConsoleTab,
  noBrowser,
  openConsoleFixture,
  readStoredSession,
  restoreSession,
} from '../harness/console.ts'
import {
  codeAt,
  createAccount,
  operatorPassword,
  signIn,
  succeed,
  trySignIn,
} from '../harness/operators.ts'
import { pollUntil } from '../harness/wait.ts'

/**
 * How operators get and lose access, in a browser, in one go: each test goes on where the one before it ended. The owner
 * and Bea, who is invited, have a tab each.
 */
let fixture: ConsoleFixture
let owner: ConsoleTab
let bea: ConsoleTab
const skip = noBrowser ?? false
const ownerEmail = 'owner@example.com'
const beaEmail = 'bea@example.com'
/** Markup, which every page must show as text. */
const beaName = 'Bea <img src=x>'
let link = ''
let secret = ''
let password = 'the first password of Bea'

before(async () => {
  if (noBrowser) return
  fixture = await openConsoleFixture()
  await createAccount(fixture, { email: ownerEmail, role: 'owner', token: operatorToken() })
  owner = await openOperatorTab()
  bea = await openOperatorTab()
})
after(() => fixture?.close())

const operatorToken = () => fixture.startupValue('OPERATOR')

async function openOperatorTab(): Promise<ConsoleTab> {
  const tab = await fixture.openTab()
  tab.page.setDefaultTimeout(20_000)
  return tab
}

const heading = ({ page }: ConsoleTab, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const menuOf = ({ page }: ConsoleTab) => page.getByRole('navigation').getByRole('link')
const menuItem = (tab: ConsoleTab, name: string) => menuOf(tab).filter({ hasText: name })
const clickButton = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click()

/** Clicks a button of the page, and the one of the same name in the dialog that asks. */
async function clickAndConfirm(
  page: Page,
  { button, title = button }: { button: string; title?: string },
) {
  await clickButton(page, button)
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByRole('button', { name: button, exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
}

/** Returns the code that the authenticator app of Bea shows by the clock of the service, which no request used before. */
async function nextCode(): Promise<string> {
  await advance('1m')
  const { now } = await succeed(fixture.client.operator('GET', '/operator/clock'))
  return codeAt(secret, new Date(now))
}

const advance = (time: string) =>
  succeed(fixture.client.operator('POST', '/operator/clock', { advance: time }))

async function signInAt({ page }: ConsoleTab, { email, code }: { email: string; code?: string }) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel(/^Password/).fill(email === beaEmail ? password : operatorPassword)
  await clickButton(page, 'Sign in as operator')
  if (code === undefined) return
  await page.getByLabel('Code').fill(code)
  await clickButton(page, 'Sign in as operator')
}

/** Answers the dialog that asks a session for the password or a code. */
async function verify(page: Page, proof: { password: string } | { code: string }) {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.waitFor()
  if ('code' in proof) {
    await dialog.getByText('With a code').click()
    await dialog.getByLabel('Your code').fill(proof.code)
  } else {
    await dialog.getByLabel('Your password').fill(proof.password)
  }
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

test('an owner invites an operator and copies the whole link', { skip }, async () => {
  const { page, goTo } = owner
  await goTo('/operator/accounts')
  await signInAt(owner, { email: ownerEmail })
  await heading(owner, 'Operator accounts')
  await page.getByLabel('Email').fill(beaEmail)
  await page.getByLabel('Name').fill(beaName)
  await page.getByLabel('Role').selectOption('support')
  await clickButton(page, 'Create invitation')
  link = await page.getByTestId('secret').innerText()
  assert.match(link, /\/console\/invitation#feria_invitation_[0-9a-f]{64}$/)
  await clickButton(page, 'Copy')
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), link)
})

test('whoever opens the link sets a password and is signed in, and no request tells the invitation but its own', {
  skip,
}, async () => {
  const { page, pageErrors } = bea
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  await page.goto(link)
  await heading(bea, 'Accept your invitation')
  assert.deepEqual(await seriousViolations(page), [])
  await page.getByLabel('New password').fill('short')
  await clickButton(page, 'Set password and sign in')
  assert.equal(
    await page.getByLabel('New password').evaluate((input) => input.matches(':invalid')),
    true,
  )
  await page.getByLabel('New password').fill(password)
  await clickButton(page, 'Set password and sign in')
  await heading(bea, 'Your account')
  await page.getByRole('heading', { name: beaName }).waitFor()
  assert.equal(new URL(page.url()).hash, '')
  const invitation = new URL(link).hash
  // The browser itself reports the address of the page with its fragment; requests go without it.
  assert.deepEqual(
    urls.filter((url) => new URL(url).search.includes(invitation.slice(1))),
    [],
  )
  assert.equal((await trySignIn(fixture, { email: beaEmail, password })).status, 201)
  assert.deepEqual(pageErrors, [])
})

test('the menu has the pages that the role allows, and others say so', { skip }, async () => {
  const { page, goTo } = bea
  for (const name of ['Orders', 'Conversations', 'Users', 'All applications']) {
    await menuItem(bea, name).waitFor()
  }
  for (const name of ['Operator accounts', 'Roles', 'API keys', 'Audit log', 'Sandbox', 'Tokens']) {
    assert.equal(await menuItem(bea, name).count(), 0, name)
  }
  await goTo('/operator/keys')
  await page.getByText('Your role does not allow this.').first().waitFor()
})

test('a link that was used or is incomplete says what to do next', { skip }, async () => {
  const stranger = await openOperatorTab()
  const { page } = stranger
  await page.goto(link)
  await page.getByLabel('New password').fill(password)
  await clickButton(page, 'Set password and sign in')
  await page.getByText('This invitation can no longer be used').waitFor()
  await page.goto(`${link}0`)
  await page.getByText('This link is incomplete').waitFor()
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  await heading(stranger, 'Welcome to Feria')
  await stranger.context.close()
})

test('two-factor authentication is set up with a code of the app, and recovery codes are shown once', {
  skip,
}, async () => {
  const { page, goTo } = bea
  await goTo('/operator/account')
  await clickButton(page, 'Set up')
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  secret = await page
    .locator('dd .mono')
    .filter({ hasText: /^[A-Z2-7]{32}$/ })
    .innerText()
  const uri = await page.getByRole('link', { name: /Open in an app/ }).getAttribute('href')
  assert.equal(new URL(uri ?? '').searchParams.get('secret'), secret)
  assert.deepEqual(await seriousViolations(page), [])
  const code = page.getByLabel(/^Code/)
  await code.fill('000000')
  await clickButton(page, 'Confirm')
  await page.getByText('The code is wrong.').waitFor()
  await code.fill(await nextCode())
  await clickButton(page, 'Confirm')
  await page.getByText('Your recovery codes').waitFor()
  const codes = await page.getByTestId('recovery-code').allInnerTexts()
  assert.equal(new Set(codes).size, 10)
  await clickButton(page, 'Copy codes')
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), codes.join('\n'))
  const download = page.waitForEvent('download')
  await clickButton(page, 'Download')
  const file = await (await download).path()
  assert.equal(readFileSync(file, 'utf8'), `${codes.join('\n')}\n`)
  await page.getByText('10 recovery codes are left.').waitFor()
  await clickButton(page, 'I have stored them')
  assert.equal(await page.getByTestId('recovery-code').count(), 0)
})

test('who has set it up signs out, and in again with a code of the app', { skip }, async () => {
  const { page } = bea
  await clickButton(page, 'Sign out as operator')
  await heading(bea, 'Welcome to Feria')
  await signInAt(bea, { email: beaEmail, code: await nextCode() })
  await page.getByRole('link', { name: 'Go to overview' }).click()
  await heading(bea, 'Overview')
  await page.getByText('Top sellers').waitFor()
})

test('the owner changes the name and the role of an account, and its menu changes', {
  skip,
}, async () => {
  const { page } = owner
  await page.getByRole('link', { name: beaName, exact: true }).click()
  await heading(owner, beaName)
  await page.getByLabel('Name').fill('Bea')
  await page.getByLabel('Role').selectOption('catalog')
  await clickButton(page, 'Save changes')
  await page.getByText('The changes are saved.').waitFor()
  await heading(owner, 'Bea')
  await page.getByText('catalog', { exact: true }).first().waitFor()
  await bea.page.reload()
  await menuItem(bea, 'Jobs').waitFor()
  assert.equal(await menuItem(bea, 'Orders').count(), 0)
  await menuItem(bea, 'Bea').waitFor()
  await bea.page.goto(`${fixture.address}/console/`)
  await bea.page.getByRole('link', { name: 'Go to your account' }).click()
  await heading(bea, 'Your account')
})

test('a password is changed with the current one, which ends the other sessions', {
  skip,
}, async () => {
  const { page } = bea
  const other = await signIn(fixture, { email: beaEmail, password, code: await nextCode() })
  await page.reload()
  await page.getByRole('row').filter({ hasText: 'This session' }).waitFor()
  await page
    .getByRole('button', { name: /^End: / })
    .first()
    .waitFor()
  await page.getByLabel('Current password').fill('not the password at all')
  await page.getByLabel('New password').fill('the second password of Bea')
  await clickButton(page, 'Change password')
  await page.getByText('This is not your current password.').waitFor()
  await page.getByLabel('Current password').fill(password)
  await clickButton(page, 'Change password')
  await page.getByText('Your password is changed').waitFor()
  password = 'the second password of Bea'
  await page
    .getByRole('button', { name: /^End: / })
    .first()
    .waitFor({ state: 'detached' })
  assert.equal((await fixture.client.get('/operator/accounts/me', other)).status, 401)
})

test('one session is ended from another', { skip }, async () => {
  const { page } = bea
  const other = await signIn(fixture, { email: beaEmail, password, code: await nextCode() })
  await page.reload()
  await page.getByRole('button', { name: /^End: / }).click()
  await page.getByText('The session has ended.').waitFor()
  assert.equal((await fixture.client.get('/operator/accounts/me', other)).status, 401)
})

test('recovery codes are renewed and the app is removed, once the session was verified again', {
  skip,
}, async () => {
  const { page, pageErrors } = bea
  await advance('11m')
  await clickAndConfirm(page, { button: 'Renew recovery codes' })
  await verify(page, { code: await nextCode() })
  await page.getByText('Your recovery codes').waitFor()
  assert.equal(await page.getByTestId('recovery-code').count(), 10)
  await advance('11m')
  await clickAndConfirm(page, { button: 'Remove', title: 'Remove two-factor authentication' })
  await verify(page, { code: await nextCode() })
  await page.getByText('Two-factor authentication is off.').waitFor()
  assert.equal((await trySignIn(fixture, { email: beaEmail, password })).status, 201)
  assert.deepEqual(pageErrors, [])
})

test('who ends this session is signed out', { skip }, async () => {
  const { page } = bea
  const token = JSON.parse(await readStoredSession(bea)).operatorToken
  await page.getByRole('button', { name: /^Sign out: / }).click()
  await heading(bea, 'Welcome to Feria')
  assert.equal((await fixture.client.get('/operator/accounts/me', token)).status, 401)
})

test('a role is copied from a built-in one, changed, kept while it is used, and deleted', {
  skip,
}, async () => {
  const { page, pageErrors } = owner
  await menuItem(owner, 'Roles').click()
  await heading(owner, 'Roles')
  await page.getByRole('link', { name: 'moderator' }).click()
  await heading(owner, 'Role: moderator')
  await page.getByText('Change rules and terms of moderation, and release messages').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Delete role' }).count(), 0)
  await page.getByRole('link', { name: 'Copy as a new role' }).click()
  await heading(owner, 'Create a role')
  await page.getByLabel('Name').fill('support')
  await page.getByText('A role with this name exists.').waitFor()
  await page.getByLabel('Name').fill('night-shift')
  await page.getByLabel('Description').fill('<b>At night</b>')
  await page.getByLabel('Read questions').uncheck()
  await clickButton(page, 'Create role')
  await verify(page, { password: operatorPassword })
  await heading(owner, 'Role: night-shift')
  await page.getByText('<b>At night</b>').waitFor()
  assert.equal(await page.getByLabel('Read questions').isChecked(), false)
  assert.equal(await page.getByLabel('Read conversations and their files').isChecked(), true)
  await page.getByLabel('Read metrics').check()
  await clickButton(page, 'Save changes')
  await page.getByText('The role is saved.').waitFor()
  const { roles } = await succeed(fixture.client.operator('GET', '/operator/roles'))
  const stored = roles.find(({ name }: { name: string }) => name === 'night-shift')
  assert.ok(stored.permissions.includes('metrics:read'))
  assert.ok(!stored.permissions.includes('questions:read'))
  const key = { name: 'Night', role: 'night-shift' }
  const { id } = await succeed(fixture.client.operator('POST', '/operator/keys', key))
  const removal = { button: 'Delete role', title: 'Delete role night-shift' }
  await clickAndConfirm(page, removal)
  await page.getByText('Give the accounts and API keys with this role another one first.').waitFor()
  await succeed(fixture.client.operator('DELETE', `/operator/keys/${id}`))
  await clickAndConfirm(page, removal)
  await heading(owner, 'Roles')
  await page.getByRole('link', { name: 'night-shift' }).waitFor({ state: 'detached' })
  assert.deepEqual(pageErrors, [])
})

test('the audit log is opened from an account and from a key, and has what they changed', {
  skip,
}, async () => {
  const { page } = owner
  await menuItem(owner, 'Operator accounts').click()
  await page.getByRole('link', { name: 'owner', exact: true }).click()
  await page.getByRole('link', { name: 'Changes by this account' }).click()
  await heading(owner, 'Audit log')
  await page.getByText('PUT /operator/roles/{name}').first().waitFor()
  assert.match(await page.getByLabel('Actor').inputValue(), /^account:\d+$/)
  await menuItem(owner, 'API keys').click()
  await heading(owner, 'API keys')
  await page.getByRole('row').filter({ hasText: 'Night' }).getByRole('link').click()
  await heading(owner, 'Audit log')
  assert.match(await page.getByLabel('Actor').inputValue(), /^key:\d+$/)
})

test('a renewed invitation sets a new password, in a tab where another operator is signed in', {
  skip,
}, async () => {
  const { page } = owner
  await menuItem(owner, 'Operator accounts').click()
  await page.getByRole('link', { name: 'Bea', exact: true }).click()
  await heading(owner, 'Bea')
  await clickAndConfirm(page, { button: 'Renew invitation', title: 'Renew invitation: Bea' })
  const renewed = await page.getByTestId('secret').innerText()
  const tab = await openOperatorTab()
  const before = await signIn(fixture, { email: ownerEmail })
  await restoreSession(tab, JSON.stringify({ user: null, operatorToken: before }))
  await tab.page.goto(renewed)
  await tab.page.getByText('You are signed in as an operator in this tab.').waitFor()
  password = 'the third password of Bea'
  await tab.page.getByLabel('New password').fill(password)
  await clickButton(tab.page, 'Set password and sign in')
  await tab.page.getByRole('heading', { name: 'Bea', exact: true }).waitFor()
  assert.equal((await fixture.client.get('/operator/accounts/me', before)).status, 401)
  assert.equal((await trySignIn(fixture, { email: beaEmail, password })).status, 201)
  await tab.context.close()
})

test('with keys alone, an operation is asked for and given up, and one goes on where one was', {
  skip,
}, async () => {
  const { page } = owner
  const button = page.getByRole('button', { name: 'End sessions', exact: true })
  await button.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'End sessions: Bea' })
  await dialog.waitFor()
  assert.deepEqual(await seriousViolations(page), [])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await pollUntil('the button has the focus again', () =>
    button.evaluate((element) => element === element.ownerDocument.activeElement),
  )
})

test('an account is deleted after a confirmation, and the last owner is not', {
  skip,
}, async () => {
  const { page, pageErrors } = owner
  await clickAndConfirm(page, { button: 'Delete account', title: 'Delete account: Bea' })
  await heading(owner, 'Operator accounts')
  await page.getByRole('link', { name: 'Bea', exact: true }).waitFor({ state: 'detached' })
  assert.equal((await trySignIn(fixture, { email: beaEmail, password })).status, 401)
  await page.getByRole('link', { name: 'owner', exact: true }).click()
  await heading(owner, 'owner')
  await clickButton(page, 'Disable')
  const dialog = page.getByRole('dialog', { name: 'Disable: owner' })
  await dialog.getByText('This is your own account: you are signed out.').waitFor()
  await dialog.getByRole('button', { name: 'Disable', exact: true }).click()
  await page.getByText('Give another active account the role owner first.').waitFor()
  assert.deepEqual(pageErrors, [])
})

test('the operator token is switched off and on, after saying what stops working', {
  skip,
}, async () => {
  const { page } = owner
  const read = async () => (await fixture.client.get('/operator/users', operatorToken())).status
  await menuItem(owner, 'Operator accounts').click()
  await page.getByText('Operator token', { exact: true }).waitFor()
  await clickButton(page, 'Switch the token off')
  const dialog = page.getByRole('dialog', { name: 'Switch the token off' })
  await dialog.getByText('metrics collectors').waitFor()
  assert.deepEqual(await seriousViolations(page), [])
  await dialog.getByRole('button', { name: 'Switch the token off' }).click()
  await page.getByText('Off', { exact: true }).last().waitFor()
  await page.getByRole('button', { name: 'Switch the token on' }).waitFor()
  assert.equal(await read(), 401)
  await clickAndConfirm(page, { button: 'Switch the token on' })
  await page.getByRole('button', { name: 'Switch the token off' }).waitFor()
  assert.equal(await read(), 200)
})

test('pages of the own account are accessible and fit, on a phone and in the dark', {
  skip,
}, async () => {
  const session = await readStoredSession(owner)
  for (const look of [
    { scheme: 'dark', width: 390, language: 'es' },
    { scheme: 'light', width: 390, language: 'pt' },
    { scheme: 'dark', width: 1280, language: 'en' },
  ] as const) {
    const tab = await fixture.openTab(look)
    await restoreSession(tab, session)
    await tab.goTo('/operator/account')
    await tab.page.locator('main form').first().waitFor()
    assert.deepEqual(await seriousViolations(tab.page), [])
    const isWider = await tab.page.evaluate(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth',
    )
    assert.equal(isWider, false)
    assert.deepEqual(tab.pageErrors, [])
    await tab.context.close()
  }
})

test('who switches off the token that they use, or ends their own sessions, is signed out', {
  skip,
}, async () => {
  const tab = await openOperatorTab()
  const { page } = tab
  await tab.goTo('/operator/accounts')
  await page.getByLabel(/^Operator token/).fill(operatorToken())
  await clickButton(page, 'Continue')
  await clickAndConfirm(page, { button: 'Switch the token off' })
  await heading(tab, 'Welcome to Feria')
  await signInAt(tab, { email: ownerEmail })
  await menuItem(tab, 'Operator accounts').click()
  await clickAndConfirm(page, { button: 'Switch the token on' })
  await page.getByRole('button', { name: 'Switch the token off' }).waitFor()
  await page.getByRole('link', { name: 'owner', exact: true }).click()
  await clickAndConfirm(page, { button: 'End sessions', title: 'End sessions: owner' })
  await heading(tab, 'Welcome to Feria')
  await page.getByLabel('Email').waitFor()
  await tab.context.close()
})

test('an invitation that has expired says what to do next', { skip }, async () => {
  const invited = { email: 'eva@example.com', name: 'Eva', role: 'support' }
  const { url } = await succeed(fixture.client.operator('POST', '/operator/accounts', invited))
  await advance('73h')
  const { page, context } = await openOperatorTab()
  await page.goto(url)
  await page.getByLabel('New password').fill(password)
  await clickButton(page, 'Set password and sign in')
  await page.getByText('ask the person who invited you for a new link').waitFor()
  await context.close()
})
