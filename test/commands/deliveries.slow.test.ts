import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CliFixture, openCliFixture, parseJsonLines } from '../harness/cli-fixture.ts'
import { TestClient } from '../harness/client.ts'
import { putItem } from '../harness/market.ts'
import { openReceiver, type Receiver } from '../harness/receiver.ts'
import { pollUntil } from '../harness/wait.ts'

let cli: CliFixture
let receiver: Receiver
let price = 1

before(async () => {
  receiver = await openReceiver()
  cli = await openCliFixture()
  const { runSuccessfully } = cli
  await runSuccessfully('users', 'put', '1', '--site', 'MLA', '--nickname', 'UNO')
  const topics = ['--topics', 'items']
  await runSuccessfully(
    'applications',
    'put',
    '7',
    '--name',
    'Seven',
    '--callback',
    receiver.url,
    ...topics,
  )
  await runSuccessfully('applications', 'authorize', '7', '1')
})
after(async () => {
  await cli.close()
  await receiver.close()
})

/** So many changes of a listing, each of which is told. */
async function changePrice(times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    await putItem(new TestClient(cli.program().address), 'MLA7', { seller_id: 1, price: ++price })
  }
}

const waitForNotifications = (count: number) =>
  pollUntil(
    `${count} to arrive, ${receiver.received.length} did`,
    () => receiver.received.length >= count,
  )
const of7 = ['--application', '7']

