import type { Config } from '../../platform/config.ts'
import { type CheckResult, okResult, problem, warning } from './check.ts'
import type { HeldTransaction, ServerFacts } from './read-model.ts'

const minimumVersion = 15
/** Connections beside the pool: short reads, probes of unreachable parts, LISTEN, and the probe for writes. */
const besidePool = 8
const minuteSeconds = 60
const hourSeconds = 3_600

/** Judges a database server. `roundTrip` is when it was asked and when it answered, in milliseconds of this machine. */
export function judgeServer(
  facts: ServerFacts,
  { config, roundTrip }: { config: Config; roundTrip: readonly [asked: number, answered: number] },
): CheckResult[] {
  return [
    judgeVersion(facts),
    judgeConnections(facts, config),
    judgeDurability(facts, config),
    judgeWrites(facts),
    judgeClock(facts.now.getTime(), roundTrip),
    judgeTransactions(facts),
  ]
}

function judgeVersion({ version, encoding, timeZone, databaseBytes }: ServerFacts): CheckResult {
  const [major, minor] = [Math.floor(version / 10_000), version % 10_000]
  const size = `${Math.round(databaseBytes / 1024 ** 2)} MiB`
  const says = `PostgreSQL ${major}.${minor}, ${encoding}, ${timeZone}, ${size}`
  if (major < minimumVersion) {
    return problem('database', says, `Use PostgreSQL ${minimumVersion} or newer.`)
  }
  if (encoding !== 'UTF8') {
    const advice =
      'Create a database with UTF8: createdb --template template0 --encoding UTF8 feria'
    return problem('database', says, advice)
  }
  // The time zone of the server does not matter: times are stored with their zone, and days begin by UTC.
  return okResult('database', says)
}

/** Returns how many connections all processes of Feria together may open. */
export function connectionsOf(
  { processes }: Pick<ServerFacts, 'processes'>,
  { database: { poolSize } }: Config,
): number {
  return Math.max(1, processes) * (poolSize + besidePool)
}

/** Judges whether the connections of the server suffice for the processes of Feria. Those reserved for superusers
 * do not count. */
function judgeConnections(facts: ServerFacts, config: Config): CheckResult {
  const { maxConnections, reservedConnections, connections, processes } = facts
  const available = maxConnections - reservedConnections
  const perProcess = config.database.poolSize + besidePool
  const needed = connectionsOf(facts, config)
  const running =
    processes === 0 ? 'no process' : `${processes} process${processes > 1 ? 'es' : ''}`
  const says = `${running} of Feria, up to ${perProcess} connections each; ${connections} of ${available} are in use`
  if (needed > available) {
    const advice = `Raise max_connections to ${needed + reservedConnections} or more, or lower DATABASE_POOL.`
    return problem('connections', says, advice)
  }
  const isNearlyFull = connections > available * 0.8
  if (!isNearlyFull && needed <= available * 0.8) return okResult('connections', says)
  return warning(
    'connections',
    says,
    'Few are left. Raise max_connections before you add processes.',
  )
}

function judgeDurability({ off }: ServerFacts, { mode }: Config): CheckResult {
  if (off.length === 0) return okResult('durability', 'commits are on the disk')
  const says = `off: ${off.join(', ')}`
  const advice = 'Set it to on: a crash may lose acknowledged commits.'
  const isGrave = mode === 'production' && off.some((name) => name !== 'synchronous_commit')
  return isGrave ? problem('durability', says, advice) : warning('durability', says, advice)
}

function judgeWrites({ refusal }: ServerFacts): CheckResult {
  if (refusal === null) return okResult('writes', 'the database takes them')
  const advice =
    'Point DATABASE_URL at the primary, take default_transaction_read_only off, or make room on its disk.'
  return problem('writes', `the database refuses them: ${refusal}`, advice)
}

/** Judges the clock of the database against this machine's. The round trip bounds what can be said. */
export function judgeClock(
  database: number,
  [askedAt, answeredAt]: readonly [askedAt: number, answeredAt: number],
): CheckResult {
  const ahead = Math.max(0, database - answeredAt)
  const behind = Math.max(0, askedAt - database)
  const secondsApart = Math.max(ahead, behind) / 1_000
  if (secondsApart < 1)
    return okResult('clock', 'the database’s and this machine’s agree within a second')
  const says = `the database’s is ${secondsApart.toFixed(1)} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine’s`
  const advice = 'Synchronize both by NTP: order, retries and expiries follow them.'
  return secondsApart > minuteSeconds
    ? problem('clock', says, advice)
    : warning('clock', says, advice)
}

/** Judges the age of transactions. One that is open for 5 minutes is a warning, for an hour a problem. PostgreSQL
 * stops at an age of about 2,000 million. */
function judgeTransactions({ held, transactionAge }: ServerFacts): CheckResult {
  const name = 'transactions'
  if (transactionAge > 1.5e9) {
    const says = `the oldest row that was not frozen is ${Math.round(transactionAge / 1e6)} million transactions old, of 2,000`
    return problem(
      name,
      says,
      'Let autovacuum run, or run VACUUM FREEZE, before the database must stop.',
    )
  }
  const [oldest] = held
  if (!oldest || oldest.seconds < 5 * minuteSeconds)
    return okResult(name, 'none is held open for long')
  const says = `${describeTransaction(oldest)} has held a transaction open for ${Math.round(oldest.seconds / minuteSeconds)} minutes (${oldest.state}): ${oldest.keepsRows ? 'rows deleted since then cannot be cleaned up' : 'its locks are not released'}`
  const end =
    oldest.pid === null
      ? `rollback prepared '${oldest.name}'`
      : `pg_terminate_backend(${oldest.pid})`
  const advice = `End it if nobody needs it: ${end}`
  return oldest.seconds > hourSeconds ? problem(name, says, advice) : warning(name, says, advice)
}

function describeTransaction({ pid, name }: HeldTransaction): string {
  return pid === null ? `"${name}", which was prepared,` : `process ${pid} (${name})`
}
