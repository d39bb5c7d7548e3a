import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { InspectionSession } from '../../src/cli/doctor/read-model.ts'
import { type CliFixture, freePort, openCliFixture } from '../harness/cli-fixture.ts'
import { TestClient } from '../harness/client.ts'
import { runFeria } from '../harness/command.ts'
import { openTestDatabase } from '../harness/database.ts'
import {
  createMessagingMarket,
  placeCustomShippingOrder,
  sendTestMessage,
} from '../harness/messaging.ts'
import { startProgram } from '../harness/program.ts'
import { nextEvent } from '../harness/wait.ts'

/** `feria doctor` in worlds that are well, and in such as are not. */
let cli: CliFixture
before(async () => {
  cli = await openCliFixture()
})
after(() => cli.close())

interface DoctorReport {
  problems: number
  warnings: number
  checks: { name: string; state: string; says: string; advice?: string }[]
}

async function runDoctor(
  env: Record<string, string>,
): Promise<DoctorReport & { code: number | null }> {
  const { code, stdout, stderr } = await runFeria(env, 'doctor', '--json')
  assert.equal(stderr, '')
  const report: DoctorReport = JSON.parse(stdout)
  const count = (state: string) => report.checks.filter((each) => each.state === state).length
  assert.deepEqual([report.problems, report.warnings], [count('problem'), count('warning')])
  for (const { state, advice } of report.checks) assert.equal(advice === undefined, state === 'ok')
  assert.equal(code, report.problems > 0 ? 1 : 0)
  return { code, ...report }
}

function assertCheck(report: DoctorReport, name: string, state: string, says: RegExp): void {
  const check = report.checks.find((each) => each.name === name)
  assert.equal(check?.state, state, `${name}: ${JSON.stringify(report.checks)}`)
  assert.match(`${check?.says} ${check?.advice ?? ''}`, says, name)
}

/** An environment with a database of its own, migrated, and a port that is free. */
async function openDoctorEnvironment() {
  const database = await openTestDatabase()
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  const port = String(await freePort())
  const env = { ...cli.env(), DATABASE_URL: database.url, FERIA_MODE: 'sandbox', PORT: port }
  return { env, run, ...database }
}

test('a world that is well has nothing to mend, for people and as JSON', async () => {
  const report = await runDoctor(cli.env())
  assert.deepEqual([report.code, report.problems], [0, 0])
  assertCheck(report, 'server', 'ok', /Feria \d+\.\d+\.\d+ answers at http/)
  assertCheck(report, 'schema', 'ok', /up to date/)
  assertCheck(report, 'connections', 'ok', /1 process of Feria/)
  assertCheck(report, 'changes', 'ok', /^0 not fanned out/)
  const { stdout } = await runFeria(cli.env(), 'doctor')
  assert.match(stdout, /^ok {7}program {13}feria \d/)
  assert.match(stdout, /\n\d+ checks: 0 problem\(s\), \d+ warning\(s\)\n$/)
})

test('a moved clock and a paused lane are told, with what to do', async () => {
  const { runSuccessfully } = cli
  await runSuccessfully('clock', 'advance', '26h')
  await runSuccessfully(
    'applications',
    'put',
    '7',
    '--name',
    'Seven',
    '--callback',
    'http://127.0.0.1:9/',
  )
  await runSuccessfully('deliveries', 'pause', '7')
  const report = await runDoctor(cli.env())
  assert.equal(report.code, 0, 'warnings alone are no failure')
  assertCheck(report, 'sandbox clock', 'warning', /1 d 2 h ahead/)
  assertCheck(report, 'queues', 'warning', /paused: 7 "Seven" since .*feria deliveries resume 7/)
  await runSuccessfully('deliveries', 'resume', '7')
  assertCheck(await runDoctor(cli.env()), 'queues', 'ok', /all open/)
})

test('a rule of moderation that is mostly overruled is told, with what to do', async () => {
  assertCheck(await runDoctor(cli.env()), 'moderation rules', 'ok', /^none is overruled/)
  const client = new TestClient(cli.program().address)
  const talk = await createMessagingMarket(client)
  const { id: packId } = await placeCustomShippingOrder(client)
  for (let count = 0; count < 10; count++) {
    const text = `Te lo mando por bit.ly/${count}`
    const { body } = await sendTestMessage(client, { token: talk.anaToken, packId, text })
    if (count < 6) await client.operator('POST', `/operator/messages/${body.id}/overrule`, {})
  }
  assertCheck(
    await runDoctor(cli.env()),
    'moderation rules',
    'warning',
    /: link\.short \(6 of 10\) .*feria moderation switch link\.short off\.$/,
  )
})

test('a proxy in front that the server does not trust is told', async () => {
  assertCheck(await runDoctor(cli.env()), 'proxies', 'ok', /no request named one/)
  const headers = { forwarded: 'for=192.0.2.1' }
  await fetch(`${cli.program().address}/health/live`, { headers })
  assertCheck(await runDoctor(cli.env()), 'proxies', 'warning', /^1 request.*FERIA_TRUSTED_PROXIES/)
})

