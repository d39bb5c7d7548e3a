import type { AuditNotes } from '../kernel/audit.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Outages } from './circuit-breaker.ts'
import type { Config } from './config.ts'
import type { Database, Db } from './database/database.ts'
import type { Ids } from './database/ids.ts'
import type { OutageLog } from './database/outage-log.ts'
import type { Signals } from './database/signals.ts'
import type { FileStore } from './files.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Send } from './outbound/outbound.ts'
import type { PasswordCost } from './password-cost.ts'
import type { Random } from './random.ts'
import type { FindSimulatedFaults } from './simulated-faults.ts'
import type { Timers } from './timers.ts'

/**
 * The tools of all modules. Modules themselves are imported and never part of it. A function takes only what it uses:
 * `Pick<Context, 'db' | 'now'>`.
 */
export interface Context {
  readonly config: Config
  readonly db: Database
  /** Connections for short reads by key (`Pipeline`). */
  readonly reads: Db
  /** Separate connections for the parts of an answer while `reads` is stuck. */
  readonly readsApart: Db
  readonly outages: Outages
  readonly signals: Signals
  readonly ids: Ids
  readonly now: Clock
  readonly timers: Timers
  readonly random: Random
  /** The cost of new password hashes. */
  readonly passwordCost: PasswordCost
  readonly send: Send
  /** The store of uploaded files. */
  readonly files: FileStore
  readonly log: Log
  /** The log of failures that an outage of the database may explain. */
  readonly outageLog: OutageLog
  readonly metrics: Metrics
  /** What the entry of the operation in the audit log says. Nothing is kept outside of operations of the operator. */
  readonly audit: AuditNotes
  /** The names of parts that the sandbox simulates as unavailable. Empty in production. */
  readonly faults: () => ReadonlySet<string>
  /** The faults that the sandbox simulates in answers to integrators. Undefined in production. */
  readonly interfere?: FindSimulatedFaults
}
