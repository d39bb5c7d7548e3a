import pg from 'pg'
import { derivationNames, derivations, outdatedCountLimit } from '../../app/derivations.ts'
import { countNewestDecisions } from '../../messages/moderation/decisions/store.ts'
import { countWorkers } from '../../notifications/delivery/store-queues.ts'
import { cursorSeq, lastSeq } from '../../notifications/store-queue-position.ts'
import { ownerRole } from '../../operators/role.ts'
import { readCluster, versionSentence } from '../../platform/database/cluster.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Sql } from '../../platform/database/sql.ts'
import type { ClusterFacts, ShardFacts } from './cluster.ts'

/** What the doctor reads. It looks at the tables of all modules by itself, because it also runs where the service does
 * not start. */

const connectMs = 5_000
const statementMs = 5_000
/** Counts stop here, which bounds the cost of a check. */
export const countLimit = 100_000

/** Decisions of moderation that are counted, the newest ones. */
const countedDecisions = 10_000

/** A PostgreSQL server and the settings that matter. */
export interface ServerFacts {
  /** `150004`: major version × 10,000 + minor version. */
  version: number
  now: Date
  encoding: string
  timeZone: string
  maxConnections: number
  reservedConnections: number
  /** Current connections to any database of the server. */
  connections: number
  /** Processes of Feria that are connected to this database. */
  processes: number
  /** Durability settings that are off. */
  off: string[]
  databaseBytes: number
  /** Age of the oldest unfrozen transaction id. The server stops at about 2,000 million. */
  transactionAge: number
  held: HeldTransaction[]
  /** Why the server takes no writes, or null. */
  refusal: string | null
}

/** A transaction that is held open. It keeps its locks until it ends. */
export interface HeldTransaction {
  /** Null for a prepared transaction. */
  pid: number | null
  /** The application name of the session, or else its user; the transaction's own name if it is prepared. */
  name: string
  /** The state of the session in `pg_stat_activity`, or `prepared`. */
  state: string
  /** How long it has been open. */
  seconds: number
  /** Whether it has a transaction id or a snapshot, so that VACUUM cannot remove rows deleted since it began. */
  keepsRows: boolean
}

export interface QueueFacts {
  applicationId: number
  name: string
  callbackUrl: string | null
  state: string
  stateSince: Date | null
  failures: number
  failingSince: Date | null
  waiting: number
  /** When the first waiting notification was recorded. */
  oldest: Date | null
  /** When the earliest retry is due. */
  retryDue: Date | null
}

interface ApplicationRow {
  id: number
  name: string
  callbackUrl: string | null
}

interface QueueRow
  extends Pick<
    QueueFacts,
    'applicationId' | 'state' | 'stateSince' | 'failures' | 'failingSince' | 'retryDue'
  > {
  last: number
  done: number
}

/** Rows of one derivation that earlier versions left, up to `outdatedCountLimit`. */
export interface OutdatedFacts {
  derivation: string
  count: number
}

/** How often a rule of moderation held a message back lately, and how often the operator released it. */
export interface RuleFacts {
  rule: string
  held: number
  overruled: number
}

/** By what operators are let in. */
export interface OperatorAccessFacts {
  isTokenEnabled: boolean
  /** Active accounts of operators. */
  accounts: number
  /** Those of them that may do everything. */
  owners: number
}

export interface BacklogFacts {
  aheadMs: number
  /** Processes that do background work. */
  workers: number
  /** Changes that are not fanned out yet, up to `countLimit`. */
  untaken: number
  oldestUntaken: Date | null
  unfolded: number
  outdated: OutdatedFacts[]
  queues: QueueFacts[]
  rules: RuleFacts[]
}

/** A read-only session that collects facts about a database. Statements time out after 5 s. */
export class InspectionSession {
  readonly #client: pg.Client

  private constructor(client: pg.Client) {
    this.#client = client
  }

