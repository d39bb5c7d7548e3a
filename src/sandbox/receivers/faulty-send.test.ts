import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openReceiver, type Receiver } from '../../../test/harness/receiver.ts'
import { makeSend, type SendOutcome } from '../../platform/outbound/outbound.ts'
import { simulatedHeader } from '../../platform/simulated-faults.ts'
import type { ReceiverFault } from './fault.ts'
import { makeFaultySend } from './faulty-send.ts'

const outbound = makeSend({ allowPrivateAddresses: true })
let receiver: Receiver
let faults: ReceiverFault[] = []
/** What is waited for, and how to let it be over. */
let waits: { ms: number; over: () => void }[] = []
const wait = (ms: number) =>
  new Promise<void>((resolve) => {
    waits.push({ ms, over: resolve })
  })
const send = makeFaultySend({ ...outbound, faults: () => faults, wait })

before(async () => {
  receiver = await openReceiver()
})
beforeEach(() => {
  receiver.received.length = 0
  waits = []
})
after(async () => {
  await outbound.close()
  await receiver.close()
})

const fault = (kind: ReceiverFault['kind'], more: Partial<ReceiverFault> = {}): ReceiverFault => ({
  applicationId: null,
  topic: null,
  kind,
  share: 1,
  seed: 7,
  delayMs: 300,
  status: 503,
  ...more,
})
const tell = (n: number, application_id = 10): Promise<SendOutcome> =>
  send({
    url: receiver.url,
    headers: { 'x-feria-sequence': String(n) },
    body: JSON.stringify({ resource: `/r/${n}`, topic: 'items', application_id, attempts: 1 }),
    timeoutMs: 5_000,
  })
const receivedResources = () => receiver.received.map(({ body }) => body.resource)

function markOf(outcome: SendOutcome): string | undefined {
  if (outcome.kind === 'answered') return outcome.headers[simulatedHeader]
  return 'why' in outcome ? outcome.why : undefined
}

test('without faults a request goes as it is, and nothing is marked', async () => {
  for (const none of [[], [fault('drop', { share: 0 })], [fault('drop', { topic: 'orders' })]]) {
    faults = none
    const outcome = await tell(1)
    assert.equal(outcome.kind, 'answered')
    assert.equal(markOf(outcome), undefined)
  }
  assert.deepEqual(receivedResources(), ['/r/1', '/r/1', '/r/1'])
})

test('each kind does what it says, and says that it was simulated', async () => {
  const cases: [kind: ReceiverFault['kind'], outcome: string, arrivals: number][] = [
    ['duplicate', 'answered 200', 2],
    ['drop', 'timeout', 0],
    ['status', 'answered 503', 0],
    ['timeout', 'timeout', 1],
  ]
  for (const [kind, expected, arrivals] of cases) {
    receiver.received.length = 0
    faults = [fault(kind)]
    const outcome = await tell(1)
    const shown = outcome.kind === 'answered' ? `answered ${outcome.status}` : outcome.kind
    assert.equal(shown, expected)
    assert.equal(receivedResources().length, arrivals, kind)
    assert.match(markOf(outcome) ?? '', new RegExp(`${kind}$`))
  }
  const [first, second] = receiver.received
  assert.equal(first?.text, second?.text ?? first?.text, 'a duplicate is the same, byte for byte')
})

test('what is delayed goes once its time is over, and not before', async () => {
  faults = [fault('delay')]
  const sending = tell(1)
  assert.deepEqual(
    waits.map(({ ms }) => ms),
    [300],
  )
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(receivedResources(), [])
  waits[0]?.over()
  assert.equal(markOf(await sending), 'delay')
  assert.deepEqual(receivedResources(), ['/r/1'])
})

test('what is held back goes after another of its application, or when its time is over', async () => {
  faults = [fault('reorder', { topic: 'items', applicationId: 10 })]
  const first = tell(1)
  await tell(2, 11)
  assert.deepEqual(receivedResources(), ['/r/2'], 'another application’s does not count')
  faults = [fault('drop', { share: 0 })]
  await tell(3)
  assert.equal(markOf(await first), 'reorder')
  assert.deepEqual(receivedResources(), ['/r/2', '/r/3', '/r/1'])
  faults = [fault('reorder')]
  const last = tell(4)
  waits.at(-1)?.over()
  await last
  assert.deepEqual(receivedResources().at(-1), '/r/4')
})

test('several at once add up', async () => {
  faults = [fault('delay'), fault('duplicate')]
  const sending = tell(1)
  waits[0]?.over()
  assert.equal(markOf(await sending), 'delay, duplicate')
  assert.equal(receivedResources().length, 2)
})
