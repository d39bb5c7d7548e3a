import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../src/platform/database/migrate.ts'
import { startEmbedded } from '../src/platform/postgres/embedded.ts'

/**
 * `npm test [-- files]`: starts a server of its own (or takes the one of TEST_DATABASE_URL), migrates
 * a template once, runs the test files, stops the server. Every file clones the template; with
 * TEST_DATABASE_CLONE=0, for servers that cannot clone, the files run one after another in the
 * database that TEST_DATABASE_URL names, and each empties the tables first.
 */
const everything = [
  ...['src/**/*.test.ts', 'test/**/*.test.ts'],
  ...['client/*.test.ts', 'examples/*.test.ts'],
]

async function main(): Promise<number> {
  const chosen = process.argv.slice(2)
  const files =
    chosen.length > 0 ? chosen : everything.flatMap((pattern) => globSync(pattern)).sort()
  const given = process.env['TEST_DATABASE_URL']
  const clone = process.env['TEST_DATABASE_CLONE'] !== '0'
  if (!clone && !given) throw new Error('TEST_DATABASE_CLONE=0 needs a TEST_DATABASE_URL')
  const folder = mkdtempSync(join(tmpdir(), 'feria-test-'))
  const server = given ? undefined : await startEmbedded({ dataDirectory: folder, durable: false })
  try {
    const serverUrl = given ?? server?.url ?? ''
    const template = clone ? await makeTemplate(serverUrl) : undefined
    if (!clone) await migrate(serverUrl)
    const code = await runFiles(files, {
      FERIA_TEST_SERVER: serverUrl,
      // Each file is a process of its own: sources are stripped of their types once, not a hundred times.
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      ...(template ? { FERIA_TEST_TEMPLATE: template } : {}),
    })
    if (template) await onServer(serverUrl, `drop database ${template}`)
    return code
  } finally {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function makeTemplate(serverUrl: string): Promise<string> {
  const template = `feria_template_${process.pid}`
  await onServer(serverUrl, `create database ${template}`)
  const url = new URL(serverUrl)
  url.pathname = `/${template}`
  await migrate(url.href)
  return template
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

function runFiles(files: string[], env: Record<string, string>): Promise<number> {
  // The runner itself would leave one core idle, which on two cores is half of the machine.
  const atOnce = env['FERIA_TEST_TEMPLATE'] ? Math.max(2, availableParallelism()) : 1
  const concurrency = `--test-concurrency=${atOnce}`
  const chance = `--import=${new URL('./harness/chance.ts', import.meta.url).href}`
  const options = ['--test', '--test-reporter=spec', concurrency, '--test-timeout=240000']
  // The examples import the client as its users do; here that is its source.
  const args = ['--conditions=feria-source', chance, ...options, ...files]
  // `node:test` marks its children; without the mark a run inside another run would report to it.
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...inherited, ...env } })
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}

process.exitCode = await main()
