import type { Config } from '../../platform/config.ts'
import { type Check, ok, problem, warning } from './check.ts'
import type { HeldTransaction, ServerFacts } from './store.ts'

const leastVersion = 15
/** Beside the pool: for short reads, for finding out what is out of reach, one to listen on and one that finds
 * out whether the database takes writes. */
const besidePool = 8
const minuteSeconds = 60
const hourSeconds = 3_600

/** What a database server says of itself, judged. `roundTrip` is when it was asked, and when it
 * answered, by this machine's clock. */
export function judgeServer(
  facts: ServerFacts,
  { config, roundTrip }: { config: Config; roundTrip: readonly [asked: number, answered: number] },
): Check[] {
  return [
    judgeVersion(facts),
    judgeConnections(facts, config),
    judgeDurability(facts, config),
    judgeWrites(facts),
    judgeClock(facts.now.getTime(), roundTrip),
    judgeTransactions(facts),
  ]
}

function judgeVersion({ version, encoding, timeZone, databaseBytes }: ServerFacts): Check {
  const [major, minor] = [Math.floor(version / 10_000), version % 10_000]
  const size = `${Math.round(databaseBytes / 1024 ** 2)} MiB`
  const says = `PostgreSQL ${major}.${minor}, ${encoding}, ${timeZone}, ${size}`
  if (major < leastVersion) {
    return problem('database', says, `Use PostgreSQL ${leastVersion} or newer.`)
  }
  if (encoding !== 'UTF8') {
    const advice = 'Make a database with UTF8: createdb --template template0 --encoding UTF8 feria'
    return problem('database', says, advice)
  }
  // Every moment is kept with its zone, and days are cut by UTC, whatever the server's own is.
  return ok('database', says)
}

/** How many connections all processes of Feria together may open. */
export function connectionsOf(
  { processes }: Pick<ServerFacts, 'processes'>,
  { database: { poolSize } }: Config,
): number {
  return Math.max(1, processes) * (poolSize + besidePool)
}

function judgeConnections(facts: ServerFacts, config: Config): Check {
  const { maxConnections, reservedConnections, connections, processes } = facts
  const room = maxConnections - reservedConnections
  const each = config.database.poolSize + besidePool
  const needed = connectionsOf(facts, config)
  const running =
    processes === 0 ? 'no process' : `${processes} process${processes > 1 ? 'es' : ''}`
  const says = `${running} of Feria, up to ${each} connections each; ${connections} of ${room} are in use`
  if (needed > room) {
    const advice = `Raise max_connections to ${needed + reservedConnections} or more, or lower DATABASE_POOL.`
    return problem('connections', says, advice)
  }
  const others = connections > room * 0.8
  if (!others && needed <= room * 0.8) return ok('connections', says)
  return warning('connections', says, 'Little is left: raise max_connections before adding more.')
}

function judgeDurability({ off }: ServerFacts, { mode }: Config): Check {
  if (off.length === 0) return ok('durability', 'what is committed is on the disk')
  const says = `off: ${off.join(', ')}`
  const advice = 'Set it to on: a crash may take back what was acknowledged.'
  const isGrave = mode === 'production' && off.some((name) => name !== 'synchronous_commit')
  return isGrave ? problem('durability', says, advice) : warning('durability', says, advice)
}

function judgeWrites({ refusal }: ServerFacts): Check {
  if (refusal === null) return ok('writes', 'the database takes them')
  const advice =
    'Point DATABASE_URL at the primary, take default_transaction_read_only off, or make room on its disk.'
  return problem('writes', `the database refuses them: ${refusal}`, advice)
}

/** The database's clock against this machine's, as far as the round trip lets one tell. */
export function judgeClock(
  database: number,
  [asked, answered]: readonly [asked: number, answered: number],
): Check {
  const ahead = Math.max(0, database - answered)
  const behind = Math.max(0, asked - database)
  const apart = Math.max(ahead, behind) / 1_000
  if (apart < 1) return ok('clock', 'the database’s and this machine’s agree within a second')
  const says = `the database’s is ${apart.toFixed(1)} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine’s`
  const advice = 'Keep both by NTP: order, retries and expiries go by them.'
  return apart > minuteSeconds ? problem('clock', says, advice) : warning('clock', says, advice)
}

function judgeTransactions({ held, transactionAge }: ServerFacts): Check {
  const name = 'transactions'
  if (transactionAge > 1.5e9) {
    const says = `the oldest row that was not frozen is ${Math.round(transactionAge / 1e6)} million transactions old, of 2,000`
    return problem(name, says, 'Let autovacuum work, or run VACUUM FREEZE, before it must stop.')
  }
  const [oldest] = held
  if (!oldest || oldest.seconds < 5 * minuteSeconds) return ok(name, 'none is held open for long')
  const says = `${named(oldest)} has held a transaction open for ${Math.round(oldest.seconds / minuteSeconds)} minutes (${oldest.state}): nothing that was deleted since can be cleaned up`
  const end =
    oldest.pid === null
      ? `rollback prepared '${oldest.name}'`
      : `pg_terminate_backend(${oldest.pid})`
  const advice = `End it if nobody needs it: ${end}`
  return oldest.seconds > hourSeconds ? problem(name, says, advice) : warning(name, says, advice)
}

function named({ pid, name }: HeldTransaction): string {
  return pid === null ? `"${name}", which was prepared,` : `process ${pid} (${name})`
}
