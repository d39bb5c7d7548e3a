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
let stage: ConsoleFixture
let receiver: Receiver
let session: string
const skip = noBrowser ?? false

before(async () => {
  if (noBrowser) return
  stage = await openConsoleFixture()
  receiver = await openReceiver()
  const looking = await stage.openTab()
  await signInDemoSeller(looking)
  const { user } = JSON.parse(await readStoredSession(looking))
  session = JSON.stringify({ user, operatorToken: stage.startupValue('OPERATOR') })
  await looking.context.close()
  await fillFeed()
})
after(async () => {
  await stage?.close()
  await receiver?.close()
})

/** Something in the feed of the demo application, one of it refused, a replay, a note. */
async function fillFeed(): Promise<void> {
  const id = stage.startupValue('APPLICATION')
  const operator = `/operator/applications/${id}`
  const settings = { name: 'Feria demo', callback_url: receiver.url, topics: ['orders_v2'] }
  await stage.client.operator('PUT', operator, settings)
  for (const answers of [200, 503]) {
    receiver.responseStatus = answers
    const receivedCount = receiver.received.length
    const body = { comments: `${answers}` }
    await stage.client.operator('PATCH', `/operator/orders/${stage.startupValue('ORDER')}`, body)
    await pollUntil('it is told', () => receiver.received.length > receivedCount)
  }
  await stage.client.operator('POST', `${operator}/replays`, { since: '2020-01-01T00:00:00.000Z' })
  for (const state of ['paused', 'open'])
    await stage.client.operator('PATCH', `${operator}/queue`, { state })
}

testPages({
  audience: 'an integrator',
  skip,
  open: async (look) => {
    const looking = await stage.openTab(look)
    await restoreSession(looking, session)
    return looking
  },
  paths: () => integratorPaths(stage),
  minimumTitles: 7,
  // Lists, a form and what can be tried.
  inEveryViewport: () =>
    integratorPaths(stage).filter((path) => /\/(applications|feed|settings|try)$/.test(path)),
})

test('controls stand out from what lies behind them, in both schemes', { skip }, async () => {
  const texts = ['placeholders', 'required marks']
  const seenKinds = new Set<string>()
  for (const scheme of ['light', 'dark'] as const) {
    const looking = await stage.openTab({ scheme })
    await restoreSession(looking, session)
    for (const path of [
      `/applications/${stage.startupValue('APPLICATION')}/settings`,
      `/applications/${stage.startupValue('APPLICATION')}/feed`,
      '/operator',
    ]) {
      await looking.goTo(path)
      for (const [kind, contrast] of Object.entries(await controlContrasts(looking.page))) {
        seenKinds.add(kind)
        const least = texts.includes(kind) ? 4.5 : 3
        assert.ok(contrast >= least, `${kind} on ${path}, ${scheme}: ${contrast.toFixed(2)}`)
      }
    }
    await looking.context.close()
  }
  assert.equal(seenKinds.size, 7, [...seenKinds].join())
})

test('the API explorer lists every operation of the API', { skip }, async () => {
  const looking = await stage.openTab()
  await restoreSession(looking, session)
  const response = await stage.client.request('GET', '/openapi.json')
  const { paths } = (await response.json()) as { paths: Record<string, object> }
  const operations = Object.values(paths).flatMap((path) => Object.keys(path))
  await looking.goTo('/try')
  assert.equal(await looking.page.locator('.choices li').count(), operations.length)
  await looking.context.close()
})

test('axe tells what nobody could use: a button without a name, words that are too pale', {
  skip,
}, async () => {
  const { context, page, goTo } = await stage.openTab()
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
    const looking = await stage.openTab({ scheme })
    await looking.goTo('/')
    await looking.page.getByText('feria-demo-password').waitFor()
    assert.deepEqual(await seriousViolations(looking.page), [])
    await looking.context.close()
  }
})

