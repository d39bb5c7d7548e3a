import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SynonymListError } from '../../listings/search/synonyms/list.ts'
import { ModerationListError } from '../../moderation/lists/list-files.ts'
import { DemoFileError } from '../../sandbox/demo/data.ts'
import { userMessageOf } from './failure.ts'

const failing = (code: string | undefined, message: string) =>
  Object.assign(new Error(message), code === undefined ? {} : { code })

test('a database that cannot be reached is told with the code, the reason and a next step', () => {
  const cases: [code: string | undefined, message: string, says: RegExp][] = [
    ['ECONNREFUSED', 'connect ECONNREFUSED', /\(ECONNREFUSED\)\. Is PostgreSQL running/],
    ['ENOTFOUND', 'getaddrinfo ENOTFOUND x', /\(ENOTFOUND\)\. There is no such host/],
    ['28P01', 'password authentication failed', /\(28P01: password .*Correct its user/],
    ['3D000', 'database "x" does not exist', /"x" does not exist\)\. Create the database/],
    ['53300', 'sorry, too many clients already', /Raise max_connections/],
    ['57P03', 'the database system is starting up', /try again in a moment/],
    ['57P01', 'terminating connection due to administrator command', /stopping: try again/],
    [undefined, 'Connection terminated unexpectedly', /Is it PostgreSQL that listens/],
    [
      undefined,
      'Client has encountered a connection error and is not queryable',
      /see that PostgreSQL runs there/,
    ],
    [undefined, 'The server does not support SSL connections', /Leave sslmode out/],
    [
      undefined,
      'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string',
      /DATABASE_URL has none/,
    ],
  ]
  for (const [code, message, says] of cases) {
    const sentence = userMessageOf(failing(code, message)) ?? ''
    assert.match(sentence, says)
    assert.match(sentence, /^The database of DATABASE_URL cannot be reached \(/)
  }
  const denied = userMessageOf(failing('42501', 'permission denied for schema public'))
  assert.match(denied ?? '', /permission denied for schema public.*owner to/)
  const misfit = 'loaded Citus library version differs from installed extension version'
  assert.match(userMessageOf(failing('XX000', misfit)) ?? '', /alter extension citus update/)
  const failed = new Error(`migration 0002_orders failed: ${misfit}`)
  assert.match(userMessageOf(failed) ?? '', /0002_orders.*alter extension citus update/)
  const remote =
    'connection to the remote node postgres@10.0.0.7:5432 failed with the following error: Connection refused\n\tIs the server running?'
  assert.match(
    userMessageOf(failing('08006', remote)) ?? '',
    /10\.0\.0\.7.*refused Is the.*feria doctor/,
  )
  const inactive = 'no active placements were found for shard 102023'
  assert.match(userMessageOf(failing('XX000', inactive)) ?? '', /shard 102023.*feria doctor/)
  const certificate = userMessageOf(
    failing('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'),
  )
  assert.match(certificate ?? '', /NODE_EXTRA_CA_CERTS/)
})

test('a mistake in the demo data is told with its file and place, without a stack', () => {
  const mistake = new DemoFileError('users.json', 'sellers.0', 'must be object')
  assert.equal(userMessageOf(mistake), 'demo/users.json, at sellers.0: must be object')
})

test('a mistake in a list of moderation is told with its file and line, without a stack', () => {
  const mistake = new ModerationListError('claims.es.txt', 3, 'unknown name: <clam>')
  assert.equal(
    userMessageOf(mistake),
    'moderation/lists/claims.es.txt, line 3: unknown name: <clam>',
  )
})

test('a mistake in the list of synonyms is told with its line, without a stack', () => {
  const mistake = new SynonymListError(7, 'unknown label: XX')
  assert.equal(userMessageOf(mistake), 'catalog/words/synonyms.txt, line 7: unknown label: XX')
})

test('a defect has no sentence: it is shown whole', () => {
  for (const code of [undefined, '42P01', '__proto__', 'constructor'])
    assert.equal(userMessageOf(failing(code, 'undefined is not a function')), undefined)
  assert.equal(userMessageOf('text'), undefined)
})
