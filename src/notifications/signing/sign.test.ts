import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import { secretOf, signedHeaders } from './sign.ts'

const sent = new Date(1_614_265_330_999)
const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', seq: 7, sent, body: '{"test": 2432232314}' }

contract(
  'notifications',
  'a delivery is signed as the published example of Standard Webhooks is',
  () => {
    const headers = signedHeaders(message, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])
    assert.deepEqual(headers, {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      'x-feria-sequence': '7',
    })
  },
)

test('every secret in force signs, the newest first, in one header', () => {
  const [one, other] = [secretOf('11'.repeat(32)), secretOf('22'.repeat(32))]
  const both = signedHeaders(message, [one, other])['webhook-signature']
  const signatures = [one, other].map(
    (secret) => signedHeaders(message, [secret])['webhook-signature'],
  )
  assert.equal(both, signatures.join(' '))
  assert.notEqual(signatures[0], signatures[1])
})

test('a secret is 32 bytes behind the usual prefix', () => {
  const secret = secretOf('ab'.repeat(32))
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
})
