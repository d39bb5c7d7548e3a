import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { openBareServer } from '../../test/harness/server.ts'
import { ok, route } from './route.ts'

const getNetwork = route({
  method: 'GET',
  url: '/network',
  scope: 'public',
  tag: 'test',
  summary: 'Answers the network that limits count',
  answers: { 200: Type.Object({}) },
  handle: async (_, { network }) => ok({ network }),
})

test('addresses of one /64 share the rate, those of another do not', async () => {
  const env = { FERIA_TRUSTED_PROXIES: '127.0.0.1', FERIA_RATE_PER_MINUTE: '6' }
  const bare = await openBareServer([getNetwork], { env })
  const ask = (address: string) =>
    fetch(`${bare.address}/network`, { headers: { 'x-forwarded-for': address } })
  try {
    const first = await ask('2001:DB8:1:2::1')
    assert.deepEqual(await first.json(), { network: '2001:db8:1:2::/64' })
    for (let n = 2; n <= 6; n++) assert.equal((await ask(`2001:db8:1:2::${n}`)).status, 200)
    const refused = await ask('2001:db8:1:2:ffff::1')
    assert.equal(refused.status, 429)
    assert.match(refused.headers.get('retry-after') ?? '', /^([1-9]|[1-5]\d|60)$/)
    assert.equal((await ask('2001:db8:1:3::1')).status, 200)
  } finally {
    await bare.server.close()
  }
})
