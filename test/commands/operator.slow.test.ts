import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type CliFixture, freePort, openCliFixture } from '../harness/cli-fixture.ts'
import { TestClient } from '../harness/client.ts'
import { runFeria } from '../harness/command.ts'
import {
  createMessagingMarket,
  placeCustomShippingOrder,
  sendTestMessage,
} from '../harness/messaging.ts'
import { pollUntil, programBoundMs } from '../harness/wait.ts'

/** Every command that talks to a server, as a process of its own against one that was started. */
let cli: CliFixture
before(async () => {
  cli = await openCliFixture()
})
after(() => cli.close())

test('an application is registered, changed in parts, shown and listed', async () => {
  const { runSuccessfully, runJson, expectFailure } = cli
  await expectFailure(
    2,
    /There is no application 7 yet: --name is missing/,
    'applications',
    'put',
    '7',
  )
  const output = await runSuccessfully(
    'applications',
    'put',
    '7',
    '--name',
    'Seven',
    '--topics',
    'items,claims',
  )
  assert.match(output, /application 7 is registered\n(.*\n)*? {2}secret +[0-9a-f]{40}/)
  const [changed] = await runJson('applications', 'put', '7', '--callback', 'http://127.0.0.1:9/x')
  assert.deepEqual(
    [changed.id, changed.name, changed.callback_url, changed.topics],
    [7, 'Seven', 'http://127.0.0.1:9/x', ['items', 'claims']],
  )
  await runSuccessfully('applications', 'put', '7', '--no-callback', '--name', '7')
  const [shown] = await runJson('applications', 'show', '7')
  assert.deepEqual([shown.name, shown.callback_url], ['7', null])
  await runSuccessfully(
    'applications',
    'put',
    '8',
    '--name',
    'Eight',
    '--secret',
    'one that is long enough',
  )
  const [listed] = await runJson('applications', 'list')
  assert.deepEqual(
    listed.map(({ id, name }: { id: number; name: string }) => [id, name]),
    [
      [7, '7'],
      [8, 'Eight'],
    ],
  )
  assert.match(
    await runSuccessfully('applications', 'list'),
    /^ID +NAME +CALLBACK +TOPICS\n7 +7 +- +items,cl/,
  )
  const [rotated] = await runJson('applications', 'rotate-secret', '7', '--overlap-hours', '0')
  assert.match(rotated.secret, /^whsec_/)
  await expectFailure(1, /Application not found: 99/, 'applications', 'show', '99')
  await expectFailure(1, /Application not found: 99/, 'applications', 'rotate-secret', '99')
  const both = ['--callback', 'http://a.example/', '--no-callback']
  await expectFailure(2, /Give either/, 'applications', 'put', '7', ...both)
  await expectFailure(1, /secret: expected/, 'applications', 'put', '7', '--secret', 'short')
})

test('a user is registered from options and from a file, and changed in parts', async () => {
  const { runSuccessfully, runJson, expectFailure } = cli
  await expectFailure(
    2,
    /--site and --nickname are required/,
    'users',
    'put',
    '5',
    '--nickname',
    'X',
  )
  await runSuccessfully('users', 'put', '5', '--site', 'MLA', '--nickname', 'CINCO')
  const file = join(cli.dataDirectory, 'user.json')
  writeFileSync(file, '{"billing_info":{"doc_type":"DNI","doc_number":"1234"}}')
  const [put] = await runJson('users', 'put', '5', '--body', file, '--email', 'a@b.example')
  const { nickname, email, billing_info } = put
  assert.deepEqual([nickname, email, billing_info.doc_number], ['CINCO', 'a@b.example', '1234'])
  await runSuccessfully('users', 'put', '5', '--first-name', 'Ana', '--status', 'deactivated')
  const [shown] = await runJson('users', 'show', '5')
  assert.deepEqual({ ...put, first_name: 'Ana', status: 'deactivated' }, shown)
  assert.match(await runSuccessfully('users', 'show', '5'), /nickname +CINCO/)
  writeFileSync(file, '{')
  await expectFailure(1, /user\.json is not JSON/, 'users', 'put', '5', '--body', file)
  writeFileSync(file, '{"shoe_size":44}')
  await expectFailure(1, /shoe_size: expected/, 'users', 'put', '5', '--body', file)
  rmSync(file)
  await expectFailure(1, /ENOENT/, 'users', 'put', '5', '--body', file)
  for (const id of ['6', '9'])
    await runSuccessfully('users', 'put', id, '--site', 'MLB', '--nickname', `N${id}`)
  const [page] = await runJson('users', 'list', '--limit', '2')
  assert.deepEqual([page.users.length, page.next_after], [2, 6])
  assert.match(
    await runSuccessfully('users', 'list', '--after', '6'),
    /^ID.*\n9 +MLB +N9 +active\n$/,
  )
})