test('what is opened beside the feed can be used by everybody, and closed with Escape', {
  skip,
}, async () => {
  for (const look of [{ scheme: 'dark' }, { width: 390 }] as const) {
    const looking = await stage.openTab(look)
    await restoreSession(looking, session)
    const { page } = looking
    await looking.goTo(`/applications/${stage.startupValue('APPLICATION')}/feed`)
    const row = page.getByRole('button', { name: /^\/orders\// }).first()
    await row.press('Enter')
    await page.getByRole('button', { name: 'Send now' }).waitFor()
    assert.deepEqual(await seriousViolations(page), [])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await looking.context.close()
  }
})

test('with keys alone one skips to the content, goes to a page, and begins at its title', {
  skip,
}, async () => {
  const looking = await stage.openTab()
  await restoreSession(looking, session)
  const { page } = looking
  await looking.goTo('/')
  await page.keyboard.press('Tab')
  const focused = () => page.evaluate<string>(`document.activeElement?.textContent ?? ''`)
  assert.equal(await focused(), 'Skip to content')
  await page.getByRole('link', { name: 'Tokens' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor()
  await pollUntil('the title has the focus', async () => (await focused()) === 'Tokens')
  await looking.context.close()
})

test('on a phone the pages are behind a button', { skip }, async () => {
  const looking = await stage.openTab({ width: 390 })
  await restoreSession(looking, session)
  const { page } = looking
  await looking.goTo('/')
  const link = page.getByRole('link', { name: 'Applications', exact: true })
  await page.getByRole('button', { name: 'Menu' }).click()
  await link.click()
  await page.getByRole('heading', { level: 1, name: 'Applications' }).waitFor()
  await pollUntil('the menu is closed', async () => !(await link.isVisible()))
  await looking.context.close()
})

test('language and scheme are chosen, at once and for the next time', { skip }, async () => {
  const looking = await stage.openTab({ language: 'en' })
  const { page } = looking
  await looking.goTo('/')
  await page.getByLabel('Language').selectOption('pt')
  await page.getByRole('heading', { name: 'Boas-vindas à Feria' }).waitFor()
  await page.getByRole('button', { name: 'Usar tema escuro' }).click()
  await page.reload()
  await page.getByRole('heading', { name: 'Boas-vindas à Feria' }).waitFor()
  const scheme = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme')
  assert.equal(await scheme(), 'dark')
  await looking.context.close()
})

test('what fails says what to do: unreachable, an application of others, a session that is over', {
  skip,
}, async () => {
  const looking = await stage.openTab()
  await restoreSession(looking, session)
  const { page } = looking
  await looking.goTo('/applications/424242')
  await page.getByText('Check the ID, and check that you have access to it.').waitFor()
  await looking.goTo('/tokens')
  await page.route('**/applications*', (route) => route.abort())
  await page.getByRole('link', { name: 'Applications', exact: true }).click()
  await page.getByText(/did not respond/).waitFor({ timeout: 30_000 })
  await page.unroute('**/applications*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Feria demo' }).waitFor()
  await looking.context.close()
})

test('an access token that has ended is renewed, once for several calls at a time', {
  skip,
}, async () => {
  const signed = await stage.openTab()
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
  await signed.goTo(`/applications/${stage.startupValue('APPLICATION')}`)
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  assert.equal(renewals, 1)
  const { user } = JSON.parse(await readStoredSession(signed))
  assert.notEqual(user.accessToken, before)
  await signed.context.close()
})

test('of two tabs with one session one renews it, and the other hears of it', {
  skip,
}, async () => {
  const first = await stage.openTab()
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
  await page.goto(`${stage.address}/console/`)
  await page.getByText('Signed in as TIENDA_DEL_SUR').waitFor()
  let renewals = 0
  first.context.on('request', (request) => {
    if (request.url().endsWith('/oauth/token')) renewals++
  })
  // Its token is refused from now on, as it would be after six hours.
  await stage.client.operator('POST', '/operator/tokens/revoke', {
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
