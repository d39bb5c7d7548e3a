import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minuteMs, secondMs } from '../../kernel/clock.ts'
import { readConfig } from '../../platform/config.ts'
import { judgeBacklog } from './backlog.ts'
import { judgeClock, judgeServer } from './database.ts'
import { checkProgram, judgeDisk } from './machine.ts'
import type { BacklogFacts, QueueFacts, ServerFacts } from './read-model.ts'
import { judgeProxies } from './server.ts'

const now = new Date('2026-03-10T15:00:00.000Z')
const ago = (ms: number) => new Date(now.getTime() - ms)
const sandbox = readConfig({})
const production = readConfig({
  DATABASE_URL: 'postgres://u:p@db.example/feria',
  FERIA_OPERATOR_TOKEN: '0123456789abcdef0123456789abcdef',
})

const server: ServerFacts = {
  version: 180_004,
  now,
  encoding: 'UTF8',
  timeZone: 'UTC',
  databaseBytes: 2 ** 24,
  maxConnections: 100,
  reservedConnections: 3,
  connections: 20,
  processes: 1,
  off: [],
  transactionAge: 5_000,
  held: [],
  refusal: null,
}

test('a server of PostgreSQL is judged by its version, room, durability and open transactions', () => {
  const heldFor = (minutes: number, pid: number | null = 7, keepsRows = true) => ({
    held: [{ pid, name: 'report', state: 'idle in transaction', seconds: minutes * 60, keepsRows }],
  })
  type Case = [facts: Partial<ServerFacts>, name: string, state: string, says: RegExp]
  const cases: Case[] = [
    [{}, 'database', 'ok', /^PostgreSQL 18\.4, UTF8, UTC, 16 MiB$/],
    [{ timeZone: 'America/Lima' }, 'database', 'ok', /America\/Lima/],
    [{ version: 140_011 }, 'database', 'problem', /14\.11/],
    [{ encoding: 'SQL_ASCII' }, 'database', 'problem', /SQL_ASCII/],
    [{}, 'connections', 'ok', /1 process of Feria, up to 18 connections each; 20 of 97/],
    [{ processes: 0 }, 'connections', 'ok', /no process/],
    [{ processes: 5 }, 'connections', 'warning', /5 processes/],
    [{ processes: 6 }, 'connections', 'problem', /6 processes/],
    [{ maxConnections: 15 }, 'connections', 'problem', /of 12/],
    [{ connections: 90 }, 'connections', 'warning', /90 of 97/],
    [{}, 'writes', 'ok', /takes them/],
    [{ refusal: 'it is a standby' }, 'writes', 'problem', /refuses them: it is a standby/],
    [{}, 'durability', 'ok', /on the disk/],
    [{ off: ['synchronous_commit'] }, 'durability', 'warning', /synchronous_commit/],
    [{ off: ['fsync'] }, 'durability', 'problem', /off: fsync/],
    [heldFor(4), 'transactions', 'ok', /none/],
    [heldFor(6), 'transactions', 'warning', /process 7 \(report\).*6 minutes/],
    [heldFor(6), 'transactions', 'warning', /: rows deleted since then cannot be cleaned up$/],
    [heldFor(6, 7, false), 'transactions', 'warning', /: its locks are not released$/],
    [heldFor(61), 'transactions', 'problem', /61 minutes/],
    [heldFor(6, null), 'transactions', 'warning', /"report", which was prepared/],
    [{ transactionAge: 1.9e9 }, 'transactions', 'problem', /1900 million/],
  ]
  for (const [facts, name, state, says] of cases) {
    const roundTrip = [now.getTime(), now.getTime()] as const
    const judged = judgeServer({ ...server, ...facts }, { config: production, roundTrip })
    const result = judged.find((check) => check.name === name)
    assert.equal(result?.state, state, `${JSON.stringify(facts)} ${result?.says}`)
    assert.match(result?.says ?? '', says)
  }
})

test('clocks are told apart only as far as the round trip lets one tell', () => {
  const cases: [database: number, asked: number, answered: number, state: string][] = [
    [1_000, 900, 1_100, 'ok'],
    [5_000, 1_000, 9_000, 'ok'],
    [1_900, 900, 1_000, 'ok'],
    [2_100, 900, 1_000, 'warning'],
    [0, 1_100, 1_200, 'warning'],
    [70_000, 900, 1_000, 'problem'],
    [0, 70_000, 70_001, 'problem'],
  ]
  for (const [database, askedAt, answeredAt, state] of cases) {
    assert.equal(judgeClock(database, [askedAt, answeredAt]).state, state, String(database))
  }
  assert.match(judgeClock(5_000, [900, 1_000]).says, /4\.0 s ahead of/)
  assert.match(judgeClock(1_000, [5_000, 5_100]).says, /4\.0 s behind/)
})

