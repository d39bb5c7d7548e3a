import assert from 'node:assert/strict'
import { execFileSync, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { nextEvent, pollUntil, programBoundMs } from './harness/wait.ts'

/** The published package, installed by npm into an empty folder away from the checkout. */
const checkout = fileURLToPath(new URL('..', import.meta.url))
const timeoutMs = 120_000
const { engines } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))
/** The oldest Node that `engines` promises, with all three numbers. */
const oldestNode = `${engines.node.replace('>=', '')}.0`.split('.').slice(0, 3).join('.')
/** Past its end of life, and in use all the same. */
const unsupportedNode = '18.20.8'

let folder: string
let project: string
let installed: string
/** Why npm could install nothing, when its registry is out of reach. */
let unreachable: string | undefined

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'feria-package-'))
  execFileSync('npm', ['pack', '--pack-destination', folder], {
    cwd: copyOfCheckout(),
    stdio: 'ignore',
  })
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
  project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}')
  unreachable = install(project, join(folder, archive))
  installed = join(project, 'node_modules', 'feria')
  if (unreachable === undefined) return
  execFileSync('tar', ['-xzf', archive], { cwd: folder })
  installed = join(folder, 'package')
})
after(() => rmSync(folder, { recursive: true, force: true }))

/** Packing builds the console anew, and its folder is empty meanwhile: other tests load it at the same time. */
function copyOfCheckout(): string {
  const copy = join(folder, 'checkout')
  const isLeftOut = (path: string) =>
    ['node_modules', '.git', 'dist', 'data', 'bench'].includes(relative(checkout, path))
  cpSync(checkout, copy, { recursive: true, filter: (path) => !isLeftOut(path) })
  symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Installs a package; returns why npm's registry could not be reached, and throws whatever else fails. */
function install(into: string, what: string): string | undefined {
  const args = ['install', what, '--prefix', into, '--no-audit', '--no-fund', '--prefer-offline']
  const { status, stderr } = spawnSync('npm', args, {
    cwd: into,
    encoding: 'utf8',
    timeout: 5 * timeoutMs,
    env: { ...process.env, npm_config_fetch_retries: '1' },
  })
  if (status === 0) return undefined
  const network = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT)\b/
  const code = network.exec(stderr)?.[1]
  if (code === undefined) throw new Error(`npm install ${what}:\n${stderr}`)
  return `npm's registry is out of reach: ${code}`
}

/** The folder of a Node of this version; skips the test and returns undefined where npm cannot fetch it. */
function nodeOf(version: string, t: TestContext): string | undefined {
  const into = join(folder, `node-${version}`)
  mkdirSync(into)
  // npm runs the script that fetches the program for this machine only where it is allowed.
  writeFileSync(join(into, 'package.json'), '{"private":true,"allowScripts":{"node":true}}')
  const reason = unreachable ?? install(into, `node@${version}`)
  if (reason !== undefined) {
    t.skip(reason)
    return undefined
  }
  return join(into, 'node_modules', 'node', 'bin')
}

const command = () => join(project, 'node_modules', '.bin', 'feria')

/** What a person's shell has, with this Node in front. */
const environment = (node: string) => ({
  PATH: `${node}:${process.env['PATH']}`,
  HOME: process.env['HOME'],
  FERIA_LOG_LEVEL: 'warn',
})

