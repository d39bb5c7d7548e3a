import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createPlainServer } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runFeria } from '../harness/command.ts'

/** Commands against HTTPS servers whose certificates this machine refuses. */
const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const skip = hasOpenssl ? false : 'there is no openssl command to make certificates with'

let folder: string
const servers: { close(): void; closeAllConnections(): void }[] = []
const addresses: Record<string, string> = {}

const at = (file: string) => join(folder, file)

function openssl(...args: string[]): void {
  const { status, stderr } = spawnSync('openssl', args, { cwd: folder })
  assert.equal(status, 0, `openssl ${args.join(' ')}: ${stderr}`)
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** A certificate that signs itself: `<name>.pem` and `<name>.key`. */
function makeSelfSigned(name: string, host: string): void {
  const named = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${host}`]
  const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`]
  openssl('req', '-x509', '-days', '2', ...newKey, ...named, ...files)
}

/** Certificates of an authority that nobody knows: one that is good, one that has expired. */
function makeSigned(): void {
  makeSelfSigned('authority', 'DNS:authority.example')
  const files = ['-keyout', 'signed.key', '-out', 'signed.csr']
  openssl('req', ...newKey, '-subj', '/CN=signed', ...files)
  writeFileSync(at('names'), 'subjectAltName=IP:127.0.0.1')
  const by = ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial']
  for (const [name, days] of Object.entries({ signed: '2', expired: '-1' })) {
    const signArgs = ['-days', days, '-extfile', 'names', '-out', `${name}.pem`]
    openssl('x509', '-req', '-in', 'signed.csr', ...by, ...signArgs)
  }
}

async function serve(name: string, key: string): Promise<void> {
  const files = { cert: readFileSync(at(`${name}.pem`)), key: readFileSync(at(`${key}.key`)) }
  await listenOn(
    name,
    createServer(files, (_request, response) => response.end('{}')),
  )
}

async function listenOn(name: string, server: Server | ReturnType<typeof createPlainServer>) {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const scheme = name === 'plain' ? 'http' : 'https'
  addresses[name] = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'feria-connection-'))
  if (skip) return
  makeSelfSigned('self', 'IP:127.0.0.1')
  makeSelfSigned('elsewhere', 'DNS:api.example')
  makeSigned()
  await serve('self', 'self')
  await serve('elsewhere', 'elsewhere')
  await serve('signed', 'signed')
  await serve('expired', 'signed')
  await listenOn(
    'plain',
    createPlainServer((_request, response) => response.end('{}')),
  )
  writeFileSync(at('history.ndjson'), '{"type":"user","id":3}\n')
  writeFileSync(at('categories.ndjson'), '')
})
after(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  rmSync(folder, { recursive: true, force: true })
})

async function expectRefusedConnection(
  env: Record<string, string>,
  ...args: string[]
): Promise<string> {
  const { code, output, stderr, stdout } = await runFeria(
    { FERIA_DATA: at('data'), ...env },
    ...args,
  )
  assert.equal(code, 1, `${args.join(' ')}: ${output}`)
  assert.equal(stdout, '', args.join(' '))
  assert.doesNotMatch(output, /\n\s+at /, 'no stack trace')
  return stderr
}

test('a certificate that is refused is named with why, and with the next step that helps', {
  skip,
}, async () => {
  const cases: [server: string, says: RegExp, env?: Record<string, string>][] = [
    ['self', /is self-signed.*DEPTH_ZERO_SELF_SIGNED_CERT.*\n.*NODE_EXTRA_CA_CERTS=\S+ feria/],
    ['signed', /an authority that this machine does not know.*\n.*NODE_EXTRA_CA_CERTS=\S+ feria/],
    ['expired', /has expired \(CERT_HAS_EXPIRED\).*\nRenew it/],
    ['elsewhere', /self-signed/],
    [
      'elsewhere',
      /does not name this host.*It names DNS:api\.example\.\nUse --server with a host/,
      { NODE_EXTRA_CA_CERTS: at('elsewhere.pem') },
    ],
  ]
  for (const [name, says, env = {}] of cases) {
    const server = addresses[name] ?? ''
    const output = await expectRefusedConnection(env, 'users', 'list', '--server', server)
    assert.match(output, says, name)
    assert.ok(output.startsWith(`The certificate of ${server} `), output)
    assert.doesNotMatch(output, /There is no Feria/)
  }
})

test('every command that talks to a server names its certificate, also the ones that wait for one', {
  skip,
}, async () => {
  const address = addresses['self'] ?? ''
  const server = ['--server', address]
  const commands: string[][] = [
    ['applications', 'list', ...server],
    ['tokens', 'create', '--user', '1', ...server],
    ['import', at('history.ndjson'), ...server],
    ['catalog', 'versions', ...server],
    ['listen', '--forward-to', 'http://127.0.0.1:9/', ...server],
    ['deliveries', 'list', '--application', '77', ...server],
    ['replay', 'list', '--application', '77', ...server],
    ['trigger', 'questions', ...server],
    ['sandbox', 'simulate', '--orders-per-minute', '1', ...server],
    ['snapshot', 'list', ...server],
    ['clock', 'show', ...server],
    ['faults', 'list', ...server],
    ['openapi', ...server],
    ['conform', address, '--token', 'x'],
  ]
  for (const command of commands) {
    const output = await expectRefusedConnection({}, ...command)
    assert.match(output, /^The certificate of .* is self-signed.*\n.*NODE_EXTRA_CA_CERTS/, output)
  }
  const { port } = new URL(address)
  const own = { PORT: port, TLS_CERT_FILE: at('self.pem'), TLS_KEY_FILE: at('self.key') }
  const { stdout } = await runFeria(own, 'doctor', '--json')
  const { checks } = JSON.parse(stdout) as { checks: Record<string, string>[] }
  const serverCheck = checks.find(({ name }) => name === 'server')
  assert.equal(serverCheck?.['state'], 'problem')
  assert.match(serverCheck?.['says'] ?? '', /self-signed/)
  assert.match(serverCheck?.['advice'] ?? '', /NODE_EXTRA_CA_CERTS/)
})

test('with NODE_EXTRA_CA_CERTS the same certificate is trusted', { skip }, async () => {
  for (const [name, file] of Object.entries({ self: 'self.pem', signed: 'authority.pem' })) {
    const env = { NODE_EXTRA_CA_CERTS: at(file) }
    const args = ['openapi', '--server', addresses[name] ?? '']
    const { code, output } = await runFeria(env, ...args)
    assert.equal(code, 0, output)
  }
})

test('the wrong scheme is answered with the right one', { skip }, async () => {
  const plain = addresses['plain'] ?? ''
  const wrong = plain.replace('http:', 'https:')
  for (const args of [
    ['clock', 'show'],
    ['import', at('history.ndjson')],
  ]) {
    const output = await expectRefusedConnection({}, ...args, '--server', wrong)
    assert.ok(output.startsWith(`The server at ${wrong} does not speak HTTPS (`), output)
    assert.ok(output.endsWith(`Use its http:// address: ${plain}\n`), output)
  }
  const secure = addresses['self'] ?? ''
  const output = await expectRefusedConnection(
    {},
    'clock',
    'show',
    '--server',
    secure.replace('https:', 'http:'),
  )
  assert.match(output, /There is no Feria at http:/)
  assert.ok(output.endsWith(`If it serves HTTPS, use ${secure}.\n`), output)
})
