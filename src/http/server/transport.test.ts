import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import { openBareServer } from '../../../test/harness/server.ts'
import { makeLog } from '../../platform/log.ts'
import { healthRoutes } from '../health.ts'

const log = makeLog('silent')

/** What an answer to a request for this host says of HTTPS. */
async function promiseTo(host: string, env: Record<string, string>): Promise<string | undefined> {
  const { server, port } = await openBareServer(healthRoutes, { env, log })
  const [answer] = (await once(
    get({ port, host: '127.0.0.1', path: '/health/live', headers: { host }, agent: false }),
    'response',
  )) as [IncomingMessage]
  answer.resume()
  await server.close()
  return answer.headers['strict-transport-security']
}

contract('1', 'a name that is reached by HTTPS is to be reached by nothing else', async () => {
  const secure = { FERIA_PUBLIC_URL: 'https://feria.example' }
  const hosts = ['feria.example', 'FERIA.example:443', 'other.example']
  for (const host of hosts) assert.equal(await promiseTo(host, secure), 'max-age=31536000', host)
})

test('no promise binds a name that everybody has, an address, or what is not HTTPS', async () => {
  const secure = { FERIA_PUBLIC_URL: 'https://feria.example' }
  for (const host of [
    'localhost',
    'localhost:8080',
    'a.localhost',
    '127.0.0.1',
    '10.0.0.1',
    '[::1]',
  ])
    assert.equal(await promiseTo(host, secure), undefined, host)
  for (const env of [{}, { FERIA_PUBLIC_URL: 'http://feria.example' }])
    assert.equal(await promiseTo('feria.example', env), undefined)
})