/** Starts the packed program on a Node, uses it as somebody would who has just installed it, and stops it. */
async function usePackageOn(node: string, version: string): Promise<void> {
  const env = {
    ...environment(node),
    FERIA_DATA: mkdtempSync(join(folder, 'data-')),
    PORT: '0',
  }
  const program = spawn(command(), ['start'], { cwd: project, env })
  const exited = nextEvent(program, 'exit', { boundMs: programBoundMs })
  let output = ''
  for (const stream of [program.stdout, program.stderr]) {
    stream.on('data', (part) => {
      output += part
    })
  }
  try {
    const ready = () => {
      assert.equal(program.exitCode, null, `feria ended:\n${output}`)
      return /Feria is ready at (\S+).*Ctrl-C/s.exec(output)?.[1]
    }
    const address = await pollUntil('feria to start', ready, timeoutMs)
    const ask = (path: string) =>
      fetch(address + path, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' })
    const seller = /SELLER=(\S+)/.exec(output)?.[1]
    const order = Number(/ORDER=(\d+)/.exec(output)?.[1])
    const read = await ask(`/orders/${order}?access_token=${seller}`)
    assert.equal(read.status, 200)
    assert.equal(((await read.json()) as { id: number }).id, order)
    for (const [path, title] of [
      ['/docs/', /Feria reference/],
      ['/console/', /Feria/],
    ] as const) {
      const page = await (await ask(path)).text()
      assert.match(page, title)
      const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(page) ?? []
      assert.equal((await ask(script)).status, 200, `${path}: the built script`)
    }
    const doctor = spawnSync(command(), ['doctor', '--json'], {
      cwd: project,
      env: { ...env, PORT: new URL(address).port },
      encoding: 'utf8',
      timeout: timeoutMs,
    })
    assert.equal(doctor.status, 0, doctor.stdout + doctor.stderr)
    const { problems, checks } = JSON.parse(doctor.stdout)
    assert.equal(problems, 0, doctor.stdout)
    const stateOf = (name: string) =>
      checks.find((check: { name: string }) => check.name === name)?.says
    assert.match(stateOf('program'), new RegExp(`on Node ${version}$`))
    assert.match(stateOf('database'), /^PostgreSQL/)
    assert.equal(stateOf('schema'), 'up to date')
  } finally {
    program.kill('SIGTERM')
    const late = setTimeout(() => program.kill('SIGKILL'), timeoutMs)
    await exited
    clearTimeout(late)
  }
  assert.equal(program.exitCode, 0, `a clean stop:\n${output}`)
}

test('the packed program serves, looks after itself and stops on the oldest Node that it promises', async (t) => {
  const node = nodeOf(oldestNode, t)
  if (node !== undefined) await usePackageOn(node, oldestNode)
})

test('the packed program does the same on the newest Node, which a checkout brings', async (t) => {
  if (unreachable !== undefined) return t.skip(unreachable)
  await usePackageOn(dirname(process.execPath), process.versions.node)
})

test('on a Node that is too old the packed program says in one line which one it needs', (t) => {
  const node = nodeOf(unsupportedNode, t)
  if (node === undefined) return
  for (const args of [['start'], ['doctor'], ['--version']]) {
    const ran: SpawnSyncReturns<string> = spawnSync(command(), args, {
      cwd: project,
      env: environment(node),
      encoding: 'utf8',
      timeout: timeoutMs,
    })
    const minimum = engines.node.replace('>=', '')
    const expected = `feria needs Node ${minimum} or newer; this is Node ${unsupportedNode}.\n`
    assert.deepEqual([ran.status, ran.stdout, ran.stderr], [1, '', expected], args.join(' '))
  }
})

test('the packed `feria/client` is typed and runs in somebody else’s project', (t) => {
  if (unreachable !== undefined) return t.skip(unreachable)
  const typed = `
import { bodyOf, openFeria, verifyNotification } from 'feria/client'
const feria = openFeria({ baseUrl: 'http://127.0.0.1:1', token: 't', tries: 1 })
const path = { order_id: '7' }
export const id = (): Promise<number> =>
  bodyOf(feria.GET('/orders/{order_id}', { params: { path } })).then((order) => order.id)
`
  const stdoutOf = (error: unknown) => String((error as { stdout?: unknown }).stdout)
  const check = (text: string) => {
    writeFileSync(join(project, 'mine.ts'), text)
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024']
    const tsc = join(checkout, 'node_modules', '.bin', 'tsc')
    execFileSync(tsc, [...options, '--lib', 'es2024,dom', 'mine.ts'], { cwd: project })
  }
  try {
    check(typed)
  } catch (error) {
    assert.fail(stdoutOf(error))
  }
  assert.throws(
    () => check(typed.replace('{order_id}', '{order}')),
    (error) => /order/.test(stdoutOf(error)),
    'and a wrong path does not compile',
  )
  const run = `import { openFeria } from 'feria/client'; console.log(typeof openFeria)`
  writeFileSync(join(project, 'mine.mjs'), run)
  const output = execFileSync(process.execPath, ['mine.mjs'], { cwd: project, encoding: 'utf8' })
  assert.equal(output, 'function\n')
})

test('the package holds the program, its migrations and its demo data, and no tests', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !file.startsWith('node_modules'),
  )
  assert.ok(files.includes(join('migrations', '0001_house.sql')))
  assert.ok(files.includes(join('demo', 'scenarios.json')))
  assert.ok(files.includes(join('docs', 'openapi.json')))
  assert.ok(files.includes(join('moderation', 'lists', 'claims.es.txt')))
  assert.deepEqual(
    files.filter((file) => /\.test\.|(?<!\.d)\.ts$/.test(file)),
    [],
  )
})
