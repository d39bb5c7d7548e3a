import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, connect } from 'node:tls'
import { openTestApp } from './harness/app.ts'
import { contract } from './harness/contract.ts'
import { openTestDatabase } from './harness/database.ts'
import { createTestMarket, placeOrder } from './harness/market.ts'
import { nextEvent } from './harness/wait.ts'

/** A GET over HTTPS that trusts `ca`, or what the system trusts. */
function read(url: string, { ca, token }: { ca?: string; token: string }) {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const request = get(url, { ...(ca ? { ca } : {}), headers, agent: false }, async (answer) => {
      let text = ''
      for await (const part of answer.setEncoding('utf8')) text += part
      resolve({ status: answer.statusCode, text })
    })
    request.on('error', reject)
  })
}

/** What a handshake agrees on. */
async function greet(port: number, options: ConnectionOptions) {
  const socket = connect({ host: '127.0.0.1', port, ...options })
  try {
    await nextEvent(socket, 'secureConnect')
    return { protocol: socket.getProtocol(), alpn: socket.alpnProtocol }
  } finally {
    socket.destroy()
  }
}

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const skip = hasOpenssl ? false : 'there is no openssl command to make a certificate with'

contract(
  '1',
  'with a certificate and its key the API is served over HTTPS, and over nothing else',
  {
    skip,
  },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'feria-https-'))
    const TLS_CERT_FILE = join(folder, 'cert.pem')
    const TLS_KEY_FILE = join(folder, 'key.pem')
    const named = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const files = ['-keyout', TLS_KEY_FILE, '-out', TLS_CERT_FILE]
    const result = spawnSync('openssl', ['req', '-x509', '-days', '2', ...kind, ...named, ...files])
    assert.equal(result.status, 0, String(result.stderr))
    const ca = readFileSync(TLS_CERT_FILE, 'utf8')
    const database = await openTestDatabase()
    const plain = await openTestApp({ databaseUrl: database.url })
    try {
      const market = await createTestMarket(plain.client, null)
      const path = `/orders/${(await placeOrder(plain.client)).id}`
      const databaseUrl = database.url
      const secure = await openTestApp({ databaseUrl, env: { TLS_CERT_FILE, TLS_KEY_FILE } })
      try {
        assert.match(secure.address, /^https:/)
        const url = secure.address + path
        const { status, text } = await read(url, { ca, token: market.anaToken })
        assert.equal(status, 200)
        assert.deepEqual(JSON.parse(text), (await plain.client.get(path, market.anaToken)).body)
        await assert.rejects(read(url, { token: market.anaToken }), { code: /SELF_SIGNED/ })
        await assert.rejects(fetch(url.replace('https:', 'http:')))
        const port = Number(new URL(secure.address).port)
        const old = {
          minVersion: 'TLSv1',
          maxVersion: 'TLSv1.1',
          ciphers: 'ALL:@SECLEVEL=0',
        } as const
        await assert.rejects(greet(port, { ca, ...old }), { code: /PROTOCOL_VERSION/ })
        const modern = await greet(port, { ca, ALPNProtocols: ['h2', 'http/1.1'] })
        assert.deepEqual(modern, { protocol: 'TLSv1.3', alpn: 'http/1.1' })
      } finally {
        await secure.close()
      }
    } finally {
      await plain.close()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
