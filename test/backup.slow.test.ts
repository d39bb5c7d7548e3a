import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { TestClient } from './harness/client.ts'
import { openBucketStore } from './harness/file-stores.ts'
import { type Program, startProgram } from './harness/program.ts'
import {
  openSystemServer,
  runPostgres,
  skipWithoutSystemPostgres,
  systemPostgres,
} from './harness/system-postgres.ts'
import { uploadPath } from './harness/upload.ts'
import { nextEvent } from './harness/wait.ts'

/** Backups as docs/production.md tells to make them, and what comes back of them. */
let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'feria-backup-'))
})
after(async () => {
  for (const program of started) await program.stop()
  rmSync(folder, { recursive: true, force: true })
})

const skip = skipWithoutSystemPostgres

/** Ended also when a test breaks off, or the next one would wait for it. */
const started: Program[] = []
async function start(env: Record<string, string>): Promise<Program> {
  const fixed = { FERIA_MODE: 'sandbox', FERIA_LOG_LEVEL: 'warn' }
  const program = await startProgram({ env: { ...fixed, ...env } })
  started.push(program)
  return program
}

const startupValue = (program: Program, name: string) =>
  new RegExp(`${name}=(\\S+)`).exec(program.output())?.[1] ?? ''

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function upload(program: Program, token: string): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([png], { type: 'image/png' }), 'a.png')
  const answer = await new TestClient(program.address).send('POST', uploadPath, {
    token,
    body: form,
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}

/** What is compared: an order whole, how many there are, a conversation, and a file byte for byte. */
async function readStoredState(
  program: Program,
  { seller, order, talk, file }: { seller: string; order: string; talk: string; file: string },
) {
  const paths = [
    `/orders/${order}`,
    '/orders/search?seller=100000001&limit=50&display=complete',
    `/messages/packs/${talk}/sellers/100000001?tag=post_sale&mark_as_read=false`,
    `/messages/attachments/${file}?tag=post_sale&site_id=MLA`,
    '/users/me',
    '/sites/MLA/categories',
  ]
  const client = new TestClient(program.address)
  return Promise.all(
    paths.map(async (path) => {
      const answer = await client.request('GET', path, { token: seller })
      const bytes = Buffer.from(await answer.arrayBuffer()).toString('latin1')
      // Where it listens is no part of what is kept.
      return [path, answer.status, bytes.replaceAll(program.address, '')]
    }),
  )
}

/** Sells once: a restored service is one that goes on, with numbers that were not given out before. */
async function sellOnce(program: Program): Promise<number> {
  const lines = [{ item_id: 'MLA100000001', quantity: 1 }]
  const body = { buyer_id: 100000101, currency_id: 'ARS' as const, lines }
  return (await new TestClient(program.address).call('POST', '/operator/orders', { body })).id
}

test('a dump and a copy of the files, taken while it serves, come back as what was there', {
  skip,
}, async () => {
  const server = await openSystemServer(folder)
  const [data, restored] = [join(folder, 'data'), join(folder, 'restored')]
  try {
    await runPostgres('createdb', [...server.connectionOptions, 'feria'])
    const program = await start({ DATABASE_URL: server.url('feria'), FERIA_DATA: data })
    const named = { seller: startupValue(program, 'SELLER'), order: startupValue(program, 'ORDER') }
    const file = await upload(program, named.seller)
    const what = { ...named, talk: startupValue(program, 'TALK'), file }
    const before = await readStoredState(program, what)
    for (const [path, status] of before) assert.equal(status, 200, `${path}`)

    // The database first: every file that it names is there already.
    const dump = join(folder, 'feria.dump')
    await runPostgres('pg_dump', [...server.connectionOptions, '-Fc', '-f', dump, 'feria'])
    cpSync(data, restored, { recursive: true })
    const later = await sellOnce(program)
    assert.equal(await program.stop(), 0)

    await runPostgres('createdb', [...server.connectionOptions, 'restored'])
    await runPostgres('pg_restore', [
      ...server.connectionOptions,
      '--exit-on-error',
      '-d',
      'restored',
      dump,
    ])
    const again = await start({ DATABASE_URL: server.url('restored'), FERIA_DATA: restored })
    assertSameState(await readStoredState(again, what), before)
    const response = await new TestClient(again.address).get(`/orders/${later}`, named.seller)
    assert.equal(response.status, 404, 'what came after the dump is not in it')
    assert.ok((await sellOnce(again)) > 0)
    assert.equal(await again.stop(), 0)
  } finally {
    await server.stop()
  }
})

type StoredState = Awaited<ReturnType<typeof readStoredState>>

/** Compares answer by answer and field by field, so that a failure shows what differs. */
function assertSameState(actual: StoredState, expected: StoredState): void {
  const parsed = ([path, status, body]: StoredState[number]) => {
    const text = String(body)
    const isJson = /^[[{]/.test(text)
    return { path, status, body: isJson ? JSON.parse(text) : text }
  }
  for (const [at, answer] of expected.entries()) {
    assert.deepEqual(actual[at] && parsed(actual[at]), parsed(answer))
  }
}

/** The blocks of the guide: taking a backup, restoring one, and both for the embedded database. */
const guide = readFileSync(new URL('../docs/production.md', import.meta.url), 'utf8')
const backups = guide.slice(guide.indexOf('## Backups'), guide.indexOf('## Upgrades'))
const [takeBlock = '', restoreBlock = '', embeddedBlock = ''] = [
  ...backups.matchAll(/^```sh\n(.*?)^```$/gms),
].map(([, block = '']) => block)

/** Runs a block of the guide as it stands, but for these names of it. */
async function runGuideBlock(
  block: string,
  names: Record<string, string>,
  env: Record<string, string>,
): Promise<void> {
  let script = block
  for (const [name, here] of Object.entries(names)) {
    assert.ok(script.includes(name), `the guide says ${name}`)
    script = script.replaceAll(name, here)
  }
  const PATH = `${systemPostgres}:${process.env['PATH']}`
  const child = spawn('bash', ['-euc', script], { cwd: folder, env: { PATH, ...env } })
  const [stderr, [code]] = await Promise.all([text(child.stderr), nextEvent(child, 'exit')])
  assert.equal(code, 0, `${script}\n${stderr}`)
}

test('the commands of the guide bring back a database without files, with files, and with a bucket', {
  skip,
}, async () => {
  const server = await openSystemServer(folder, 'guide-server')
  const bucket = await openBucketStore()
  const kinds = { none: {}, disk: {}, bucket: bucket.env }
  try {
    for (const [kind, settings] of Object.entries(kinds)) {
      await runPostgres('createdb', [...server.connectionOptions, kind])
      const data = join(folder, `data-${kind}`)
      const env = { DATABASE_URL: server.url(kind), FERIA_DATA: data }
      // Without its demo data nothing has been uploaded: there is no folder to copy.
      const demo = kind === 'none' ? { FERIA_DEMO: 'off' } : {}
      const program = await start({ ...settings, ...demo, ...env })
      const named = {
        seller: startupValue(program, 'SELLER'),
        order: startupValue(program, 'ORDER'),
      }
      const file = kind === 'none' ? '' : await upload(program, named.seller)
      const what = { ...named, talk: startupValue(program, 'TALK'), file }
      const before = kind === 'none' ? undefined : await readStoredState(program, what)
      for (const [path, status] of before ?? []) assert.equal(status, 200, `${kind} ${path}`)
      assert.equal(existsSync(join(data, 'files')), kind === 'disk', kind)

      const backup = join(folder, `backup-${kind}`)
      // Twice on one day is once.
      for (let times = 0; times < 2; times++)
        await runGuideBlock(takeBlock, { '/backup': backup }, env)
      assert.equal(await program.stop(), 0)
      const [dated = ''] = globSync(`${backup}/feria-*`)
      const restored = join(folder, `restored-${kind}`)
      await runGuideBlock(
        restoreBlock,
        {
          '/backup/feria-2026-03-10': dated,
          'postgres://user:password@host:5432/feria_restored': server.url(`${kind}_restored`),
          'createdb --maintenance-db="$DATABASE_URL" feria_restored': `createdb --maintenance-db="$DATABASE_URL" ${kind}_restored`,
          './data-restored\n': `${restored}\n`,
          'DATABASE_URL="$RESTORED" FERIA_DATA=./data-restored feria start': '',
        },
        env,
      )
      const there = { DATABASE_URL: server.url(`${kind}_restored`), FERIA_DATA: restored }
      const again = await start({ ...settings, ...demo, ...there })
      if (before) assertSameState(await readStoredState(again, what), before)
      assert.equal(await again.stop(), 0)
    }
  } finally {
    await bucket.close()
    await server.stop()
  }
})

test('the commands of the guide copy a stopped embedded database', async () => {
  const data = join(folder, 'stopped')
  const program = await start({ FERIA_DATA: data, FERIA_DEMO: 'off' })
  assert.equal(await program.stop(), 0)
  const copy = join(folder, 'stopped-copy')
  await runGuideBlock(
    embeddedBlock,
    { './data-copy\n': `${copy}\n`, 'FERIA_DATA=./data-copy feria start': '' },
    { FERIA_DATA: data },
  )
  const again = await start({ FERIA_DATA: copy, FERIA_DEMO: 'off' })
  assert.equal(await again.stop(), 0)
})

test('a copy of the folder of a stopped Feria is that Feria', async () => {
  const [data, copy] = [join(folder, 'embedded'), join(folder, 'copy')]
  const program = await start({ FERIA_DATA: data })
  const named = { seller: startupValue(program, 'SELLER'), order: startupValue(program, 'ORDER') }
  const file = await upload(program, named.seller)
  const what = { ...named, talk: startupValue(program, 'TALK'), file }
  const before = await readStoredState(program, what)
  assert.equal(await program.stop(), 0)
  // With its owners, which PostgreSQL insists on.
  assert.equal(spawnSync('cp', ['-a', data, copy]).status, 0)
  const again = await start({ FERIA_DATA: copy })
  try {
    assertSameState(await readStoredState(again, what), before)
  } finally {
    assert.equal(await again.stop(), 0)
  }
})