test('what waits is judged by how long, by what stops it, and by whether anybody works', () => {
  const queue: QueueFacts = {
    applicationId: 7,
    name: 'Seven',
    callbackUrl: 'https://a.example/',
    state: 'open',
    stateSince: null,
    failures: 0,
    failingSince: null,
    waiting: 0,
    oldest: null,
    retryDue: null,
  }
  const facts: BacklogFacts = {
    aheadMs: 0,
    workers: 1,
    untaken: 0,
    oldestUntaken: null,
    unfolded: 0,
    outdated: [],
    queues: [queue],
    rules: [],
  }
  const waits = (more: Partial<QueueFacts>) => ({ queues: [{ ...queue, ...more }] })
  const late = ago(5 * minuteMs)
  type Case = [facts: Partial<BacklogFacts>, name: string, state: string, says: RegExp]
  const cases: Case[] = [
    [{}, 'sandbox clock', 'ok', /not moved/],
    [{ aheadMs: 90 * secondMs }, 'sandbox clock', 'warning', /1 min 30 s ahead/],
    [{ aheadMs: -90 * secondMs }, 'sandbox clock', 'warning', /1 min 30 s behind the machine’s$/],
    [{}, 'workers', 'ok', /^1 process does background work$/],
    [{ workers: 0 }, 'workers', 'warning', /nothing is sent$/],
    [{}, 'changes', 'ok', /^0 not fanned out$/],
    [{ untaken: 3, oldestUntaken: ago(secondMs) }, 'changes', 'ok', /3 not fanned out/],
    [{ untaken: 3, oldestUntaken: late }, 'changes', 'problem', /the oldest for 5 min/],
    [{ untaken: 100_000, oldestUntaken: late }, 'changes', 'problem', /100000 or more/],
    [{ unfolded: 99_999 }, 'counts', 'ok', /99999/],
    [{ unfolded: 100_000 }, 'counts', 'warning', /100000 or more/],
    [{ outdated: [{ derivation: 'orders', count: 0 }] }, 'derived data', 'ok', /this version/],
    [{ outdated: [{ derivation: 'orders', count: 7 }] }, 'derived data', 'warning', /7 of orders/],
    [{}, 'queues', 'ok', /1 applications, all open/],
    [
      waits({ state: 'paused', stateSince: late, waiting: 4 }),
      'queues',
      'warning',
      /paused: 7 "Seven" since 2026.* \(4 wait\)/,
    ],
    [waits({ state: 'disabled' }), 'queues', 'problem', /disabled: 7/],
    [waits({ failures: 10 }), 'queues', 'warning', /failing throughout: 7/],
    [waits({ failures: 9 }), 'queues', 'ok', /all open/],
    [waits({ waiting: 4, oldest: late }), 'deliveries', 'problem', /4 wait.*5 min/],
    [waits({ waiting: 4, oldest: ago(secondMs) }), 'deliveries', 'ok', /4 wait/],
    [waits({ waiting: 4, oldest: late, state: 'paused' }), 'deliveries', 'ok', /^0 wait/],
    [waits({ waiting: 4, oldest: late, failures: 12 }), 'deliveries', 'ok', /^0 wait/],
    [waits({ retryDue: late }), 'deliveries', 'problem', /due for 5 min/],
    [waits({ retryDue: new Date(now.getTime() + minuteMs) }), 'deliveries', 'ok', /^0 wait/],
    [{}, 'callbacks', 'ok', /1 registered/],
    [waits({ callbackUrl: null }), 'callbacks', 'ok', /0 registered/],
  ]
  for (const [more, name, state, says] of cases) {
    const judged = judgeBacklog({ ...facts, ...more }, { config: sandbox, now, processes: 1 })
    const result = judged.find((check) => check.name === name)
    assert.equal(result?.state, state, `${name} ${JSON.stringify(more)} ${result?.says}`)
    assert.match(result?.says ?? '', says)
    if (state === 'problem' && (name === 'changes' || name === 'deliveries')) {
      const idle = judgeBacklog({ ...facts, ...more }, { config: sandbox, now, processes: 0 })
      const waiting = idle.find((check) => check.name === name)
      assert.equal(waiting?.state, 'warning', 'nobody is there to do it')
      assert.match(waiting?.advice ?? '', /feria start/)
      const servers = { ...facts, ...more, workers: 0 }
      const unworked = judgeBacklog(servers, { config: sandbox, now, processes: 2 })
      const stuck = unworked.find((check) => check.name === name)
      assert.equal(stuck?.state, 'problem', 'servers alone send nothing')
      assert.equal(
        stuck?.advice,
        'No process does background work. Run feria work beside feria serve, or feria start.',
      )
    }
  }
})

