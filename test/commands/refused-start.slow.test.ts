import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { freePort } from '../harness/cli-fixture.ts'
import { installClusterStandIn } from '../harness/cluster-stand-in.ts'
import { runFeria } from '../harness/command.ts'
import { openTestDatabase } from '../harness/database.ts'
import { nextEvent } from '../harness/wait.ts'

/** What keeps a start from beginning: told in words, with nothing made and nothing left running. */
let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'feria-refused-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string) => join(folder, name)

async function expectRefusedStart(
  env: Record<string, string>,
  args: string[],
  says: RegExp,
): Promise<void> {
  const { code, output, stderr } = await runFeria({ FERIA_LOG_LEVEL: 'warn', ...env }, ...args)
  assert.equal(code, 1, `${args.join(' ')}: ${output}`)
  assert.match(stderr, says)
  assert.doesNotMatch(output, /\n\s+at /, 'no stack trace')
}

test('a taken port is told in two lines before anything is made, and nothing is left running', async () => {
  const portHolder = createServer().listen(0, '127.0.0.1')
  await nextEvent(portHolder, 'listening')
  const port = String((portHolder.address() as AddressInfo).port)
  const data = at('never-made')
  const portInUseMessage = (setting: string) =>
    RegExp(
      `^Port ${port} on 127\\.0\\.0\\.1 is in use \\(EADDRINUSE\\)\\.\\nSet ${setting} to a free one .*\\n$`,
    )
  try {
    for (const args of [['start'], ['start', '--workers', '2'], ['serve']]) {
      await expectRefusedStart({ FERIA_DATA: data, PORT: port }, args, portInUseMessage('PORT'))
      // No embedded database was made, so none can be left running.
      assert.ok(!existsSync(data), args.join(' '))
    }
    await expectRefusedStart(
      { FERIA_DATA: data, FERIA_WORK_PORT: port },
      ['work'],
      portInUseMessage('FERIA_WORK_PORT'),
    )
    assert.ok(!existsSync(data))
  } finally {
    portHolder.close()
  }
})

