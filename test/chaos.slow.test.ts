import assert from 'node:assert/strict'
import { before } from 'node:test'
import { cells } from './chaos/cells.ts'
import { tallyDeliveries } from './chaos/delivery-tally.ts'
import type { LoadChaosResult } from './chaos/load-chaos-runner.ts'
import { runCells } from './chaos/run-cells.ts'
import { contract } from './harness/contract.ts'

/** The short form of `npm run chaos:load`: docs/reliability.md says what each cell does. */
let rows: LoadChaosResult[]
before(async () => {
  rows = await runCells([], { short: true, onResult: () => {} })
})

for (const { name } of Object.values(cells)) {
  contract('6.3', `no notification is lost: ${name}`, () => {
    const row = rows.find((each) => each.name === name)
    assert.ok(row, 'it was played')
    assert.ok(row.sent > 50, `enough was sent: ${row.sent}`)
    assert.deepEqual(
      [row.lost, row.received, row.crashedDispatchers],
      [0, row.sent, 0],
      row.notes.join('\n'),
    )
  })
}

contract('6.3', 'what the chaos runner counts as lost, as received twice, or as nobody’s', () => {
  const jobs = { urls: ['http://a/0', 'http://a/1'], first: 10, count: 4 }
  const receivedRequest = (path: string, resource: string, status = 200) => ({
    path,
    resource,
    status,
    id: null,
    attempt: 1,
    at: 1,
  })
  const committed = [0, 1, 2].map((n): [number, number] => [n, 0])
  const produced = { say: 'produced' as const, committed, unsure: [3] }
  const receivedRequests = [
    receivedRequest('/0', '/orders/10'),
    receivedRequest('/0', '/orders/10'),
    receivedRequest('/1', '/orders/11', 500),
    receivedRequest('/0', '/orders/12'),
    // Of a cell before.
    receivedRequest('/1', '/orders/9'),
  ]
  const ledger = { jobs, produced, receivedRequests, parked: undefined }
  assert.deepEqual(tallyDeliveries(ledger), {
    sent: 3,
    received: 2,
    lost: 1,
    lostSamples: ['/1 /orders/11'],
    duplicates: 1,
  })
  const sure = {
    ...ledger,
    receivedRequests: [
      ...receivedRequests,
      receivedRequest('/1', '/orders/11'),
      receivedRequest('/1', '/orders/13'),
    ],
  }
  assert.deepEqual(tallyDeliveries(sure), {
    sent: 4,
    received: 4,
    lost: 0,
    lostSamples: [],
    duplicates: 1,
  })
  const elsewhere = {
    ...ledger,
    receivedRequests: [...receivedRequests, receivedRequest('/0', '/orders/11')],
  }
  assert.throws(() => tallyDeliveries(elsewhere), /nobody recorded 1 such as \/0 \/orders\/11/)
})
