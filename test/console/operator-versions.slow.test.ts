import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type ConsoleFixture,
  type ConsoleTab,
  noBrowser,
  openConsoleFixture,
} from '../harness/console.ts'

/** Two operators at a time: one in a browser, the other by the interface. */
let fixture: ConsoleFixture
let tab: ConsoleTab
const skip = noBrowser ?? false
const seller = 100000001

before(async () => {
  if (noBrowser) return
  fixture = await openConsoleFixture()
  tab = await fixture.openTab()
  tab.page.setDefaultTimeout(20_000)
  await tab.goTo('/')
  await tab.page.getByRole('button', { name: 'Use the sandbox token' }).click()
  await tab.page.getByRole('link', { name: 'Go to overview' }).click()
})
after(() => fixture?.close())

test('a form whose user was changed meanwhile saves nothing, says who changed what, and loads it', {
  skip,
}, async () => {
  const { page, pageErrors } = tab
  const path = `/operator/users/${seller}`
  await tab.goTo(path)
  const firstName = page.getByLabel('First name')
  await firstName.fill('Mine')
  const { body: user } = await fixture.client.operator('GET', path)
  const { id: _, ...fields } = user
  const other = { ...fields, first_name: 'Theirs' }
  assert.equal((await fixture.client.operator('PUT', path, other)).status, 200)

  await page.getByRole('button', { name: 'Save' }).click()
  const notice = page.getByRole('alert')
  await notice.getByText('Somebody else changed this in the meantime').waitFor()
  await notice.getByText(/token: PUT \/operator\/users\/\{id\} \(first_name\)/).waitFor()
  assert.equal((await fixture.client.operator('GET', path)).body.first_name, 'Theirs')

  await notice.getByRole('button', { name: 'Load the present state' }).click()
  await page.locator('input[value="Theirs"]').waitFor()
  await notice.waitFor({ state: 'detached' })
  await firstName.fill('Mine')
  const answer = page.waitForResponse((response) => response.request().method() === 'PUT')
  await page.getByRole('button', { name: 'Save' }).click()
  assert.equal((await answer).status(), 200)
  assert.equal(await page.getByRole('alert').count(), 0)
  const saved = await fixture.client.operator('GET', path)
  assert.equal(saved.body.first_name, 'Mine')
  assert.deepEqual(pageErrors, [])
})
