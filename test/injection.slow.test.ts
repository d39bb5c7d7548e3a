import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { TestClient, TestResponse } from './harness/client.ts'
import {
  type ConsoleFixture,
  type ConsoleTab,
  noBrowser,
  openConsoleFixture,
  restoreSession,
} from './harness/console.ts'
import { integratorPaths, operatorPaths } from './harness/console-paths.ts'
import { contract } from './harness/contract.ts'
import { anaId, applicationId, brunoId } from './harness/market.ts'
import {
  createMessagingMarket,
  placeCustomShippingOrder,
  sendTestMessage,
} from './harness/messaging.ts'
import { authorizationUrlPath, enableSignIn, password } from './harness/oauth.ts'
import { uploadFile } from './harness/upload.ts'

/** What people write is shown as they wrote it, and never becomes part of a page. */

/** Short enough for a nickname. */
const image = '<img src=x onerror=ran()>'
const markup = `"'>${image}<script>ran()</script><svg onload=ran()>{{ran()}}\${ran()}<b>b</b>`
const link = 'javascript:ran()'

let fixture: ConsoleFixture
let client: TestClient
let orderId: number
let packId: number
const skip = noBrowser ?? false

before(async () => {
  if (noBrowser) return
  fixture = await openConsoleFixture()
  client = fixture.client
  await fill()
})
after(() => fixture?.close())

async function assertDone(answer: Promise<TestResponse>): Promise<TestResponse> {
  const response = await answer
  assert.ok(response.status < 300, response.text)
  return response
}

const put = (path: string, body: object) =>
  assertDone(client.operator('PUT', `/operator/${path}`, body))
const post = (path: string, body: object) =>
  assertDone(client.operator('POST', `/operator/${path}`, body))

/** Markup wherever somebody may write a text. */
async function fill(): Promise<void> {
  const people = await createMessagingMarket(client)
  const user = { site_id: 'MLA', first_name: markup, last_name: markup }
  await put(`users/${anaId}`, { ...user, nickname: `ANA ${image}`, email: 'ana@example.com' })
  await put(`users/${brunoId}`, { ...user, nickname: `BRUNO ${image}`, email: 'bruno@example.com' })
  await enableSignIn({ client } as Parameters<typeof enableSignIn>[0], {
    name: markup,
    owner_id: anaId,
  })
  const item = { seller_id: anaId, site_id: 'MLA', category_id: 'MLA1580', currency_id: 'ARS' }
  const texts = { title: markup, subtitle: markup, warranty: markup, seller_sku: image }
  const listing = { ...item, ...texts, price: 10, available_quantity: 9 }
  // What is shown as a link is one of the web.
  for (const links of [{ permalink: link }, { pictures: [{ id: 'P1', url: link }] }]) {
    const { status } = await client.operator('PUT', '/operator/items/MLA1001', {
      ...listing,
      ...links,
    })
    assert.equal(status, 400)
  }
  await put('items/MLA1001', listing)
  const asAna = { token: people.anaToken }
  await assertDone(
    client.send('POST', '/items/MLA1001/description', { ...asAna, body: { plain_text: markup } }),
  )
  const sale = await placeCustomShippingOrder(client, { comments: markup })
  orderId = sale.id
  packId = sale.pack_id ?? sale.id
  await assertDone(
    client.send('POST', `/orders/${orderId}/notes`, { ...asAna, body: { note: markup } }),
  )
  const file = await uploadFile(fixture.address, { ...asAna, filename: `${image}.txt` })
  const more = { attachments: [file] }
  await assertDone(sendTestMessage(client, { ...asAna, packId, text: markup, more }))
  await assertDone(
    sendTestMessage(client, {
      token: people.brunoToken,
      by: brunoId,
      packId,
      text: `${link} ${image}`,
    }),
  )
  const question = { item_id: 'MLA1001', text: markup }
  await assertDone(client.send('POST', '/questions', { token: people.brunoToken, body: question }))
  const rating = { fulfilled: true, rating: 'positive', message: markup }
  const rated = { token: people.anaToken, body: rating }
  await assertDone(client.send('POST', `/orders/${orderId}/feedback`, rated))
  const term = { kind: 'word', value: '<b>onerror</b>', note: markup }
  await post('moderation/terms', { ...term, reason: 'OUT_OF_PLACE_LANGUAGE' })
}

const q = encodeURIComponent(markup)

/** What the operator's token opens: all pages, those of what was made here, and addresses of markup. */
function paths(): string[] {
  const nickname = encodeURIComponent(`ANA ${image}`)
  return [
    ...operatorPaths(fixture),
    ...integratorPaths(fixture),
    `/operator/orders/${orderId}`,
    `/operator/orders/${q}`,
    `/operator/orders?seller=${anaId}`,
    `/operator/orders?seller=${anaId}&q=${q}`,
    `/operator/orders?q=${q}`,
    `/operator/conversations?seller=${anaId}`,
    `/operator/conversations/${packId}/${anaId}`,
    `/operator/users/${anaId}`,
    `/operator/users/${brunoId}`,
    `/operator/users/${q}`,
    `/operator/users?nickname=${nickname}`,
    `/operator/users?nickname=${q}`,
    `/operator/catalogue?category=${q}`,
    `/operator/catalogue/predictor?site=MLA&q=${q}`,
    `/operator/applications/${applicationId}`,
    `/${q}`,
  ]
}

