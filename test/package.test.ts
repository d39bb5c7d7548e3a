import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startProgram } from './harness/program.ts'

/** The published package: compiled, in a folder of its own, away from the checkout. */
const checkout = fileURLToPath(new URL('..', import.meta.url))
let folder: string
let installed: string

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'feria-package-'))
  const options = { cwd: checkout, stdio: 'ignore' as const }
  execFileSync('npm', ['pack', '--pack-destination', folder], options)
  const [archive = ''] = readdirSync(folder)
  execFileSync('tar', ['-xzf', archive], { cwd: folder })
  installed = join(folder, 'package')
  // What `npm install` of the archive would fetch is here already.
  symlinkSync(join(checkout, 'node_modules'), join(installed, 'node_modules'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

test('the packed `feria` command starts the same service from another folder', async () => {
  const program = await startProgram({
    main: join(installed, 'dist', 'cli', 'main.js'),
    cwd: folder,
    env: { FERIA_DATA: join(folder, 'data'), FERIA_LOG_LEVEL: 'warn' },
  })
  try {
    const seller = /SELLER=(\S+)/.exec(program.output())?.[1]
    const order = /ORDER=(\d+)/.exec(program.output())?.[1]
    const answer = await fetch(`${program.address}/orders/${order}?access_token=${seller}`)
    assert.equal(answer.status, 200)
    assert.equal(((await answer.json()) as { id: number }).id, Number(order))
    const page = await fetch(`${program.address}/docs/`)
    assert.match(await page.text(), /Feria reference/)
    const console = await fetch(`${program.address}/console/`)
    const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(await console.text()) ?? []
    assert.equal((await fetch(program.address + script)).status, 200, 'the built console')
  } finally {
    assert.equal(await program.stop(), 0)
  }
})

test('the packed `feria/client` is typed and runs in somebody else’s project', async () => {
  const project = join(folder, 'project')
  mkdirSync(join(project, 'node_modules'), { recursive: true })
  symlinkSync(installed, join(project, 'node_modules', 'feria'))
  const typed = `
import { bodyOf, openFeria, verifyNotification } from 'feria/client'
const feria = openFeria({ baseUrl: 'http://127.0.0.1:1', token: 't', tries: 1 })
const path = { order_id: '7' }
export const id = (): Promise<number> =>
  bodyOf(feria.GET('/orders/{order_id}', { params: { path } })).then((order) => order.id)
`
  const says = (error: unknown) => String((error as { stdout?: unknown }).stdout)
  const check = (text: string) => {
    writeFileSync(join(project, 'mine.ts'), text)
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024']
    const tsc = join(checkout, 'node_modules', '.bin', 'tsc')
    execFileSync(tsc, [...options, '--lib', 'es2024,dom', 'mine.ts'], { cwd: project })
  }
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  try {
    check(typed)
  } catch (error) {
    assert.fail(says(error))
  }
  assert.throws(
    () => check(typed.replace('{order_id}', '{order}')),
    (error) => /order/.test(says(error)),
    'and a wrong path does not compile',
  )
  const run = `import { openFeria } from 'feria/client'; console.log(typeof openFeria)`
  writeFileSync(join(project, 'mine.mjs'), run)
  const said = execFileSync(process.execPath, ['mine.mjs'], { cwd: project, encoding: 'utf8' })
  assert.equal(said, 'function\n')
})

test('the package holds the program and its migrations, and no tests', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !file.startsWith('node_modules'),
  )
  assert.ok(files.includes(join('migrations', '0001_house.sql')))
  assert.deepEqual(
    files.filter((file) => /\.test\.|(?<!\.d)\.ts$/.test(file)),
    [],
  )
})
