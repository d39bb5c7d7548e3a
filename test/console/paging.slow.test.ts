import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type ConsoleFixture,
  noBrowser,
  openConsoleFixture,
  restoreSession,
} from '../harness/console.ts'
import { putUser } from '../harness/market.ts'
import { pollUntil } from '../harness/wait.ts'

/** Lists of the console, page by page, forth and back. */
let fixture: ConsoleFixture
const skip = noBrowser ?? false

before(async () => {
  if (noBrowser) return
  fixture = await openConsoleFixture()
  // More than three pages of users.
  for (let id = 1; id <= 80; id++) {
    const user = { nickname: `PAGED_${id}` }
    await putUser(fixture.client, id, user)
  }
})
after(() => fixture?.close())

const lists = [
  { path: '/operator/users', name: 'by a cursor' },
  { path: '/operator/orders?seller=100000001', name: 'by an offset' },
]

for (const { path, name } of lists) {
  test(`a list that is paged ${name} goes back to the page before, and from there on again`, {
    skip,
  }, async () => {
    const tab = await fixture.openTab()
    await restoreSession(
      tab,
      JSON.stringify({ user: null, operatorToken: fixture.startupValue('OPERATOR') }),
    )
    const { page, pageErrors } = tab
    await tab.goTo(path)
    const button = (label: string) => page.getByRole('button', { name: label, exact: true })
    // The first cell names the row; others may say how long ago something was.
    const firstCell = page.locator('tbody tr').first().locator('td, th').first()
    const firstRow = () => firstCell.innerText()
    /** Turns the page; resolves once another one is shown. */
    const turn = async (label: string): Promise<string> => {
      const shown = await firstRow()
      await button(label).click()
      await pollUntil('another page is shown', async () => (await firstRow()) !== shown)
      return firstRow()
    }
    await button('Next page').waitFor()
    assert.ok(await button('Previous page').isDisabled(), 'there is none before the first')
    const first = await firstRow()
    const second = await turn('Next page')
    const third = await turn('Next page')
    assert.equal(new Set([first, second, third]).size, 3)
    assert.equal(await turn('Previous page'), second)
    assert.equal(await turn('Previous page'), first)
    assert.ok(await button('Previous page').isDisabled())
    assert.equal(await turn('Next page'), second)
    assert.deepEqual(pageErrors, [])
    await tab.context.close()
  })
}