test('a token that the server does not take is found, and a name that is no setting', async () => {
  const env = { ...cli.env(), FERIA_OPERATOR_TOKEN: 'another one than there', FERIA_DATAS: 'x' }
  const report = await runDoctor(env)
  assert.equal(report.code, 1)
  assertCheck(report, 'server’s settings', 'problem', /401.*Set FERIA_OPERATOR_TOKEN/)
  assertCheck(
    report,
    'names of settings',
    'warning',
    /FERIA_DATAS is no setting\. Did you mean "FERIA_DATA"/,
  )
})

test('wrong settings are all told, and nothing else is looked at', async () => {
  const report = await runDoctor({ ...cli.env(), PORT: 'x', FERIA_DEMO: 'maybe' })
  assertCheck(report, 'settings', 'problem', /PORT: expected.*FERIA_DEMO: expected/)
  assert.ok(!report.checks.some(({ name }) => name === 'database'))
})

test('a database that does not run is said, as is one that is not there to be run', async () => {
  const away = await freePort()
  const url = `postgres://u:p@127.0.0.1:${away}/x`
  const report = await runDoctor({ ...cli.env(), DATABASE_URL: url, FERIA_MODE: 'sandbox' })
  assert.equal(report.code, 1)
  assertCheck(
    report,
    'database',
    'problem',
    /cannot be reached \(ECONNREFUSED\).*correct DATABASE_URL/,
  )
  const port = String(await freePort())
  const none = await runDoctor({ FERIA_DATA: `${cli.dataDirectory}/none`, PORT: port })
  assert.equal(none.code, 0)
  assertCheck(none, 'database', 'warning', /does not run.*feria start runs it/)
  assertCheck(none, 'server', 'ok', new RegExp(`would use port ${port}, which is free`))
})

test('a port that something else has is found before a start fails on it', async () => {
  const portHolder = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await nextEvent(portHolder, 'listening')
  const { port } = portHolder.address() as AddressInfo
  try {
    const report = await runDoctor({ FERIA_DATA: `${cli.dataDirectory}/none`, PORT: String(port) })
    assert.equal(report.code, 1)
    assertCheck(
      report,
      'server',
      'problem',
      new RegExp(`port ${port} .*taken by another program.*set PORT`),
    )
  } finally {
    portHolder.close()
  }
})

const canMakeCertificates = spawnSync('openssl', ['version']).status === 0

