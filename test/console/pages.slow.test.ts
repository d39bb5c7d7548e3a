import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { seriousViolations } from '../harness/axe.ts'
import {
  type ConsoleFixture,
  noBrowser,
  openConsoleFixture,
  readStoredSession,
  restoreSession,
  signInDemoSeller,
} from '../harness/console.ts'
import { integratorPaths } from '../harness/console-paths.ts'
import { controlContrasts, testPages } from '../harness/page-suite.ts'
import { openReceiver, type Receiver } from '../harness/receiver.ts'
import { pollUntil } from '../harness/wait.ts'

/** Every page, in both schemes, on a phone and on a desk, in three languages. */
let fixture: ConsoleFixture
let receiver: Receiver
let session: string
const skip = noBrowser ?? false

before(async () => {
  if (noBrowser) return
  fixture = await openConsoleFixture()
  receiver = await openReceiver()
  const tab = await fixture.openTab()
  await signInDemoSeller(tab)
  const { user } = JSON.parse(await readStoredSession(tab))
  session = JSON.stringify({ user, operatorToken: fixture.startupValue('OPERATOR') })
  await tab.context.close()
  await fillFeed()
})
after(async () => {
  await fixture?.close()
  await receiver?.close()
})

/** Something in the feed of the demo application, one of it refused, a replay, a note. */
async function fillFeed(): Promise<void> {
  const id = fixture.startupValue('APPLICATION')
  const operator = `/operator/applications/${id}`
  const settings = { name: 'Feria demo', callback_url: receiver.url, topics: ['orders_v2'] }
  await fixture.client.operator('PUT', operator, settings)
  for (const answers of [200, 503]) {
    receiver.responseStatus = answers
    const receivedCount = receiver.received.length
    const body = { comments: `${answers}` }
    await fixture.client.operator(
      'PATCH',
      `/operator/orders/${fixture.startupValue('ORDER')}`,
      body,
    )
    await pollUntil('it is told', () => receiver.received.length > receivedCount)
  }
  await fixture.client.operator('POST', `${operator}/replays`, {
    since: '2020-01-01T00:00:00.000Z',
  })
  for (const state of ['paused', 'open'])
    await fixture.client.operator('PATCH', `${operator}/queue`, { state })
}

testPages({
  audience: 'an integrator',
  skip,
  open: async (look) => {
    const tab = await fixture.openTab(look)
    await restoreSession(tab, session)
    return tab
  },
  paths: () => integratorPaths(fixture),
  minimumTitles: 7,
  // Lists, a form and what can be tried.
  inEveryViewport: () =>
    integratorPaths(fixture).filter((path) => /\/(applications|feed|settings|try)$/.test(path)),
})

test('controls stand out from what lies behind them, in both schemes', { skip }, async () => {
  const texts = ['placeholders', 'required marks']
  const seenKinds = new Set<string>()
  for (const scheme of ['light', 'dark'] as const) {
    const tab = await fixture.openTab({ scheme })
    await restoreSession(tab, session)
    for (const path of [
      `/applications/${fixture.startupValue('APPLICATION')}/settings`,
      `/applications/${fixture.startupValue('APPLICATION')}/feed`,
      '/operator',
    ]) {
      await tab.goTo(path)
      for (const [kind, contrast] of Object.entries(await controlContrasts(tab.page))) {
        seenKinds.add(kind)
        const least = texts.includes(kind) ? 4.5 : 3
        assert.ok(contrast >= least, `${kind} on ${path}, ${scheme}: ${contrast.toFixed(2)}`)
      }
    }
    await tab.context.close()
  }
  assert.equal(seenKinds.size, 7, [...seenKinds].join())
})

test('the API explorer lists every operation of the API', { skip }, async () => {
  const tab = await fixture.openTab()
  await restoreSession(tab, session)
  const response = await fixture.client.request('GET', '/openapi.json')
  const { paths } = (await response.json()) as { paths: Record<string, object> }
  const operations = Object.values(paths).flatMap((path) => Object.keys(path))
  await tab.goTo('/try')
  assert.equal(await tab.page.locator('.choices li').count(), operations.length)
  await tab.context.close()
})

test('axe tells what nobody could use: a button without a name, words that are too pale', {
  skip,
}, async () => {
  const { context, page, goTo } = await fixture.openTab()
  await goTo('/')
  await page.evaluate(`
    document.querySelector('main button').textContent = ''
    document.querySelector('main p').style.color = '#bbb'`)
  const findings = (await seriousViolations(page)).join()
  assert.match(findings, /button-name/)
  assert.match(findings, /color-contrast/)
  await context.close()
})

test('the first page before anybody has come in can be used by everybody', {
  skip,
}, async () => {
  for (const scheme of ['light', 'dark'] as const) {
    const tab = await fixture.openTab({ scheme })
    await tab.goTo('/')
    await tab.page.getByText('feria-demo-password').waitFor()
    assert.deepEqual(await seriousViolations(tab.page), [])
    await tab.context.close()
  }
})

