import type { Static, TObject } from 'typebox'
import type { OperatorPermission } from '../http/permissions.ts'
import type { SiteId } from '../kernel/sites.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/database.ts'
import type { Job } from './job.ts'

/** What a step did. */
export interface StepOutcome<C> {
  /** From where the next step goes on. */
  checkpoint: C
  /** How much was done, in the unit of `total`. */
  done: number
  /** Figures of the whole job so far. */
  result: object
  isLast: boolean
}

/** The job of a step. */
interface StepInput<P, C> extends Pick<Job, 'id' | 'actor'> {
  parameters: P
  checkpoint: C
}

/** A step that is ready to be committed. */
export interface JobStep<C> {
  /** The next part of the job's file. It is stored before `commit`, and belongs to the file once that has committed. */
  part?: AsyncIterable<Uint8Array> | undefined
  /** Does the step in the transaction that saves its checkpoint, so that it happens once. It may run again after a
   * deadlock, so it has no effect outside of `tx`. */
  commit(tx: Tx): Promise<StepOutcome<C>>
}

/**
 * A kind of job. Checkpoints are stored as JSON: a release must understand those that the previous one has written.
 * Steps are short, because they hold locks, and because a job is cancelled between two of them.
 */
export interface JobKind<P extends TObject = TObject, C extends object = object> {
  name: string
  parameters: P
  /** Returns the file that a job leaves. Missing for kinds that leave none. */
  file?(parameters: Static<P>): { extension: string; type: string }
  /** Returns the permission without which nobody starts, cancels or retries the job: that of the same work without a job.
   * It is needed besides `jobs:write`. */
  permission(parameters: Static<P>): OperatorPermission
  /** Returns the permission without which nobody reads the file, if it is another one. */
  filePermission?(parameters: Static<P>): OperatorPermission
  /** Returns the only site that the job reads and changes. Operators who are limited to sites start no other jobs. */
  siteOf?(parameters: Static<P>): SiteId | undefined
  /** Whether its jobs begin with an upload, which is deleted when they end. */
  takesUpload?: true
  /** Returns whether the file of a job, or its upload, may hold a user. Missing for kinds that write about no users. */
  mayHoldUser?(
    ctx: Pick<Context, 'db'>,
    input: { parameters: Static<P>; userId: number },
  ): Promise<boolean>
  /** Checks what the schema cannot, and returns how much there is to do. `base` is the address with which links begin.
   * Throws `bad_request`. */
  start(
    ctx: Context,
    parameters: Static<P>,
    options: { base: string },
  ): Promise<{ checkpoint: C; total: number }>
  /** Reads what the next step needs, without a transaction. A `Failure` ends the job with its message; after any other
   * error the step is repeated. */
  step(ctx: Context, input: StepInput<Static<P>, C>): Promise<JobStep<C>>
  /** Returns the end of the file, which no part holds yet. */
  restOfFile?(checkpoint: C): string
}

/** Returns the kind unchanged. It only infers and checks the types, as `route` does. */
export function jobKind<P extends TObject, C extends object>(kind: JobKind<P, C>): JobKind {
  return kind
}

/** Returns the end of a job's file that no part holds yet. */
export function restOfFile({ restOfFile }: JobKind, { checkpoint }: Pick<Job, 'checkpoint'>) {
  return Buffer.from(restOfFile?.(checkpoint) ?? '')
}
