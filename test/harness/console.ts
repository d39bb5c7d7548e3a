import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { TestClient } from './client.ts'
import { type Program, startProgram } from './program.ts'
import { pollUntil } from './wait.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
export const builtConsole = join(root, 'dist/console')

/** Where Debian and its kin put the browser. */
const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
export const chromiumPath = browsers.find((file) => existsSync(file))

/** Reason to skip a test that needs a browser; undefined where there is one. A test installs nothing. */
export const noBrowser = chromiumPath
  ? undefined
  : `no Chromium in ${browsers.join(', ')}; on Debian: apt-get install chromium`

/** Builds the console unless what was built is newer than everything that it is built of. Of several
 * processes at once one builds and the others wait. */
export async function buildConsole(): Promise<void> {
  const lock = join(root, 'node_modules/.console-build')
  await pollUntil('another process to build the console', () => acquireLock(lock), 300_000)
  try {
    const sources = globSync('console/{*,src/**/*,public/*}', { cwd: root })
    const newest = Math.max(...sources.map((file) => statSync(join(root, file)).mtimeMs))
    const index = join(builtConsole, 'index.html')
    if (existsSync(index) && statSync(index).mtimeMs > newest) return
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    execFileSync(process.execPath, [vite, 'build', 'console', '--logLevel', 'warn'], { cwd: root })
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

/** A build takes more than a minute on a busy machine, and two at once remove each other's files. */
const staleLockMs = 600_000

function acquireLock(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    // Left behind by one that was killed.
    const isStale = existsSync(lock) && Date.now() - statSync(lock).mtimeMs > staleLockMs
    if (isStale) rmSync(lock, { recursive: true, force: true })
    return false
  }
}

export interface Viewport {
  scheme: 'light' | 'dark'
  width: 390 | 1280
  language: 'es' | 'pt' | 'en'
}

/** A sandbox with its demo data, and a browser to look at its console with. */
export interface ConsoleFixture {
  program: Program
  /** `http://localhost:…`, as browsers take for safe. */
  address: string
  browser: Browser
  /** What the program printed at its start: `ORDER`, `APPLICATION`, `OPERATOR`. */
  startupValue(name: string): string
  client: TestClient
  /** `isUnguarded`: the browser heeds no policy of a page, so that what got into one would run. */
  openTab(look?: Partial<Viewport> & { isUnguarded?: boolean }): Promise<ConsoleTab>
  close(): Promise<void>
}

/** A tab, and what went wrong in it. */
export interface ConsoleTab {
  context: BrowserContext
  page: Page
  /** Errors of its console, of its scripts and of its policy. */
  pageErrors: string[]
  goTo(path: string): Promise<void>
}

/** `env` has settings of the program besides the usual ones. */
export async function openConsoleFixture(
  env: Record<string, string> = {},
): Promise<ConsoleFixture> {
  await buildConsole()
  const data = mkdtempSync(join(tmpdir(), 'feria-console-'))
  const program = await startProgram({ env: { FERIA_DATA: data, FERIA_LOG_LEVEL: 'warn', ...env } })
  const address = program.address.replace('127.0.0.1', 'localhost')
  const browser = await chromium.launch({
    executablePath: chromiumPath ?? '',
    // In a container there is no sandbox for it to be in.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
  const startupValue = (name: string) =>
    new RegExp(`\\b${name}=(\\S+)`).exec(program.output())?.[1] ?? ''
  return {
    program,
    address,
    browser,
    startupValue,
    client: new TestClient(address, startupValue('OPERATOR')),
    async openTab({ scheme = 'light', width = 1280, language = 'en', isUnguarded = false } = {}) {
      const context = await browser.newContext({
        viewport: { width, height: width === 390 ? 844 : 860 },
        colorScheme: scheme,
        locale: language,
        bypassCSP: isUnguarded,
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      const errors: string[] = []
      page.on('crash', () => errors.push(`${page.url()}: the page crashed`))
      page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`))
      page.on('console', (message) => {
        // Refusals that a test asks for are printed by the browser as well.
        const isRefusal = message.text().startsWith('Failed to load resource')
        if (message.type() === 'error' && !isRefusal)
          errors.push(`${page.url()}: ${message.text()}`)
      })
      const pending = new Set<string>()
      page.on('request', (request) => pending.add(request.url()))
      page.on('requestfinished', (request) => pending.delete(request.url()))
      page.on('requestfailed', (request) => pending.delete(request.url()))
      const go = async (path: string) => {
        await page.goto(`${address}/console${path}`)
        await page
          .locator('h1')
          .waitFor()
          .catch(async (cause: Error) => {
            const shown = await page.locator('body').innerText()
            const what = [`“${shown}”`, ...errors, ...[...pending].map((url) => `open: ${url}`)]
            throw new Error(`${path} shows no title: ${what.join('; ')}`, { cause })
          })
        await page.locator('main[aria-busy=false]').waitFor()
        await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
      }
      return { context, page, pageErrors: errors, goTo: go }
    },
    async close() {
      await browser.close()
      await program.stop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** Signs the demo seller in, as a person would. */
export async function signInDemoSeller({ page, goTo }: ConsoleTab): Promise<void> {
  await goTo('/')
  await page.getByRole('main').locator('section').first().getByRole('button').click()
  await page.locator('#login').fill('TIENDA_DEL_SUR')
  await page.locator('#password').fill('feria-demo-password')
  await page.locator('form[action="/login"] button').click()
  await page.locator('button[value=allow]').click()
  await page.waitForURL(/\/console\//)
  await page.getByText('TIENDA_DEL_SUR').first().waitFor({ state: 'attached' })
}

/** Who is signed in, to be taken along to other tabs. */
export async function readStoredSession({ page }: ConsoleTab): Promise<string> {
  return page.evaluate(() => sessionStorage.getItem('feria-console-session') ?? '')
}

export async function restoreSession({ context }: ConsoleTab, session: string): Promise<void> {
  await context.addInitScript((storedSession) => {
    sessionStorage.setItem('feria-console-session', storedSession)
  }, session)
}