test('a user is exported and erased, also by a process that was killed meanwhile', async () => {
  const { runSuccessfully, runJson, expectFailure } = cli
  await runSuccessfully('users', 'put', '55', '--site', 'MLA', '--nickname', 'ZQNICKNAME')
  const client = new TestClient(cli.program().address)
  for (const n of [1, 2, 3]) {
    const body = { title: `Mesa zqtitle ${n}`, category_id: 'MLA1580', currency_id: 'ARS' }
    const listing = { ...body, seller_id: 55, site_id: 'MLA', price: 1, available_quantity: 1 }
    const { status, text } = await client.operator('PUT', `/operator/items/MLA5500${n}`, listing)
    assert.equal(status, 201, text)
  }
  const kinds = (await runJson('users', 'export', '55')).map(({ kind }) => kind)
  const entries = Array.from({ length: 4 }, () => 'audit_entry')
  assert.deepEqual(kinds, ['user', 'item', 'item', 'item', ...entries, 'end'])
  const file = join(cli.dataDirectory, 'user.ndjson')
  const output = await runSuccessfully('users', 'export', '55', '--out', file)
  assert.match(output, /The personal data of user 55 is in/)
  assert.match(
    readFileSync(file, 'utf8'),
    /ZQNICKNAME(.*\n)+\{"kind":"end","data":\{"lines":8\}\}\n$/,
  )
  rmSync(file)
  await expectFailure(1, /No erasure of user 55/, 'users', 'erase', '55')
  await expectFailure(1, /User not found: 99/, 'users', 'erase', '99', '--yes')
  await expectFailure(1, /User not found: 99/, 'users', 'export', '99')
  await runSuccessfully('users', 'erase', '55', '--yes')
  await cli.restart({ killed: true })
  await pollUntil(
    'the erasure is finished',
    async () => {
      const [erasure] = await runJson('users', 'erase', '55')
      return erasure.state === 'finished' && erasure.erased.items === 3
    },
    programBoundMs,
  )
  assert.match(await runSuccessfully('users', 'erase', '55'), /finished at .*\n {2}ERASED +ROWS\n/)
  const [user] = await runJson('users', 'show', '55')
  assert.deepEqual([user.nickname, user.status], ['ERASED_55', 'deactivated'])
  await expectFailure(1, /User 55 was erased/, 'users', 'put', '55', '--nickname', 'BACK')
})

test('a token is issued, works, and works no more once it is revoked or its grant is withdrawn', async () => {
  const { runSuccessfully, runJson, expectFailure } = cli
  await runSuccessfully('users', 'put', '11', '--site', 'MLA', '--nickname', 'ONCE')
  await runSuccessfully('applications', 'put', '12', '--name', 'Twelve')
  const create = ['tokens', 'create', '--user', '11', '--application', '12']
  await expectFailure(1, /application_id: expected an application that this user/, ...create)
  assert.match(
    await runSuccessfully('applications', 'authorize', '12', '11', '--scopes', 'read'),
    /user 11 authorizes application 12 \(read\)/,
  )
  await expectFailure(1, /scopes: expected/, ...create, '--scopes', 'read,write')
  const token = (await runSuccessfully(...create, '--scopes', 'read', '--expires-in', '60')).trim()
  assert.match(token, /^APP_USR-12-\S+-11$/, 'alone on standard output')
  const client = new TestClient(cli.program().address)
  const status = async () => (await client.get('/applications/12', token)).status
  assert.equal(await status(), 200)
  const typed = cli.startCommand('tokens', 'revoke', '-', '--json')
  typed.child.stdin.end(`${token}\n`)
  assert.equal((await typed.ended).stdout, '{"revoked":true}\n')
  assert.equal(await status(), 401)
  await expectFailure(1, /No such token/, 'tokens', 'revoke', token)
  const [second] = await runJson(...create, '--scopes', 'read')
  assert.equal(second.expires_in, 21_600)
  await runSuccessfully('applications', 'withdraw', '12', '11')
  await expectFailure(1, /has not authorized/, 'applications', 'withdraw', '12', '11')
})

