import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { contract } from '../../../test/harness/contract.ts'
import { secretOf, signedHeaders } from './sign.ts'

/** The checks of a signature in docs/api/notifications.md, run as an integrator runs them. */
const page = readFileSync(new URL('../../../docs/api/notifications.md', import.meta.url), 'utf8')
const blockOf = (language: string) =>
  RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? ''

const secret = secretOf('0b'.repeat(32))
const earlierSecret = secretOf('0a'.repeat(32))
const body = '{"_id":"69b0339c1f0a3e6d2b7c8d90","resource":"/orders/1","text":"añejo"}'
const deliveryAt = (sent: Date) =>
  signedHeaders({ id: '69b0339c1f0a3e6d2b7c8d90', seq: 1, sent, body }, [secret, earlierSecret])

/** Each delivery with whether a receiver accepts it. */
const deliveries = () => {
  const now = new Date()
  return [
    { headers: deliveryAt(now), body, secret, isGenuine: true },
    { headers: deliveryAt(now), body, secret: earlierSecret, isGenuine: true },
    { headers: deliveryAt(now), body: `${body} `, secret, isGenuine: false },
    { headers: deliveryAt(now), body, secret: secretOf('0c'.repeat(32)), isGenuine: false },
    { headers: deliveryAt(new Date(now.getTime() - 600_000)), body, secret, isGenuine: false },
  ]
}

const programs = [
  {
    command: 'python3',
    args: [
      '-c',
      `${blockOf('python')}
import json, sys
print(json.dumps([is_genuine(d["headers"], d["body"].encode(), d["secret"]) for d in json.load(sys.stdin)]))`,
    ],
  },
  {
    command: 'php',
    args: [
      '-r',
      `${blockOf('php')}
echo json_encode(array_map(fn ($d) => isGenuine($d['headers'], $d['body'], $d['secret']),
  json_decode(file_get_contents('php://stdin'), true)));`,
    ],
  },
]

for (const { command, args } of programs) {
  const skip = spawnSync(command, ['--version']).status !== 0 && `there is no ${command}`
  contract(
    ['5', '6.1'],
    `docs/api/notifications.md tells genuine deliveries from others in ${command}`,
    { skip },
    () => {
      const samples = deliveries()
      const { stdout, stderr } = spawnSync(command, args, {
        input: JSON.stringify(samples),
        encoding: 'utf8',
      })
      assert.deepEqual(
        JSON.parse(stdout || `"${stderr}"`),
        samples.map(({ isGenuine }) => isGenuine),
      )
    },
  )
}