test('a server with TLS is recognized although its public address leads elsewhere, and so is a wrong setting', {
  skip: canMakeCertificates ? false : 'there is no openssl command to make a certificate with',
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'feria-doctor-tls-'))
  const [TLS_CERT_FILE, TLS_KEY_FILE] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  makeCertificate({ name: 'api.example', cert: TLS_CERT_FILE, key: TLS_KEY_FILE })
  const tls = { TLS_CERT_FILE, TLS_KEY_FILE, FERIA_PUBLIC_URL: 'https://api.invalid' }
  const port = String(await freePort())
  const plain = { FERIA_DATA: folder, FERIA_DEMO: 'off', FERIA_LOG_LEVEL: 'warn', PORT: port }
  const program = await startProgram({ env: { ...plain, ...tls } })
  try {
    const report = await runDoctor({ ...plain, ...tls })
    assert.deepEqual([report.code, report.problems], [0, 0], JSON.stringify(report.checks))
    const here = `Feria \\d\\S+ answers at https://127\\.0\\.0\\.1:${port}`
    assertCheck(
      report,
      'server',
      'warning',
      new RegExp(`^${here}, but commands call https://api\\.invalid: .*--server`),
    )
    assertCheck(report, 'readiness', 'ok', /reaches its database/)
    assertCheck(report, 'server’s settings', 'ok', /takes the operator token/)
    assertCheck(report, 'proxies', 'ok', /no request named one/)
    const withoutTls = await runDoctor(plain)
    assertCheck(
      withoutTls,
      'server',
      'problem',
      new RegExp(`^${here} over HTTPS, but TLS_CERT_FILE is not set here .*environment`),
    )
    const withTls = await runDoctor({ ...cli.env(), TLS_CERT_FILE, TLS_KEY_FILE })
    assertCheck(withTls, 'server', 'problem', /over HTTP, but TLS_CERT_FILE is set here/)
    // The token goes to the holder of the certificate only.
    makeCertificate({ name: 'other.example', cert: TLS_CERT_FILE, key: TLS_KEY_FILE })
    assertCheck(
      await runDoctor({ ...plain, ...tls }),
      'server',
      'problem',
      /certificate of https:\/\/127\.0\.0\.1:\d+ is self-signed.*renewed, restart the server/,
    )
  } finally {
    await program.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Makes a self-signed certificate of this host name. */
function makeCertificate({ name, cert, key }: { name: string; cert: string; key: string }): void {
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const named = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  const files = ['-keyout', key, '-out', cert]
  const made = spawnSync('openssl', ['req', '-x509', '-days', '2', ...kind, ...named, ...files])
  assert.equal(made.status, 0, String(made.stderr))
}

test('an older schema, a later one and an empty database are told apart', async () => {
  const { env, run, drop } = await openDoctorEnvironment()
  try {
    assertCheck(await runDoctor(env), 'schema', 'ok', /up to date/)
    await run('delete from schema_steps where version = (select max(version) from schema_steps)')
    const older = await runDoctor(env)
    assert.equal(older.code, 1)
    assertCheck(
      older,
      'schema',
      'problem',
      /1 step\(s\) behind this program: 00\d\d_\w+ .*feria migrate/,
    )
    assert.ok(!older.checks.some(({ name }) => name === 'changes'), 'tables may be missing')
    await run("insert into schema_steps (version, name, distributed) values (9999, 'x', false)")
    assertCheck(
      await runDoctor(env),
      'schema',
      'problem',
      /is at step 9999.*Install the newer version/,
    )
    await run('drop schema public cascade; create schema public')
    assertCheck(
      await runDoctor(env),
      'schema',
      'problem',
      /\d+ step\(s\) behind this program: 0001_house/,
    )
  } finally {
    await drop()
  }
})

test('a statement that the database refuses is not taken for a database that does not run', async () => {
  const { env, run, drop } = await openDoctorEnvironment()
  try {
    await run('alter table order_count_changes rename to elsewhere')
    const report = await runDoctor(env)
    assert.equal(report.code, 1)
    assertCheck(
      report,
      'database',
      'problem',
      /refuses a statement \(42P01: .*order_count_changes.*Report/,
    )
  } finally {
    await drop()
  }
})

test('what waits while nobody works is told, and who holds a transaction open', async () => {
  const { env, run, url, drop } = await openDoctorEnvironment()
  const holder = new pg.Client({ connectionString: url, application_name: 'a report' })
  await holder.connect()
  try {
    await run(`insert into changes (slot, seller_id, id, topic, resource, user_ids, recorded_at)
      select 0, 1, gen_random_uuid(), 'items', '/items/1', '{1}', now() - interval '10 minutes'
      from generate_series(1, 3)`)
    await run(`insert into waiting_changes (slot, seller_id, id, recorded_at)
      select slot, seller_id, id, recorded_at from changes`)
    await run(`insert into applications (id, name, secret_hash, topics, callback_url, date_created,
      last_updated) values (7, 'Seven', 'x', '{}', 'http://127.0.0.1:9/', now(), now())`)
    await run(`insert into lanes (application_id, last_seq, last_at, cursor_seq, cursor_at, fence,
      rests_until, state) values (7, 5, now(), 2, now(), 0, now(), 'disabled')`)
    await run(`insert into order_kinds (seller_id, kind, facets, version) values (7, 1, '{}', 0)`)
    await run(`insert into orders (seller_id, id, buyer_id, site_id, status, currency_id,
      total_amount, paid_amount, tags, date_created, expiration_date, last_updated, details, body,
      body_version, parts, is_rated, is_disputed, sort_date, kind, basket) values (7, 1, 8, 'MLA',
      'payment_required', 'ARS', 1, 0, '{}', now(), now(), now(), '{}', '', 1, '{}', false, false,
      now(), 1, 1)`)
    await holder.query('begin; select count(*) from users')
    const report = await runDoctor(env)
    assertCheck(
      report,
      'changes',
      'warning',
      /3 not fanned out, the oldest for 10 min.*No process is conn/,
    )
    assertCheck(report, 'derived data', 'warning', /1 of orders.*Run feria work/)
    assertCheck(report, 'queues', 'problem', /disabled: 7 "Seven" \(3 wait\)/)
    const look = await InspectionSession.open(url)
    try {
      const { held, processes } = await look.server()
      assert.deepEqual(
        [held[0]?.name, held[0]?.state, held[0]?.keepsRows, processes],
        ['a report', 'idle in transaction', false, 0],
      )
      await holder.query('create temporary table report (id int)')
      const [holding] = (await look.server()).held
      assert.deepEqual([holding?.name, holding?.keepsRows], ['a report', true])
    } finally {
      await look.close()
    }
  } finally {
    await holder.end()
    await drop()
  }
})

test('it only reads: a role that may do no more than that is enough for it', async () => {
  const { env, url, run, drop } = await openDoctorEnvironment()
  const role = `reader_${process.pid}`
  await run(`create role ${role} login password 'x'; grant pg_read_all_data to ${role}`)
  try {
    const readerUrl = new URL(url)
    readerUrl.username = role
    readerUrl.password = 'x'
    const report = await runDoctor({ ...env, DATABASE_URL: readerUrl.href })
    assert.deepEqual([report.code, report.problems], [0, 0], JSON.stringify(report.checks))
    assertCheck(report, 'schema', 'ok', /up to date/)
    assertCheck(report, 'queues', 'ok', /0 applications/)
  } finally {
    await run(`drop owned by ${role}; drop role ${role}`)
    await drop()
  }
})
