import type { Clock } from '../kernel/clock.ts'
import type { Config } from './config.ts'
import type { Database, Db } from './database/database.ts'
import type { Ids } from './database/ids.ts'
import type { OutageLog } from './database/outage-log.ts'
import type { Signals } from './database/signals.ts'
import type { Files } from './files.ts'
import type { Interfere } from './interference/interference.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Outages } from './outages.ts'
import type { Send } from './outbound/outbound.ts'
import type { PasswordCost } from './password-cost.ts'
import type { Random } from './random.ts'
import type { Timers } from './timers.ts'

/**
 * The tools that work is done with; never rooms, which are found by import. A function asks for what
 * it uses: `Pick<Context, 'db' | 'now'>`.
 */
export interface Context {
  readonly config: Config
  readonly db: Database
  /** For short reads by key; see `Pipeline`. */
  readonly reads: Db
  /** The same on connections of its own, for finding out what can be had while `reads` is stuck. */
  readonly readsApart: Db
  readonly outages: Outages
  readonly signals: Signals
  readonly ids: Ids
  readonly now: Clock
  readonly timers: Timers
  readonly random: Random
  /** Cost of the password hashes that are stored from now on. */
  readonly passwordCost: PasswordCost
  readonly send: Send
  /** Where what users upload lies. */
  readonly files: Files
  readonly log: Log
  /** Where failures are logged that an outage of the database may explain. */
  readonly outageLog: OutageLog
  readonly metrics: Metrics
  /** Names of what the sandbox pretends to be out of reach; never any in production. */
  readonly faults: () => ReadonlySet<string>
  /** What the sandbox does to answers of the interface, never to the operator's; nothing in production. */
  readonly interfere?: Interfere
}
