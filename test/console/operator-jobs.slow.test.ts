import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import {
  type ConsoleFixture,
  type ConsoleTab,
  noBrowser,
  openConsoleFixture,
  restoreSession,
} from '../harness/console.ts'
import { demoSeller } from '../harness/console-paths.ts'
import { succeed } from '../harness/operators.ts'

/** Jobs in a browser, in one go: each test goes on where the one before it ended. */
let fixture: ConsoleFixture
let tab: ConsoleTab
let job: { id: string }
const skip = noBrowser ?? false

before(async () => {
  if (noBrowser) return
  fixture = await openConsoleFixture()
  tab = await fixture.openTab()
  tab.page.setDefaultTimeout(20_000)
  const operatorToken = fixture.startupValue('OPERATOR')
  await restoreSession(tab, JSON.stringify({ user: null, operatorToken }))
  const filter = { seller_id: demoSeller, status: 'active' }
  const parameters = { filter, change: { price_percent: 10 } }
  const started = { kind: 'bulk_listing_change', parameters }
  job = await succeed(fixture.client.operator('POST', '/operator/jobs', started))
})
after(() => fixture?.close())

test('a job is followed until it has ended, and its result is saved', { skip }, async () => {
  const { page } = tab
  await tab.goTo('/operator/jobs')
  await page.getByRole('table', { name: 'Jobs' }).getByText('Finished').waitFor()
  await page.getByRole('link', { name: 'Change of many listings' }).click()
  await page.getByRole('heading', { level: 1, name: 'Change of many listings' }).waitFor()
  await page.getByText('"changed"').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download result' }).click()
  const file = await download
  assert.equal(file.suggestedFilename(), `bulk_listing_change-${job.id}.ndjson`)
  const [line = ''] = readFileSync(await file.path(), 'utf8').split('\n')
  assert.ok('before' in JSON.parse(line), line)
})

test('jobs are narrowed to a state', { skip }, async () => {
  const { page } = tab
  await tab.goTo('/operator/jobs')
  await page.getByLabel('State').selectOption('failed')
  await page.getByText('No jobs found').waitFor()
  assert.match(page.url(), /state=failed/)
})

test('an export is started with its filters, and its file saved', { skip }, async () => {
  const { page } = tab
  await tab.goTo('/operator/jobs')
  await page.getByLabel('What to export').selectOption('listings')
  await page.getByLabel('Seller', { exact: true }).fill(String(demoSeller))
  await page.getByRole('button', { name: 'Start export' }).click()
  await page.getByRole('heading', { level: 1, name: 'Export' }).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download result' }).click()
  const file = await download
  assert.match(file.suggestedFilename(), /^export-[0-9a-f]{24}\.csv$/)
  const [header = '', row = ''] = readFileSync(await file.path(), 'utf8').split('\r\n')
  assert.match(header, /^id,site_id,seller_id/)
  assert.ok(row.includes(String(demoSeller)), row)
})

/** Shows the job in a state in which it no longer is. */
async function showAs(change: object): Promise<void> {
  const path = `/operator/jobs/${job.id}`
  const body = await succeed(fixture.client.operator('GET', path))
  await tab.page.route(`**${path}`, (route) =>
    route.request().resourceType() === 'document'
      ? route.continue()
      : route.fulfill({ json: { ...body, ...change } }),
  )
  await tab.goTo(path)
}

test('a running job is cancelled after a confirmation; one that has ended says so', {
  skip,
}, async () => {
  const { page } = tab
  await showAs({ state: 'running', finished: null })
  await page.getByRole('button', { name: 'Cancel job' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel this job?' })
  const request = page.waitForRequest(`**/operator/jobs/${job.id}/cancel`)
  await dialog.getByRole('button', { name: 'Cancel job' }).click()
  assert.equal((await request).method(), 'POST')
  await page.getByRole('alert').getByText('finished').waitFor()
})

test('a failed job shows why, and is retried', { skip }, async () => {
  const { page, pageErrors } = tab
  await page.unrouteAll()
  await showAs({ state: 'failed', error: 'The disk is full.' })
  await page.getByText('The disk is full.').waitFor()
  const request = page.waitForRequest(`**/operator/jobs/${job.id}/retry`)
  await page.getByRole('button', { name: 'Retry' }).click()
  assert.equal((await request).method(), 'POST')
  await page.getByRole('alert').getByText('finished').waitFor()
  assert.deepEqual(pageErrors, [])
})
