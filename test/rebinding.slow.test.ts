import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'
import { chromiumPath, noBrowser } from './harness/console.ts'
import { contract } from './harness/contract.ts'
import { type Program, startProgram } from './harness/program.ts'
import { nextEvent } from './harness/wait.ts'

/** A page that somebody opens while a sandbox, with the token that everybody knows, runs on their machine. */
let data: string
let program: Program
let browser: Browser
let port: number
const skip = noBrowser ?? false

before(async () => {
  if (noBrowser) return
  data = mkdtempSync(join(tmpdir(), 'feria-rebinding-'))
  program = await startProgram({ env: { FERIA_DATA: data, FERIA_LOG_LEVEL: 'warn' } })
  port = Number(new URL(program.address).port)
  browser = await chromium.launch({
    executablePath: chromiumPath ?? '',
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      // What a name server of the attacker's does once the page is loaded.
      '--host-resolver-rules=MAP evil.example 127.0.0.1',
    ],
  })
})
after(async () => {
  await browser?.close()
  await program?.stop()
  if (data) rmSync(data, { recursive: true, force: true })
})

const startupValue = (name: string) =>
  new RegExp(`\\b${name}=(\\S+)`).exec(program.output())?.[1] ?? ''

/** What a script of the page gets for a request, as far as the browser lets it see that. */
function ask(page: Page, url: string, options: object = {}): Promise<string> {
  return page.evaluate(
    async ([url, options]) => {
      try {
        const answer = await fetch(url as string, options as RequestInit)
        return `${answer.status} ${await answer.text()}`
      } catch (error) {
        return (error as Error).name
      }
    },
    [url, options] as const,
  )
}

contract(
  'notifications',
  'a page whose name was made to lead here reads nothing of the sandbox',
  {
    skip,
  },
  async () => {
    const page = await browser.newPage()
    const answer = await page.goto(`http://evil.example:${port}/`)
    assert.equal(answer?.status(), 421)
    const operator = { headers: { authorization: `Bearer ${startupValue('OPERATOR')}` } }
    const seller = { headers: { authorization: `Bearer ${startupValue('SELLER')}` } }
    const asks: [path: string, options: object][] = [
      ['/operator/clock', operator],
      ['/operator/users', operator],
      ['/operator/clock', { ...operator, method: 'POST', body: '{"advance":"1h"}' }],
      [`/orders/${startupValue('ORDER')}`, seller],
      ['/console/settings.json', {}],
      ['/openapi.json', {}],
      ['/sites', {}],
      ['/login', {}],
      ['/metrics', {}],
    ]
    for (const [path, options] of asks) {
      assert.match(await ask(page, path, options), /^421 .*expected a name of this service/s, path)
    }
    assert.match(await ask(page, '/health/live'), /^200/)
    // The same page under a name of this machine's reads it all: the requests were good.
    await page.goto(`http://localhost:${port}/sites`)
    assert.match(await ask(page, '/operator/clock', operator), /^200/)
    await page.close()
  },
)

contract(
  'notifications',
  'a page from elsewhere writes nothing to the sandbox, and one of this machine may',
  {
    skip,
  },
  async () => {
    const site = createServer((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>x</title>')
    })
    site.listen(0, '127.0.0.1')
    await nextEvent(site, 'listening')
    const { port: sitePort } = site.address() as AddressInfo
    try {
      const page = await browser.newPage()
      const statuses: number[] = []
      page.on('response', (response) => {
        if (response.url().includes('/messages/attachments')) statuses.push(response.status())
      })
      // A form of any page may be sent so, without asking first.
      const upload = `(async () => {
      const body = new FormData()
      body.append('file', new Blob(['hi']), 'nota.txt')
      const address = 'http://localhost:${port}/messages/attachments?tag=post_sale&site_id=MLA&access_token=${startupValue('SELLER')}'
      await fetch(address, { method: 'POST', mode: 'no-cors', body })
    })()`
      await page.goto(`http://evil.example:${sitePort}/`)
      await page.evaluate(upload)
      await page.goto(`http://localhost:${sitePort}/`)
      await page.evaluate(upload)
      assert.deepEqual(statuses, [403, 201])
      await page.close()
    } finally {
      site.close()
      site.closeAllConnections()
    }
  },
)