test('what is opened beside the feed can be used by everybody, and closed with Escape', {
  skip,
}, async () => {
  for (const look of [{ scheme: 'dark' }, { width: 390 }] as const) {
    const tab = await fixture.openTab(look)
    await restoreSession(tab, session)
    const { page } = tab
    await tab.goTo(`/applications/${fixture.startupValue('APPLICATION')}/feed`)
    const row = page.getByRole('button', { name: /^\/orders\// }).first()
    await row.press('Enter')
    await page.getByRole('button', { name: 'Send now' }).waitFor()
    assert.deepEqual(await seriousViolations(page), [])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await tab.context.close()
  }
})

test('with keys alone one skips to the content, goes to a page, and begins at its title', {
  skip,
}, async () => {
  const tab = await fixture.openTab()
  await restoreSession(tab, session)
  const { page } = tab
  await tab.goTo('/')
  await page.keyboard.press('Tab')
  const focused = () => page.evaluate<string>(`document.activeElement?.textContent ?? ''`)
  assert.equal(await focused(), 'Skip to content')
  await page.getByRole('link', { name: 'Tokens' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor()
  await pollUntil('the title has the focus', async () => (await focused()) === 'Tokens')
  await tab.context.close()
})

test('on a phone the pages are behind a button', { skip }, async () => {
  const tab = await fixture.openTab({ width: 390 })
  await restoreSession(tab, session)
  const { page } = tab
  await tab.goTo('/')
  const link = page.getByRole('link', { name: 'Applications', exact: true })
  await page.getByRole('button', { name: 'Menu' }).click()
  await link.click()
  await page.getByRole('heading', { level: 1, name: 'Applications' }).waitFor()
  await pollUntil('the menu is closed', async () => !(await link.isVisible()))
  await tab.context.close()
})

test('language and scheme are chosen, at once and for the next time', { skip }, async () => {
  const tab = await fixture.openTab({ language: 'en' })
  const { page } = tab
  await tab.goTo('/')
  await page.getByLabel('Language').selectOption('pt')
  await page.getByRole('heading', { name: 'Boas-vindas à Feria' }).waitFor()
  await page.getByRole('button', { name: 'Usar tema escuro' }).click()
  await page.reload()
  await page.getByRole('heading', { name: 'Boas-vindas à Feria' }).waitFor()
  const scheme = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme')
  assert.equal(await scheme(), 'dark')
  await tab.context.close()
})

test('what fails says what to do: unreachable, an application of others, a session that is over', {
  skip,
}, async () => {
  const tab = await fixture.openTab()
  await restoreSession(tab, session)
  const { page } = tab
  await tab.goTo('/applications/424242')
  await page.getByText('Check the ID, and check that you have access to it.').waitFor()
  await tab.goTo('/tokens')
  await page.route('**/applications*', (route) => route.abort())
  await page.getByRole('link', { name: 'Applications', exact: true }).click()
  await page.getByText(/did not respond/).waitFor({ timeout: 30_000 })
  await page.unroute('**/applications*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Feria demo' }).waitFor()
  await tab.context.close()
})

test('an access token that has ended is renewed, once for several calls at a time', {
  skip,
}, async () => {
  const signed = await fixture.openTab()
  await signInDemoSeller(signed)
  const { page } = signed
  let renewals = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/oauth/token')) renewals++
  })
  const before = await page.evaluate(() => {
    const key = 'feria-console-session'
    const stored = JSON.parse(sessionStorage.getItem(key) ?? '')
    stored.user.expiresAt = 0
    sessionStorage.setItem(key, JSON.stringify(stored))
    return stored.user.accessToken as string
  })
  await signed.goTo(`/applications/${fixture.startupValue('APPLICATION')}`)
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  assert.equal(renewals, 1)
  const { user } = JSON.parse(await readStoredSession(signed))
  assert.notEqual(user.accessToken, before)
  await signed.context.close()
})

test('of two tabs with one session one renews it, and the other hears of it', {
  skip,
}, async () => {
  const first = await fixture.openTab()
  await signInDemoSeller(first)
  const before = JSON.parse(await readStoredSession(first)).user
  const page = await first.context.newPage()
  await page.addInitScript(
    (stored) => {
      if (!sessionStorage.getItem('feria-console-session')) {
        sessionStorage.setItem('feria-console-session', stored)
      }
    },
    await readStoredSession(first),
  )
  await page.goto(`${fixture.address}/console/`)
  await page.getByText('Signed in as TIENDA_DEL_SUR').waitFor()
  let renewals = 0
  first.context.on('request', (request) => {
    if (request.url().endsWith('/oauth/token')) renewals++
  })
  // Its token is refused from now on, as it would be after six hours.
  await fixture.client.operator('POST', '/operator/tokens/revoke', {
    access_token: before.accessToken,
  })
  await first.page.getByRole('link', { name: 'Applications', exact: true }).click()
  await first.page.getByRole('link', { name: 'Feria demo' }).waitFor()
  await page.getByRole('link', { name: 'Applications', exact: true }).click()
  await page.getByRole('link', { name: 'Feria demo' }).waitFor()
  assert.equal(renewals, 1)
  const { user } = JSON.parse(await readStoredSession({ ...first, page }))
  assert.notEqual(user.accessToken, before.accessToken)
  await first.context.close()
})
