import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Commanded, openCommanded, valuesOf } from '../harness/commanded.ts'
import { until } from '../harness/program.ts'
import { openReceiver, type Receiver } from '../harness/receiver.ts'

let world: Commanded
let receiver: Receiver
let price = 1

before(async () => {
  receiver = await openReceiver()
  world = await openCommanded()
  const { feria } = world
  await feria('users', 'put', '1', '--site', 'MLA', '--nickname', 'UNO')
  const topics = ['--topics', 'items']
  await feria('applications', 'put', '7', '--name', 'Seven', '--callback', receiver.url, ...topics)
  await feria('applications', 'authorize', '7', '1')
})
after(async () => {
  await world.close()
  await receiver.close()
})

/** So many changes of a listing, each of which is told. */
async function happen(times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const body = {
      seller_id: 1,
      site_id: 'MLA',
      title: 'Pava',
      category_id: 'MLA1',
      currency_id: 'ARS',
      price: ++price,
      available_quantity: 5,
    }
    const answer = await fetch(`${world.program().address}/operator/items/MLA7`, {
      method: 'PUT',
      headers: {
        authorization: 'Bearer feria-sandbox-operator',
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    assert.ok(answer.ok, await answer.text())
  }
}

const arrived = (count: number) =>
  until(
    `${count} to arrive, ${receiver.received.length} did`,
    () => receiver.received.length >= count,
  )
const of7 = ['--application', '7']

test('what was sent is listed, shown and explained, to the operator and to the application', async () => {
  const { feria, json, refused } = world
  await refused(1, /\/items\/MLA7 has no deliveries/, 'deliveries', 'show', '/items/MLA7', ...of7)
  await happen(3)
  await arrived(3)
  receiver.answers = 500
  await happen(2)
  await arrived(5)
  receiver.answers = 200
  const all = await until('the feed to have all', async () => {
    const listed = await json('deliveries', 'list', ...of7)
    return listed.length === 5 && listed
  })
  assert.deepEqual(
    all.map(({ outcome }) => outcome),
    ['not_200', 'not_200', 'accepted', 'accepted', 'accepted'],
  )
  assert.equal((await json('deliveries', 'list', ...of7, '--missed')).length, 2)
  assert.equal((await json('deliveries', 'list', ...of7, '--limit', '4')).length, 4)
  assert.equal((await json('deliveries', 'list', ...of7, '--outcome', 'accepted')).length, 3)
  assert.equal((await json('deliveries', 'list', ...of7, '--since', all[1].received)).length, 2)
  assert.match(
    await feria('deliveries', 'list', ...of7, '--limit', '1'),
    /Z {2}items {11}\/items\/MLA7 {2}500 {2}\d+ ms\n$/,
  )
  const shown = await feria('deliveries', 'show', '/items/MLA7', ...of7)
  assert.match(shown, /POST http.*\n(.*\n)* {2}webhook-id: (.*\n)* {2}\{.*"topic":"items"/)
  assert.match(shown, /answered 500/)
  const [explained] = await json('deliveries', 'explain', '/items/MLA7', ...of7)
  assert.equal(explained.explained[0].outcome, 'parked')
  const token = (await feria('tokens', 'create', '--user', '1', ...of7)).trim()
  const asApplication = ['--token', token]
  assert.deepEqual(await json('deliveries', 'list', ...asApplication), all)
  await json('deliveries', 'explain', '/items/MLA7', ...asApplication)
  await refused(1, /403/, 'deliveries', 'list', ...asApplication, '--application', '8')
  // The demo application, of which this world has none.
  await refused(1, /Application not found/, 'deliveries', 'list')
  const elsewhere = ['--server', 'http://127.0.0.1:1']
  await refused(2, /--application is missing/, 'deliveries', 'list', ...elsewhere)
  await refused(2, /--outcome: expected one of/, 'deliveries', 'list', ...of7, '--outcome', 'x')
})

test('a lane is paused and resumed, and says what waits', async () => {
  const { feria, json, refused } = world
  assert.match(await feria('deliveries', 'pause', '7'), /application 7: paused/)
  const before = receiver.received.length
  await happen(3)
  await until('them to wait', async () => {
    const [queue] = await json('deliveries', 'queue', '7')
    return queue.waiting === 3
  })
  assert.equal(receiver.received.length, before)
  const [resumed] = await json('deliveries', 'resume', '7', '--with', 'latest')
  assert.equal(resumed.state, 'open')
  await arrived(before + 1)
  await refused(1, /Application not found: 99/, 'deliveries', 'lane', '99')
  await refused(2, /--with: expected one of/, 'deliveries', 'resume', '7', '--with', 'luck')
})

test('a replay is counted, followed to its end, halted and ended', async () => {
  const { feria, json, refused } = world
  const all = ['--since', '2020-01-01T00:00:00Z', ...of7]
  const [counted] = await json('replay', 'start', ...all, '--dry-run')
  assert.equal(counted.dry_run, true)
  const words = await feria('replay', 'start', ...all, '--dry-run', '--failed-only')
  assert.match(words, /^2 notifications would be sent, 50 a second/)
  assert.deepEqual(await json('replay', 'list', ...of7), [[]], 'counting keeps nothing')
  const followed = await json('replay', 'start', ...all, '--rate', '20', '--watch')
  const last = followed.at(-1)
  assert.deepEqual([last.state, last.done], ['finished', counted.total])
  assert.match(
    await feria('replay', 'status', last.id, ...of7),
    /finished, \d+ of \d+ sent, 0 failed/,
  )
  const [slow] = await json('replay', 'start', ...all, '--rate', '1')
  const [paused] = await json('replay', 'pause', slow.id, ...of7)
  assert.equal(paused.state, 'paused')
  const [resumed] = await json('replay', 'resume', slow.id, ...of7)
  assert.ok(['waiting', 'running'].includes(resumed.state))
  assert.match(await feria('replay', 'cancel', slow.id, ...of7), /cancelled/)
  await refused(1, /was refused \(409\)|was refused \(400\)/, 'replay', 'resume', slow.id, ...of7)
  assert.match(await feria('replay', 'list', ...of7), new RegExp(`${slow.id} +cancelled`))
  await refused(1, /Replay not found: none/, 'replay', 'status', 'none', ...of7)
  await refused(2, /--since is missing/, 'replay', 'start', ...of7)
  await refused(2, /Give either/, 'replay', 'start', ...all, '--dry-run', '--watch')
})

test('who watches a replay may go, and the server may go: it is done all the same', {
  timeout: 120_000,
}, async () => {
  const { json, start } = world
  const all = ['--since', '2020-01-01T00:00:00Z', ...of7, '--rate', '2']
  const first = start('replay', 'start', ...all, '--watch', '--json')
  await until('it to run', () => /"state":"running"/.test(first.soFar()))
  const { id, total } = valuesOf(
    `${first
      .soFar()
      .split('\n')
      .find((line) => line.startsWith('{'))}\n`,
  )[0]
  first.child.kill('SIGINT')
  assert.equal((await first.ended).code, 130)
  const second = start('replay', 'status', id, ...of7, '--watch', '--json')
  await until('it to be watched', () => second.soFar().includes('"running"'))
  await world.restart({ killed: true })
  const { code, stdout, stderr } = await second.ended
  assert.equal(code, 0, stderr)
  assert.match(stderr, /waiting for http/)
  const last = valuesOf(stdout).at(-1)
  assert.deepEqual([last.state, last.done, last.total], ['finished', total, total])
  const [[listed]] = await json('replay', 'list', ...of7)
  assert.equal(listed.id, id)
})