/** What the owner of an application sees of it. */
function ownPaths(): string[] {
  const own = `/applications/${applicationId}`
  return [
    '/applications',
    own,
    `${own}/feed`,
    `${own}/grants`,
    `${own}/settings`,
    `${own}/replays`,
    `${own}/explain?resource=${q}`,
    `/applications/${q}`,
    `/try?op=${q}`,
  ]
}

interface WatchedTab extends ConsoleTab {
  /** Addresses of pages on which something ran. */
  ran: string[]
}

/** A tab whose browser would run what got into a page, whatever the page's policy says. */
async function openWatchedTab(): Promise<WatchedTab> {
  const tab = await fixture.openTab({ isUnguarded: true })
  const ran: string[] = []
  await tab.context.exposeFunction('ran', () => ran.push(tab.page.url()))
  tab.page.on('dialog', (dialog) => {
    ran.push(dialog.message())
    void dialog.dismiss()
  })
  return { ...tab, ran }
}

/** Says what of the markup became part of the page, and whether it is read there. */
const findInjectedScript = `(() => {
  const injected = [...document.querySelectorAll('*')].filter((node) =>
    [...node.attributes].some(({ name, value }) =>
      /^on/.test(name) || (/^(href|src|action|formaction)$/.test(name) && /^\\s*javascript:/i.test(value))
    ) || (node.localName === 'img' && node.getAttribute('src') === 'x')
      || (node.localName === 'script' && node.textContent.includes('ran()')))
  const shown = [...document.querySelectorAll('input')].map((input) => input.value)
  const text = document.body.innerText + shown.join('')
  return { injected: injected.map((node) => node.outerHTML), isShown: text.includes('ran()') }
})()`

async function checkPage({ page, ran }: WatchedTab, path: string): Promise<boolean> {
  const { injected, isShown } = (await page.evaluate(findInjectedScript)) as {
    injected: string[]
    isShown: boolean
  }
  assert.deepEqual(injected, [], path)
  assert.deepEqual(ran, [], path)
  return isShown
}

contract(
  '1',
  'no page of the console takes what people write for a part of itself',
  {
    skip,
  },
  async () => {
    const tab = await openWatchedTab()
    await restoreSession(
      tab,
      JSON.stringify({ user: null, operatorToken: fixture.startupValue('OPERATOR') }),
    )
    const shown = new Set<string>()
    for (const path of new Set(paths())) {
      await tab.goTo(path)
      if (await checkPage(tab, path)) shown.add(path)
    }
    // It was there to be seen: on orders, conversations, users, applications and what was searched for.
    assert.ok(shown.size >= 10, [...shown].join('\n'))
    await tab.context.close()
  },
)

contract(
  'users',
  'no page takes what it shows for a part of itself where people sign in, agree, and look after what is theirs',
  {
    skip,
  },
  async () => {
    const tab = await openWatchedTab()
    const { page } = tab
    const open = async (path: string) => {
      await page.goto(`${fixture.address}${path}`)
      return checkPage(tab, path)
    }
    await open(`/login?return_to=${q}`)
    await open(`/login?return_to=${encodeURIComponent(link)}`)
    await open(`/authorization?client_id=${q}`)
    await open(authorizationUrlPath({ redirect_uri: link }))
    await open(authorizationUrlPath({ state: markup }))
    await page.goto(`${fixture.address}/login`)
    await page.locator('#login').fill(markup)
    await page.locator('#password').fill(markup)
    await page.locator('form[action="/login"] button').click()
    assert.ok(await checkPage(tab, 'a sign-in that is refused'))
    await page.locator('#login').fill('ana@example.com')
    await page.locator('#password').fill(password)
    await page.locator('form[action="/login"] button').click()
    await page.waitForURL(/\/account/)
    assert.ok(await checkPage(tab, '/account'), 'the nickname')
    assert.ok(await open(authorizationUrlPath({ state: markup })), 'the application’s name')
    await page.locator('button[value=allow]').waitFor()

    // The console, as somebody sees it who has signed in and has an application.
    await tab.goTo('/')
    await page.getByRole('main').locator('section').first().getByRole('button').click()
    await page.locator('button[value=allow]').click()
    await page.waitForURL(/\/console\//)
    await page.getByText('ANA').first().waitFor({ state: 'attached' })
    const shown: string[] = []
    for (const path of ownPaths()) {
      await tab.goTo(path)
      if (await checkPage(tab, path)) shown.push(path)
    }
    assert.ok(shown.includes(`/applications/${applicationId}`), shown.join('\n'))
    await tab.context.close()
  },
)