test('the clock is shown, and moved ahead only', async () => {
  const { runSuccessfully, runJson, expectFailure } = cli
  const [before] = await runJson('clock', 'show')
  assert.equal(before.ahead_seconds, 0)
  assert.match(
    await runSuccessfully('clock', 'advance', '26h'),
    /Z {2}1 d 2 h ahead of the machine’s\n$/,
  )
  const to = new Date(Date.now() + 48 * 3_600_000).toISOString()
  const [set] = await runJson('clock', 'set', to)
  assert.ok(set.now >= to && set.ahead_seconds > 47 * 3_600)
  await expectFailure(1, /advance: expected a number and its unit/, 'clock', 'advance', 'soon')
  await expectFailure(1, /to: expected a moment after/, 'clock', 'set', '2020-01-01T00:00:00Z')
  await expectFailure(2, /time: expected a timestamp/, 'clock', 'set', 'noon')
})

test('faults of orders and of receivers are set, listed, and cleared together or apart', async () => {
  const { runSuccessfully, runJson, expectFailure } = cli
  const list = async () => {
    const [{ order_parts, receivers }] = await runJson('faults', 'list')
    return [order_parts, receivers.map(({ kind }: { kind: string }) => kind)]
  }
  await runSuccessfully('faults', 'set', '--parts', 'buyer,shipping')
  await runSuccessfully('faults', 'set', '--kind', 'drop', '--share', '0.5', '--application', '7')
  const more = ['--kind', 'status', '--status', '503', '--topic', 'items', '--seed', '0']
  const [set] = await runJson('faults', 'set', ...more)
  assert.deepEqual([set.share, set.status, set.topic, set.seed], [1, 503, 'items', 0])
  assert.deepEqual(await list(), [
    ['buyer', 'shipping'],
    ['status', 'drop'],
  ])
  assert.match(
    await runSuccessfully('faults', 'list'),
    /missing parts of orders: buyer, shipping\n.*:\n(.*\n)* {2}drop +50 %/,
  )
  await runSuccessfully('faults', 'clear', '--kind', 'drop')
  assert.deepEqual(await list(), [['buyer', 'shipping'], ['status']])
  await runSuccessfully('faults', 'clear', '--orders')
  assert.deepEqual(await list(), [[], ['status']])
  await runSuccessfully('faults', 'set', '--parts', 'buyer')
  await runSuccessfully('faults', 'clear', '--receivers')
  assert.deepEqual(await list(), [['buyer'], []])
  await runSuccessfully('faults', 'set', '--kind', 'delay', '--delay-ms', '1')
  await runSuccessfully('faults', 'clear')
  assert.deepEqual(await list(), [[], []])
  await expectFailure(2, /Give either/, 'faults', 'set')
  await expectFailure(
    2,
    /--share works only with --kind/,
    'faults',
    'set',
    '--parts',
    'buyer',
    '--share',
    '1',
  )
  await expectFailure(2, /Did you mean "delay"/, 'faults', 'set', '--kind', 'dealy')
  await expectFailure(1, /delay_ms: expected/, 'faults', 'set', '--kind', 'drop', '--delay-ms', '5')
  await expectFailure(
    2,
    /do not use them with --orders/,
    'faults',
    'clear',
    '--orders',
    '--kind',
    'drop',
  )
})

