import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { createServer as createPlainServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import { HostileServers } from '../../../test/harness/hostile-servers.ts'
import { makeSend } from './outbound.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const skip = hasOpenssl ? false : 'there is no openssl command to make a certificate with'
const strangers = new HostileServers()
after(() => strangers.close())

const past = '20200201000000Z'
const future = '20990201000000Z'

/** A certificate that signs itself, for this name. */
function certificate(altName: string, end = future): { cert: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'feria-tls-'))
  const openssl = (...args: string[]) => {
    const { status, stderr } = spawnSync('openssl', args, { cwd: folder })
    assert.equal(status, 0, String(stderr))
  }
  try {
    writeFileSync(join(folder, 'index.txt'), '')
    writeFileSync(join(folder, 'serial'), '01')
    const settings = ['[ca]', 'default_ca=d', '[d]', 'database=index.txt', 'new_certs_dir=.']
    settings.push('default_md=sha256', 'policy=p', 'copy_extensions=copy', 'serial=serial', '[p]')
    writeFileSync(join(folder, 'ca.cnf'), [...settings, 'commonName=supplied', ''].join('\n'))
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const named = ['-subj', '/CN=stranger', '-addext', `subjectAltName=${altName}`]
    openssl('req', '-new', ...kind, ...named, '-keyout', 'key.pem', '-out', 'asked.pem')
    const files = ['-keyfile', 'key.pem', '-in', 'asked.pem', '-out', 'cert.pem', '-notext']
    const signing = ['-config', 'ca.cnf', '-batch', '-selfsign']
    openssl('ca', ...signing, ...files, '-startdate', '20200101000000Z', '-enddate', end)
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    return { cert: read('cert.pem'), key: read('key.pem') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function reach(keyPair: { cert: string; key: string }, ca?: string) {
  let requests = 0
  const server = createServer(keyPair, (_request, response) => {
    requests++
    response.end('ok')
  })
  const url = await strangers.listen(server, 'https')
  const { send, close } = makeSend({ allowPrivateAddresses: true, ...(ca ? { ca } : {}) })
  try {
    return { outcome: await send({ url, headers: {}, body: '{}', timeoutMs: 5_000 }), requests }
  } finally {
    await close()
  }
}

contract(
  'notifications',
  'nothing is sent to a server whose certificate is self-signed, of another name, or expired',
  {
    skip,
  },
  async () => {
    const good = certificate('IP:127.0.0.1')
    const other = certificate('DNS:other.example')
    const expired = certificate('IP:127.0.0.1', past)
    const trusted = await reach(good, good.cert)
    assert.equal(trusted.outcome.kind, 'answered', JSON.stringify(trusted.outcome))
    for (const [keyPair, ca, why] of [
      [good, undefined, /self.signed/i],
      [other, other.cert, /altnames/],
      [expired, expired.cert, /expired/],
    ] as const) {
      const { outcome, requests } = await reach(keyPair, ca)
      assert.equal(outcome.kind, 'unreachable')
      assert.match('why' in outcome ? outcome.why : '', why)
      assert.equal(requests, 0)
    }
  },
)

test('a server that speaks no TLS where it should, or stops in its middle, is unreachable in time', {
  timeout: 60_000,
}, async () => {
  const { send, close } = makeSend({ allowPrivateAddresses: true })
  const plain = await strangers.listen(
    createPlainServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
    }),
    'https',
  )
  const silent = await strangers.listen(
    createPlainServer((socket) => void socket.on('error', () => {}).resume()),
    'https',
  )
  const post = (url: string) => send({ url, headers: {}, body: '{}', timeoutMs: 1_500 })
  assert.equal((await post(plain)).kind, 'unreachable')
  assert.equal((await post(silent)).kind, 'timeout')
  await close()
})