test('what was sent is listed, shown and explained, to the operator and to the application', async () => {
  const { runSuccessfully, runJson, expectFailure } = cli
  await expectFailure(
    1,
    /\/items\/MLA7 has no deliveries/,
    'deliveries',
    'show',
    '/items/MLA7',
    ...of7,
  )
  await changePrice(3)
  await waitForNotifications(3)
  receiver.responseStatus = 500
  await changePrice(2)
  await waitForNotifications(5)
  receiver.responseStatus = 200
  const all = await pollUntil('the feed to have all', async () => {
    const listed = await runJson('deliveries', 'list', ...of7)
    return listed.length === 5 && listed
  })
  assert.deepEqual(
    all.map(({ outcome }) => outcome),
    ['not_200', 'not_200', 'accepted', 'accepted', 'accepted'],
  )
  assert.equal((await runJson('deliveries', 'list', ...of7, '--missed')).length, 2)
  assert.equal((await runJson('deliveries', 'list', ...of7, '--limit', '4')).length, 4)
  assert.equal((await runJson('deliveries', 'list', ...of7, '--outcome', 'accepted')).length, 3)
  assert.equal((await runJson('deliveries', 'list', ...of7, '--since', all[1].received)).length, 2)
  assert.match(
    await runSuccessfully('deliveries', 'list', ...of7, '--limit', '1'),
    /Z {2}items {11}\/items\/MLA7 {2}500 {2}\d+ ms\n$/,
  )
  const shown = await runSuccessfully('deliveries', 'show', '/items/MLA7', ...of7)
  assert.match(shown, /POST http.*\n(.*\n)* {2}webhook-id: (.*\n)* {2}\{.*"topic":"items"/)
  assert.match(shown, /answered 500/)
  const [explained] = await runJson('deliveries', 'explain', '/items/MLA7', ...of7)
  assert.equal(explained.explained[0].outcome, 'parked')
  assert.match(
    await runSuccessfully('deliveries', 'explain', '/items/MLA7', ...of7),
    /Z {2,}items {2,}1 {2,}parked {2,}The receiver/,
    'each line names the user',
  )
  const token = (await runSuccessfully('tokens', 'create', '--user', '1', ...of7)).trim()
  const asApplication = ['--token', token]
  assert.deepEqual(await runJson('deliveries', 'list', ...asApplication), all)
  await runJson('deliveries', 'explain', '/items/MLA7', ...asApplication)
  await expectFailure(1, /403/, 'deliveries', 'list', ...asApplication, '--application', '8')
  // The demo application, of which this world has none.
  await expectFailure(1, /Application not found/, 'deliveries', 'list')
  const elsewhere = ['--server', 'http://127.0.0.1:1']
  await expectFailure(2, /--application is missing/, 'deliveries', 'list', ...elsewhere)
  await expectFailure(
    2,
    /--outcome: expected one of/,
    'deliveries',
    'list',
    ...of7,
    '--outcome',
    'x',
  )
})

test('a lane is paused and resumed, and says what waits', async () => {
  const { runSuccessfully, runJson, expectFailure } = cli
  assert.match(await runSuccessfully('deliveries', 'pause', '7'), /application 7: paused/)
  const before = receiver.received.length
  await changePrice(3)
  await pollUntil('them to wait', async () => {
    const [queue] = await runJson('deliveries', 'queue', '7')
    return queue.waiting === 3
  })
  assert.equal(receiver.received.length, before)
  const [resumed] = await runJson('deliveries', 'resume', '7', '--with', 'latest')
  assert.equal(resumed.state, 'open')
  await waitForNotifications(before + 1)
  await expectFailure(1, /Application not found: 99/, 'deliveries', 'lane', '99')
  await expectFailure(2, /--with: expected one of/, 'deliveries', 'resume', '7', '--with', 'luck')
})

test('a replay is counted, followed to its end, halted and ended', async () => {
  const { runSuccessfully, runJson, expectFailure } = cli
  const all = ['--since', '2020-01-01T00:00:00Z', ...of7]
  const [counted] = await runJson('replay', 'start', ...all, '--dry-run')
  assert.equal(counted.dry_run, true)
  const words = await runSuccessfully('replay', 'start', ...all, '--dry-run', '--failed-only')
  assert.match(words, /^2 notifications would be sent, 50 a second/)
  assert.deepEqual(await runJson('replay', 'list', ...of7), [[]], 'counting keeps nothing')
  const followed = await runJson('replay', 'start', ...all, '--rate', '20', '--watch')
  const last = followed.at(-1)
  assert.deepEqual([last.state, last.done], ['finished', counted.total])
  assert.match(
    await runSuccessfully('replay', 'status', last.id, ...of7),
    /finished, \d+ of \d+ sent, 0 failed/,
  )
  const [slow] = await runJson('replay', 'start', ...all, '--rate', '1')
  const [paused] = await runJson('replay', 'pause', slow.id, ...of7)
  assert.equal(paused.state, 'paused')
  const [resumed] = await runJson('replay', 'resume', slow.id, ...of7)
  assert.ok(['waiting', 'running'].includes(resumed.state))
  assert.match(await runSuccessfully('replay', 'cancel', slow.id, ...of7), /cancelled/)
  await expectFailure(
    1,
    /was refused \(409\)|was refused \(400\)/,
    'replay',
    'resume',
    slow.id,
    ...of7,
  )
  assert.match(await runSuccessfully('replay', 'list', ...of7), new RegExp(`${slow.id} +cancelled`))
  await expectFailure(1, /Replay not found: none/, 'replay', 'status', 'none', ...of7)
  await expectFailure(2, /--since is missing/, 'replay', 'start', ...of7)
  await expectFailure(2, /Give either/, 'replay', 'start', ...all, '--dry-run', '--watch')
})

test('who watches a replay may go, and the server may go: it is done all the same', {
  timeout: 120_000,
}, async () => {
  const { runJson, startCommand } = cli
  const all = ['--since', '2020-01-01T00:00:00Z', ...of7, '--rate', '2']
  const first = startCommand('replay', 'start', ...all, '--watch', '--json')
  await pollUntil('it to run', () => /"state":"running"/.test(first.soFar()))
  const { id, total } = parseJsonLines(
    `${first
      .soFar()
      .split('\n')
      .find((line) => line.startsWith('{'))}\n`,
  )[0]
  first.child.kill('SIGINT')
  assert.equal((await first.ended).code, 130)
  const second = startCommand('replay', 'status', id, ...of7, '--watch', '--json')
  await pollUntil('it to be watched', () => second.soFar().includes('"running"'))
  await cli.restart({ killed: true })
  const { code, stdout, stderr } = await second.ended
  assert.equal(code, 0, stderr)
  assert.match(stderr, /waiting for http/)
  const last = parseJsonLines(stdout).at(-1)
  assert.deepEqual([last.state, last.done, last.total], ['finished', total, total])
  const [[listed]] = await runJson('replay', 'list', ...of7)
  assert.equal(listed.id, id)
})
