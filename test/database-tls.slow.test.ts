import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { runFeria } from './harness/command.ts'
import {
  openSystemServer,
  runPostgres,
  type SystemPostgresServer,
  skipWithoutSystemPostgres,
} from './harness/system-postgres.ts'

/** What docs/production.md says about TLS to the database. */
const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const skip =
  skipWithoutSystemPostgres ||
  (hasOpenssl ? false : 'there is no openssl command to make a certificate with')

let folder: string
let certificate: string
let server: SystemPostgresServer

before(async () => {
  if (skip) return
  folder = mkdtempSync(join(tmpdir(), 'feria-database-tls-'))
  // The server reads its files as another user, and so does this test.
  chmodSync(folder, 0o755)
  const [keyFile, certFile] = [join(folder, 'server.key'), join(folder, 'server.pem')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const named = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const files = ['-keyout', keyFile, '-out', certFile]
  const made = spawnSync('openssl', ['req', '-x509', '-days', '2', ...kind, ...named, ...files])
  assert.equal(made.status, 0, String(made.stderr))
  certificate = certFile
  server = await openSystemServer(folder, 'server', { tls: { certFile, keyFile } })
})
after(async () => {
  if (skip) return
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const urlWith = (query: string) => `${server.url('postgres')}${query}`

async function usesTls(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
    return rows[0].ssl
  } finally {
    await client.end()
  }
}

test('sslmode and sslrootcert of DATABASE_URL decide about TLS, for Feria and for pg_dump', {
  skip,
}, async () => {
  const verified = urlWith(`?sslmode=verify-full&sslrootcert=${certificate}`)
  const cases: [url: string, env: Record<string, string>, code: number, says: RegExp][] = [
    [urlWith(''), {}, 0, /would run 0001_house/],
    [verified, {}, 0, /would run 0001_house/],
    [urlWith('?sslmode=require'), {}, 1, /certificate of the database is not trusted/],
    [urlWith('?sslmode=require'), { NODE_EXTRA_CA_CERTS: certificate }, 0, /would run 0001_house/],
    [urlWith('?sslmode=no-verify'), {}, 0, /would run 0001_house/],
  ]
  for (const [url, env, code, says] of cases) {
    const ran = await runFeria({ ...env, DATABASE_URL: url }, 'migrate', '--plan')
    assert.equal(ran.code, code, `${url} ${ran.output}`)
    assert.match(ran.output, says, url)
  }
  assert.deepEqual(
    [
      await usesTls(urlWith('')),
      await usesTls(verified),
      await usesTls(urlWith('?sslmode=no-verify')),
    ],
    [false, true, true],
  )
  await runPostgres('pg_dump', ['--schema-only', verified])
})

test('doctor says how to trust the certificate of the database', { skip }, async () => {
  const env = { DATABASE_URL: urlWith('?sslmode=require'), FERIA_MODE: 'sandbox', PORT: '0' }
  const { checks } = JSON.parse((await runFeria(env, 'doctor', '--json')).stdout)
  const database = checks.find(({ name }: { name: string }) => name === 'database')
  assert.equal(database.state, 'problem')
  assert.match(database.says, /certificate of the database is not trusted/)
  assert.match(database.advice, /sslmode=verify-full&sslrootcert=/)
  assert.doesNotMatch(database.advice, /Start it/)
})
