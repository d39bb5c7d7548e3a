import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { topics } from '../src/kernel/topics.ts'
import { openTestApp, operatorToken } from './harness/app.ts'
import { TestClient } from './harness/client.ts'
import { runFeria } from './harness/command.ts'
import { contract } from './harness/contract.ts'
import { type Program, startProgram } from './harness/program.ts'
import { openReceiver, type Receiver } from './harness/receiver.ts'
import { pollUntil } from './harness/wait.ts'

/** The program as a person starts it, without the demo data, and an application that is told of all. */
let data: string
let program: Program
let receiver: Receiver

before(async () => {
  data = mkdtempSync(join(tmpdir(), 'feria-trigger-'))
  receiver = await openReceiver()
  const env = { FERIA_DATA: data, FERIA_DEMO: 'off', FERIA_LOG_LEVEL: 'warn' }
  program = await startProgram({ env })
  await new TestClient(program.address).call('PUT', '/operator/applications/{id}', {
    path: { id: 77 },
    body: { name: 'Mine', callback_url: receiver.url, topics: [...topics] },
  })
})
after(async () => {
  await program.stop()
  await receiver.close()
  rmSync(data, { recursive: true, force: true })
})

const trigger = (...args: string[]) =>
  runFeria({ FERIA_DATA: data }, 'trigger', ...args, '--server', program.address)

contract(
  '6.2',
  'what is triggered happens, and is told under its topic and resource, again and again',
  {
    timeout: 120_000,
  },
  async () => {
    for (const topic of [...topics, 'orders', 'items']) {
      receiver.received.length = 0
      const { code, output } = await trigger(topic, '--application', '77')
      assert.equal(code, 0, output)
      const named = /^notified: (\S+) (\S+)$/m.exec(output)
      assert.equal(named?.[1], topic, output)
      await pollUntil(`${topic} to be told of ${named?.[2]}`, () =>
        receiver.received.some(({ body }) => {
          const notification = body.messages?.[0] ?? body
          return notification.topic === topic && notification.resource === named?.[2]
        }),
      )
    }
  },
)

test('every topic can be triggered, and the list says how', async () => {
  const { code, output } = await trigger('list')
  assert.equal(code, 0)
  for (const topic of topics) assert.match(output, new RegExp(`^${topic} +\\w`, 'm'))
})

test('nothing is triggered in production', async () => {
  const real = await openTestApp({ env: { FERIA_MODE: 'production' } })
  try {
    const env = { FERIA_OPERATOR_TOKEN: operatorToken }
    const { code, output } = await runFeria(env, 'trigger', 'items', '--server', real.address)
    assert.equal(code, 1)
    assert.match(output, /sandbox mode only/)
  } finally {
    await real.close()
  }
})

test('a call that cannot work is refused in a sentence', async () => {
  const cases: [code: number, args: string[], says: RegExp][] = [
    [2, [], /TOPIC is missing.*Run: feria trigger TOPIC/s],
    [2, ['weather'], /topic: expected one of items, .*list, got "weather"/],
    [1, ['items', '--application', '99'], /Application not found: 99/],
    [1, ['items', '--server', 'http://127.0.0.1:1'], /There is no Feria at/],
    [2, ['items', '--wrong'], /Unknown option "--wrong"/],
  ]
  for (const [expected, args, says] of cases) {
    const { code, output } = await runFeria(
      { FERIA_DATA: data, PORT: new URL(program.address).port },
      'trigger',
      ...args,
    )
    assert.equal(code, expected, args.join(' '))
    assert.match(output, says)
    assert.doesNotMatch(output, /\n\s+at /, 'no stack trace')
  }
})