test('the description of the interface is what the server serves', async () => {
  const { runJson, runSuccessfully } = cli
  const answer = await fetch(`${cli.program().address}/openapi.json`)
  const served = await answer.json()
  assert.deepEqual(await runJson('openapi'), [served])
  const file = join(cli.dataDirectory, 'openapi.json')
  assert.match(await runSuccessfully('openapi', '--out', file), /OpenAPI 3\.1\.0, \d+ operations/)
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), served)
})

test('rules of moderation are counted, switched, tried on past messages and exported', async () => {
  const { runSuccessfully, runJson, expectFailure } = cli
  const client = new TestClient(cli.program().address)
  const talk = await createMessagingMarket(client)
  const { id: packId } = await placeCustomShippingOrder(client)
  const text = 'Te lo mando por bit.ly/promo'
  const send = async () =>
    (await sendTestMessage(client, { token: talk.anaToken, packId, text })).body.status
  assert.equal(await send(), 'moderated')
  assert.match(
    await runSuccessfully('moderation', 'rules', '--site', 'MLA'),
    /^RULE +REASON +STATE +HELD +RELEASED\nlink\.short +LINK_SHORT_URL +on +1 +0\n/,
  )
  const file = join(cli.dataDirectory, 'changes.json')
  writeFileSync(file, JSON.stringify({ rules: [{ rule: 'link.short', enabled: false }] }))
  assert.match(
    await runSuccessfully('moderation', 'preview', file),
    /^1 messages judged\n1 are held back now, 0 after the change: .*\n {2}newly_passed +[0-9a-f]{32} +MLA +link\.short "bit\.ly\/promo" → passes\n$/,
  )
  const [preview] = await runJson('moderation', 'preview', file, '--limit', '1', '--site', 'MLB')
  assert.deepEqual([preview.judged, preview.newly_passed], [0, 0])
  writeFileSync(file, '{')
  await expectFailure(1, /changes\.json is not JSON/, 'moderation', 'preview', file)
  assert.equal(
    await runSuccessfully('moderation', 'switch', 'link.short', 'off', '--site', 'MLA'),
    'link.short is off on MLA, from the next message on\n',
  )
  assert.equal(await send(), 'available')
  assert.match(
    await runSuccessfully('moderation', 'rules'),
    /\nlink\.short +LINK_SHORT_URL +on, MLA off +1 +0\n/,
  )
  const [cleared] = await runJson('moderation', 'switch', 'link.short', 'clear', '--site', 'MLA')
  assert.deepEqual(cleared.switches, [])
  assert.equal(await send(), 'moderated')
  await expectFailure(
    1,
    /Rule not found: contact\.fax/,
    'moderation',
    'switch',
    'contact.fax',
    'off',
  )
  const lines = await runJson('moderation', 'export', '--rule', 'link.short')
  assert.deepEqual(
    lines.map(({ cause, rule }: { cause: string; rule: string }) => [cause, rule]),
    Array(2).fill(['bit.ly/promo', 'link.short']),
  )
  const saved = join(cli.dataDirectory, 'decisions.ndjson')
  await runSuccessfully('moderation', 'export', '--out', saved)
  assert.equal(
    readFileSync(saved, 'utf8'),
    `${lines.map((line: object) => JSON.stringify(line)).join('\n')}\n`,
  )
})

