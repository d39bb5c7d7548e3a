import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ConsoleFixture, noBrowser, openConsoleFixture } from './harness/console.ts'

/** The reference page in a browser, under its own policy. */
let fixture: ConsoleFixture
const skip = noBrowser ?? false

before(async () => {
  if (noBrowser) return
  fixture = await openConsoleFixture()
})
after(() => fixture?.close())

test('the reference is read through under a policy that lets nothing make code of text', {
  skip,
}, async () => {
  const { page, context, pageErrors } = await fixture.openTab()
  const answer = await page.goto(`${fixture.address}/docs/`)
  const policy = answer?.headers()['content-security-policy'] ?? ''
  assert.match(policy, /(^|;)script-src 'self'(;|$)/)
  assert.doesNotMatch(policy, /unsafe-eval/)
  const sidebar = page.locator('aside').first()
  await sidebar.getByText('Search orders', { exact: true }).click()
  await page.getByText('/orders/search').first().waitFor()
  await sidebar.getByText('Claims', { exact: true }).click()
  await page.getByRole('heading', { name: 'Claims' }).first().waitFor()
  // What the policy refuses is an error here.
  assert.deepEqual(pageErrors, [])
  await context.close()
})