test('a host, a certificate and a data folder that cannot be used are told by their settings', async () => {
  const PORT = String(await freePort())
  const FERIA_OPERATOR_TOKEN = 'operator-token-of-the-tests'
  const notPem = at('not.pem')
  writeFileSync(notPem, 'no certificate')
  const cases: [env: Record<string, string>, says: RegExp][] = [
    [{ HOST: '0.0.0.0' }, /FERIA_OPERATOR_TOKEN: required for a sandbox .*HOST is 0\.0\.0\.0/],
    [
      { HOST: '192.0.2.1', FERIA_OPERATOR_TOKEN },
      /^HOST: 192\.0\.2\.1 is not an address of this machine/,
    ],
    [{ HOST: 'nosuch.invalid', FERIA_OPERATOR_TOKEN }, /^HOST: .*nosuch\.invalid/],
    [{ TLS_CERT_FILE: at('none'), TLS_KEY_FILE: at('none') }, /^TLS_CERT_FILE cannot be read/],
    [{ TLS_CERT_FILE: notPem, TLS_KEY_FILE: notPem }, /^TLS_CERT_FILE and TLS_KEY_FILE: expected/],
    [{ FERIA_DATA: notPem }, /^The data directory .* cannot be opened.*Choose another one/],
    [{ FERIA_DATA: join(notPem, 'x') }, /^The data directory .* cannot be opened/],
    [{ FERIA_MODE: 'prod', FERIA_DEMO: 'yes' }, /FERIA_MODE: expected.*\n.*FERIA_DEMO: expected/],
    [{ PORT: '99999' }, /PORT: expected a whole number from 0 to 65535/],
  ]
  for (const [env, says] of cases) {
    await expectRefusedStart({ FERIA_DATA: at('data'), PORT, ...env }, ['start'], says)
    assert.ok(!existsSync(at('data')), 'no database was made')
  }
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

test('a certificate with the key of another, without one, or with one that asks for a password is told in a line', {
  skip: hasOpenssl ? false : 'there is no openssl command to make a certificate with',
}, async () => {
  const openssl = (...args: string[]) => {
    const { status, stderr } = spawnSync('openssl', args, { cwd: folder })
    assert.equal(status, 0, String(stderr))
  }
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  for (const name of ['one', 'other']) {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`]
    openssl('req', '-x509', '-days', '2', ...kind, '-subj', `/CN=${name}`, ...files)
  }
  openssl('ec', '-in', 'one.key', '-aes128', '-passout', 'pass:secret', '-out', 'locked.key')
  writeFileSync(at('empty'), '')
  const both = 'TLS_CERT_FILE and TLS_KEY_FILE: expected a certificate and its'
  const cases: [cert: string, key: string, says: RegExp][] = [
    ['one.pem', 'other.key', RegExp(`^${both} own key, not that of another one .*\\n$`)],
    ['one.pem', 'empty', RegExp(`^${both} key as PEM .*\\n$`)],
    ['empty', 'one.key', RegExp(`^${both} key as PEM .*\\n$`)],
    ['one.pem', 'locked.key', RegExp(`^${both} key as PEM .*\\n$`)],
    ['one.pem', 'none.key', /^TLS_KEY_FILE cannot be read: .*\n$/],
  ]
  for (const [cert, key, says] of cases) {
    const env = { TLS_CERT_FILE: at(cert), TLS_KEY_FILE: at(key), PORT: '0' }
    await expectRefusedStart({ FERIA_DATA: at('data'), ...env }, ['start'], says)
  }
  await expectRefusedStart({ TLS_CERT_FILE: at('one.pem') }, ['start'], /expected both or neither/)
})

test('a data folder below one that refuses entries is told at once', {
  skip: existsSync('/proc/self') ? false : 'this system has no /proc',
}, async () => {
  const env = { FERIA_DATA: '/proc/feria', PORT: '0' }
  await expectRefusedStart(env, ['start'], /^The data directory \/proc\/feria cannot be opened/)
})

test('a wrong DATABASE_URL is told with what is wrong in it', async () => {
  const database = await openTestDatabase()
  const stranger = createHttpServer((_request, response) => response.end())
  stranger.listen(0, '127.0.0.1')
  await nextEvent(stranger, 'listening')
  const changed = (change: (url: URL) => void) => {
    const url = new URL(database.url)
    change(url)
    return url.href
  }
  const cases: [url: string, says: RegExp][] = [
    [changed((url) => (url.password = 'wrong')), /28P01.*Correct its user and password/],
    [changed((url) => (url.password = '')), /DATABASE_URL has none/],
    [changed((url) => (url.username = 'nobody_here')), /28P01.*Correct its user and password/],
    [changed((url) => (url.pathname = '/nosuch')), /3D000.*Create the database/],
    [changed((url) => (url.hostname = 'nosuch.invalid')), /no such host|cannot be resolved/],
    [changed((url) => (url.port = '1')), /ECONNREFUSED.*Is PostgreSQL running/],
    [
      changed((url) => (url.port = String((stranger.address() as AddressInfo).port))),
      /Is it PostgreSQL that listens/,
    ],
    [changed((url) => (url.search = '?sslmode=require')), /Leave sslmode out/],
    ['mysql://x/y', /DATABASE_URL: expected an address that starts with postgres:/],
  ]
  try {
    for (const [DATABASE_URL, says] of cases) {
      const env = { DATABASE_URL, FERIA_MODE: 'sandbox', FERIA_DATA: at('other'), PORT: '0' }
      await expectRefusedStart(env, ['start'], says)
      await expectRefusedStart(env, ['migrate', '--plan'], says)
    }
  } finally {
    stranger.close()
    await database.drop()
  }
})

const hostileServers: Record<string, (socket: Socket) => void> = {
  'accepts and says nothing': () => {},
  'ends every connection': (socket) => socket.end(),
  'greets as SSH does': (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'),
  'greets as another database does': (socket) => socket.write(Buffer.from('4a0000000a38', 'hex')),
}
for (const [what, greetsBy] of Object.entries(hostileServers)) {
  test(`a DATABASE_URL whose port ${what} is told in one line`, async () => {
    const stranger = createServer((socket) => {
      socket.on('error', () => {})
      greetsBy(socket)
    })
    stranger.listen(0, '127.0.0.1')
    await nextEvent(stranger, 'listening')
    const { port } = stranger.address() as AddressInfo
    const DATABASE_URL = `postgres://u:p@127.0.0.1:${port}/x`
    const env = { DATABASE_URL, FERIA_MODE: 'sandbox', FERIA_DATA: at('other'), PORT: '0' }
    try {
      await expectRefusedStart(
        env,
        ['start'],
        /^The database of DATABASE_URL cannot be reached .* Is it PostgreSQL that listens at its host and port\?\n$/,
      )
    } finally {
      stranger.close()
    }
  })
}

test('a database that is distributed only in part is refused with the command that completes it', {
  skip: process.env['FERIA_TEST_TEMPLATE'] ? false : 'it needs a database of its own',
}, async () => {
  const { url, drop } = await openTestDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await installClusterStandIn(client)
    await client.query(`select create_reference_table('id_blocks')`)
    const says = /^This database is distributed .* in part: .*run: feria migrate --distribute\n$/
    const env = {
      DATABASE_URL: url,
      FERIA_OPERATOR_TOKEN: 'operator-token-of-the-tests',
      PORT: '0',
    }
    for (const command of ['start', 'serve', 'work', 'migrate'])
      await expectRefusedStart(env, [command], says)
    // No token: a migration answers no requests.
    const { code, output } = await runFeria({ DATABASE_URL: url }, 'migrate', '--distribute')
    assert.equal(code, 0, output)
    const { rows } = await client.query('select count(*)::int as n from pg_dist_partition')
    assert.ok(rows[0].n > 80)
    assert.equal((await runFeria({ DATABASE_URL: url }, 'migrate')).code, 0)
  } finally {
    await client.end()
    await drop()
  }
})