test('synonyms are looked up, added, removed, listed and taken back', async () => {
  const { runSuccessfully, runJson, expectFailure } = cli
  assert.equal(
    await runSuccessfully('synonyms', 'lookup', 'MLA', 'palta hass'),
    'palta: aguacate\n',
  )
  assert.match(
    await runSuccessfully('synonyms', 'add', 'MLA', 'palta, cura', '--note', 'as in Chile'),
    /^palta, cura are synonyms on MLA \([0-9a-f]{16}\)\n$/,
  )
  const [removal] = await runJson('synonyms', 'remove', 'MLA', 'palta, aguacate')
  assert.equal(await runSuccessfully('synonyms', 'lookup', 'MLA', 'palta'), 'palta: cura\n')
  assert.match(
    await runSuccessfully('synonyms', 'list', 'MLA'),
    /^ID +ACTION +WORDS +NOTE\n[0-9a-f]{16} +add +palta, cura +as in Chile\n[0-9a-f]{16} +remove +palta, aguacate\s*\n$/,
  )
  assert.equal(
    await runSuccessfully('synonyms', 'delete', removal.id),
    `The change ${removal.id} was taken back.\n`,
  )
  assert.equal(
    await runSuccessfully('synonyms', 'lookup', 'MLA', 'palta'),
    'palta: cura, aguacate\n',
  )
  assert.equal(
    await runSuccessfully('synonyms', 'lookup', 'MLA', 'zzzz'),
    'No word of “zzzz” has synonyms on MLA.\n',
  )
  await expectFailure(1, /Synonyms not found: none/, 'synonyms', 'delete', 'none')
  await expectFailure(1, /words: expected/, 'synonyms', 'add', 'MLA', 'palta')
})

test('where there is no server, or not for this token, that is said, and ends with 1', async () => {
  const { expectFailure } = cli
  const away = ['--server', `http://127.0.0.1:${await freePort()}`]
  await expectFailure(1, /There is no Feria at http:\S+ \(ECONNREFUSED\)/, 'clock', 'show', ...away)
  await expectFailure(1, /There is no Feria at/, 'openapi', ...away)
  const env = { ...cli.env(), FERIA_OPERATOR_TOKEN: 'another one than there' }
  const { code, stderr, stdout } = await runFeria(env, 'users', 'list', '--json')
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /was refused \(401\)/)
  const wrong = await runFeria({ ...cli.env(), PORT: 'x' }, 'users', 'list')
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /PORT: expected/)
})

test('help is found under every name that it may be looked for, and wrong usage ends with 2', async () => {
  const { runSuccessfully, runJson, expectFailure } = cli
  const overview = await runSuccessfully('help')
  assert.equal(await runSuccessfully(), overview)
  assert.equal(await runSuccessfully('--help'), overview)
  const one = await runSuccessfully('help', 'replay', 'start')
  assert.equal(await runSuccessfully('replay', 'start', '--help'), one)
  assert.equal(await runSuccessfully('replay', 'start', '-h'), one)
  assert.equal(await runSuccessfully('help', 'replay'), await runSuccessfully('replay', '--help'))
  assert.match(await runSuccessfully('--version'), /^\d+\.\d+\.\d+\n$/)
  const [commands] = await runJson('help')
  assert.ok(commands.some(({ name }: { name: string }) => name === 'replay start'))
  await expectFailure(2, /Did you mean "doctor"/, 'docter')
  await expectFailure(2, /Did you mean "start"/, 'help', 'strat')
  await expectFailure(2, /feria help replay start shows more/, 'replay')
  await expectFailure(2, /Did you mean "bash"/, 'completion', 'bsh')
})

test('changes of the command line are in the audit log with their reason, listed and exported', async () => {
  const { runSuccessfully, runJson } = cli
  const reason = 'según el pedido 4711'
  const user = ['users', 'put', '31', '--site', 'MLA', '--nickname', 'AUDITED']
  await runSuccessfully(...user, '--reason', reason)
  const [page] = await runJson('audit', 'list', '--target', 'user:31')
  const [entry] = page.results
  assert.deepEqual(
    [page.results.length, entry.operation, entry.reason],
    [1, 'PUT /operator/users/{id}', reason],
  )
  assert.match(
    await runSuccessfully('audit', 'list', '--target', 'user:31'),
    /^DATE +ACTOR +OPERATION +TARGET +REASON\n\S+ +token +PUT \/operator\/users\/\{id\} +user:31 +según/,
  )
  assert.match(
    await runSuccessfully('audit', 'list', '--target', 'user:32'),
    /The audit log has no such entries/,
  )
  const csv = await runSuccessfully('audit', 'export', '--target', 'user:31', '--format', 'csv')
  assert.match(csv, /^"id",.*\r\n"[\w-]+",.*"según el pedido 4711"/)
})