test('a rule of moderation that is mostly overruled is named, with what to do', () => {
  const judge = (...rules: [rule: string, held: number, overruled: number][]) => {
    const facts: BacklogFacts = {
      aheadMs: 0,
      workers: 1,
      untaken: 0,
      oldestUntaken: null,
      unfolded: 0,
      outdated: [],
      queues: [],
      rules: rules.map(([rule, held, overruled]) => ({ rule, held, overruled })),
    }
    const context = { config: sandbox, now, processes: 1 }
    return judgeBacklog(facts, context).find(({ name }) => name === 'moderation rules')
  }
  const isFine = { name: 'moderation rules', state: 'ok' }
  const says = 'none is overruled more than half of the time'
  assert.deepEqual(judge(), { ...isFine, says })
  assert.deepEqual(judge(['pay.cash', 9, 9], ['link.short', 10, 5]), { ...isFine, says })
  assert.deepEqual(judge(['pay.cash', 10, 6]), {
    name: 'moderation rules',
    state: 'warning',
    says: 'overruled more than half of the time: pay.cash (6 of 10)',
    advice:
      'feria moderation export --rule pay.cash shows what it held back. Allow those words or domains, or try to switch it off with feria moderation preview, then feria moderation switch pay.cash off.',
  })
  assert.match(
    judge(['operator:ab12', 20, 20])?.advice ?? '',
    / or change or delete the term ab12\.$/,
  )
  const many = judge(['a', 11, 11], ['b', 12, 12], ['c', 13, 13], ['d', 14, 14])
  assert.match(many?.says ?? '', /: d \(14 of 14\), c .*, b \(12 of 12\) and 1 more$/)
  assert.match(many?.advice ?? '', /--rule d /)
})

test('in production a sandbox’s past is found: its clock, and callbacks that lead inside', () => {
  const queue = (callbackUrl: string): QueueFacts => ({
    applicationId: 7,
    name: 'Seven',
    callbackUrl,
    state: 'open',
    stateSince: null,
    failures: 0,
    failingSince: null,
    waiting: 0,
    oldest: null,
    retryDue: null,
  })
  const judge = (callbackUrl: string) => {
    const facts = {
      aheadMs: 60_000,
      workers: 1,
      untaken: 0,
      oldestUntaken: null,
      unfolded: 0,
      outdated: [],
      rules: [],
    }
    const queues = [queue(callbackUrl)]
    return judgeBacklog({ ...facts, queues }, { config: production, now, processes: 1 })
  }
  const stateOf = (url: string, name: string) =>
    judge(url).find((check) => check.name === name)?.state
  assert.equal(stateOf('https://a.example/', 'sandbox clock'), 'problem')
  assert.equal(stateOf('https://93.184.216.34/', 'callbacks'), 'ok')
  assert.equal(stateOf('http://93.184.216.34/', 'callbacks'), 'warning')
  for (const inside of ['http://127.0.0.1:3000/', 'https://10.0.0.7/', 'http://localhost/x'])
    assert.equal(stateOf(inside, 'callbacks'), 'problem', inside)
  const callbacks = judge('http://localhost/x').find(({ name }) => name === 'callbacks')
  assert.equal(callbacks?.says, '1 can never be reached from here: 7 http://localhost/x')
})

test('room on the disk: less than five GiB is little, less than one too little', () => {
  const gib = 1024 ** 3
  const state = (free: number) =>
    judgeDisk({ folder: '/d', free: free * gib, size: 100 * gib }).state
  assert.deepEqual([5, 4.9, 1, 0.9].map(state), ['ok', 'warning', 'warning', 'problem'])
})

test('a Node older than package.json allows is a problem that names both', () => {
  assert.equal(checkProgram(process.versions.node).state, 'ok')
  const { state, says } = checkProgram('20.19.0')
  assert.equal(state, 'problem')
  assert.match(says, /needs Node 22\.12 or newer; this is Node 20\.19\.0/)
})

test('a proxy in front that the server does not trust is found in its figures', () => {
  const trusting = readConfig({ FERIA_TRUSTED_PROXIES: '10.0.0.0/8' })
  const figure = (count: number) => `x 1\nferia_untrusted_forwarding_total ${count}\ny 2\n`
  const cases: [check: ReturnType<typeof judgeProxies>, state: string, says: RegExp][] = [
    [judgeProxies(sandbox, figure(0)), 'ok', /none is trusted, and no request named one/],
    [judgeProxies(sandbox, figure(12)), 'warning', /^12 request.*Set FERIA_TRUSTED_PROXIES/],
    [judgeProxies(trusting, figure(0)), 'ok', /trusted: 10\.0\.0\.0\/8/],
    [judgeProxies(trusting, ''), 'ok', /trusted/],
  ]
  for (const [{ state, says, advice }, expected, words] of cases) {
    assert.equal(state, expected)
    assert.match(`${says} ${advice ?? ''}`, words)
  }
})