  static async open(url: string): Promise<InspectionSession> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'feria doctor',
      connectionTimeoutMillis: connectMs,
      statement_timeout: statementMs,
    })
    // The failing query reports a broken connection.
    client.on('error', () => {})
    await client.connect()
    await client.query('set session characteristics as transaction read only')
    return new InspectionSession(client)
  }

  close(): Promise<void> {
    return this.#client.end()
  }

  async server(): Promise<ServerFacts> {
    const { rows } = await this.#client.query<Omit<ServerFacts, 'held' | 'refusal'>>(`
      select current_setting('server_version_num')::int as version, clock_timestamp() as now,
        current_setting('server_encoding') as encoding, current_setting('TimeZone') as "timeZone",
        current_setting('max_connections')::int as "maxConnections",
        current_setting('superuser_reserved_connections')::int as "reservedConnections",
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend')
          as connections,
        (select count(*)::int from pg_stat_activity
          where datname = current_database() and application_name = 'feria signals') as processes,
        (select coalesce(array_agg(name order by name), '{}') from pg_settings
          where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off')
          as off,
        pg_database_size(current_database())::float8 as "databaseBytes",
        (select age(datfrozenxid)::float8 from pg_database where datname = current_database())
          as "transactionAge"`)
    const [facts] = rows
    if (!facts) throw new Error('the database server returned no facts')
    return { ...facts, held: await this.#heldTransactions(), refusal: await this.#refusal() }
  }

  /** Returns why the server takes no writes, or null. This session is read-only, so it reads the defaults that other
   * sessions get. */
  async #refusal(): Promise<string | null> {
    const { rows } = await this.#client.query<{ refusal: string | null }>(`
      select case when pg_is_in_recovery() then 'it is a standby'
        when reset_val = 'on' then 'default_transaction_read_only is on' end as refusal
      from pg_settings where name = 'default_transaction_read_only'`)
    return rows[0]?.refusal ?? null
  }

  /** Lists the transactions of other sessions that are held open in this database, and prepared ones, the longest
   * first. A session that is idle in a transaction may have neither a transaction id nor a snapshot, but it still
   * holds locks. */
  async #heldTransactions(): Promise<HeldTransaction[]> {
    const { rows } = await this.#client.query<HeldTransaction>(`
      select pid, coalesce(nullif(application_name, ''), usename, '') as name, state,
        extract(epoch from clock_timestamp() - xact_start)::float8 as seconds,
        backend_xid is not null or backend_xmin is not null as "keepsRows"
      from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
        and (backend_xid is not null or backend_xmin is not null or state like 'idle in%')
        and backend_type = 'client backend'
      union all
      select null, gid, 'prepared', extract(epoch from clock_timestamp() - prepared)::float8,
        true
      from pg_prepared_xacts where database = current_database()
      order by seconds desc limit 10`)
    return rows
  }

  /** Returns whether the operator's token is on, and how many operators have an account. */
  async operatorAccess(): Promise<OperatorAccessFacts> {
    const { rows } = await this.#client.query<OperatorAccessFacts>(
      `
      select not exists (select from operator_access where token_disabled_at is not null)
          as "isTokenEnabled",
        (select count(*)::int from operator_accounts where status = 'active') as accounts,
        (select count(*)::int from operator_accounts
          where status = 'active' and role = $1) as owners`,
      [ownerRole],
    )
    const [facts] = rows
    if (!facts) throw new Error('the database server returned no facts')
    return facts
  }

  /** Returns null on a single server. */
  async cluster(): Promise<ClusterFacts | null> {
    const { rows } = await this.#client.query<{ hasCitus: boolean }>(
      `select to_regclass('pg_dist_partition') is not null as "hasCitus"`,
    )
    if (!rows[0]?.hasCitus) return null
    const cluster = await readCluster(this.#client)
    const doVersionsMatch = versionSentence(cluster) === undefined
    return { cluster, shards: doVersionsMatch ? await this.#shards() : null }
  }

  /** Parts of distributed tables by node, without the copies of reference tables. */
  async #shards(): Promise<ShardFacts[]> {
    const { rows } = await this.#client.query<ShardFacts>(`
      select n.nodename || ':' || n.nodeport as address, count(*)::int as count,
        coalesce(sum(z.size), 0)::float8 as bytes,
        count(*) filter (where p.shardstate <> 1)::int as inactive
      from pg_dist_partition t
        join pg_dist_shard s on s.logicalrelid = t.logicalrelid
        join pg_dist_placement p on p.shardid = s.shardid
        join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
        left join citus_shard_sizes() z on z.shard_id = s.shardid
      where t.partmethod = 'h'
      group by 1 order by 1`)
    return rows
  }

  /** Returns the work that waits. The schema must be up to date. */
  async backlog(): Promise<BacklogFacts> {
    const clock = await this.#client.query<{ ahead: number }>(
      'select ahead_ms::float8 as ahead from sandbox_clock',
    )
    const untaken = await this.#client.query<{ count: number; oldest: Date | null }>(
      `select count(*)::int as count, min(recorded_at) as oldest from (
        select recorded_at from waiting_changes order by recorded_at limit $1) waiting`,
      [countLimit],
    )
    const unfolded = await this.#client.query<{ count: number }>(
      'select count(*)::int as count from (select 1 from order_count_changes limit $1) waiting',
      [countLimit],
    )
    const aheadMs = clock.rows[0]?.ahead ?? 0
    return {
      aheadMs,
      workers: await countWorkers(this.#db(), new Date(Date.now() + aheadMs)),
      untaken: untaken.rows[0]?.count ?? 0,
      oldestUntaken: untaken.rows[0]?.oldest ?? null,
      unfolded: unfolded.rows[0]?.count ?? 0,
      outdated: await this.#outdated(),
      queues: await this.#queues(),
      rules: await countNewestDecisions(this.#db(), countedDecisions),
    }
  }

  /** Returns this session as the statements of modules take it. */
  #db(): Db {
    const client = this.#client
    const rows = async <Row>({ text, values }: Sql) =>
      (await client.query({ text, values: [...values] })).rows as Row[]
    return { rows, row: async <Row>(statement: Sql) => (await rows<Row>(statement))[0] }
  }

  /** Counts the rows that earlier versions left, for each kind of derived data. */
  async #outdated(): Promise<OutdatedFacts[]> {
    const db = this.#db()
    const facts: OutdatedFacts[] = []
    // In sequence: there is one connection.
    for (const derivation of derivationNames) {
      const count = await derivations[derivation].countOutdated(db, outdatedCountLimit)
      facts.push({ derivation, count: Number(count) })
    }
    return facts
  }

  /** Returns up to 1,000 applications with their queues, longest first. Each statement reads one table, or tables
   * distributed alike: a cluster joins no others. */
  async #queues(): Promise<QueueFacts[]> {
    const applications = await this.#client.query<ApplicationRow>(`
      select id::float8 as id, name, callback_url as "callbackUrl" from applications order by id`)
    const queues = await this.#client.query<QueueRow>(`
      select application_id::float8 as "applicationId", state, state_since as "stateSince", failures,
        failing_since as "failingSince", retry_due as "retryDue",
        (${lastSeq.text})::float8 as last, (${cursorSeq.text})::float8 as done
      from lanes l`)
    const waiting = queues.rows.filter(({ last, done }) => last > done)
    const next = await this.#client.query<{ applicationId: number; received: Date }>(
      `select n.application_id::float8 as "applicationId", n.received
      from unnest($1::bigint[], $2::bigint[]) as w (application_id, seq)
        join notifications n on n.application_id = w.application_id and n.seq = w.seq`,
      [waiting.map(({ applicationId }) => applicationId), waiting.map(({ done }) => done + 1)],
    )
    const queueOf = new Map(queues.rows.map((queue) => [queue.applicationId, queue]))
    const oldestOf = new Map(
      next.rows.map(({ applicationId, received }) => [applicationId, received]),
    )
    return applications.rows
      .map(({ id, name, callbackUrl }): QueueFacts => {
        const queue = queueOf.get(id)
        return {
          applicationId: id,
          name,
          callbackUrl,
          state: queue?.state ?? 'open',
          stateSince: queue?.stateSince ?? null,
          failures: queue?.failures ?? 0,
          failingSince: queue?.failingSince ?? null,
          waiting: queue ? queue.last - queue.done : 0,
          oldest: oldestOf.get(id) ?? null,
          retryDue: queue?.retryDue ?? null,
        }
      })
      .sort((a, b) => b.waiting - a.waiting)
      .slice(0, 1_000)
  }
}
