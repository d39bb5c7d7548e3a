import { minuteMs, secondMs } from '../kernel/clock.ts'
import type { OperatorActor } from '../kernel/operator-actor.ts'
import type { SiteId } from '../kernel/sites.ts'

/** Kinds that `POST /operator/jobs` starts. */
export const startedJobKindNames = [
  'bulk_listing_change',
  'reindex',
  'export',
  'personal_data_export',
] as const

/** All kinds. An `import` begins with its upload, and an `erasure` with `POST /operator/users/{id}/erasure`. */
export const jobKindNames = [...startedJobKindNames, 'import', 'erasure'] as const
export type JobKindName = (typeof jobKindNames)[number]

/** The kind that is shown as a job. No step runs it: erasures are tables of their own, with a loop of their own. */
export const erasureKindName = 'erasure' satisfies JobKindName

export const jobStates = ['waiting', 'running', 'finished', 'failed', 'cancelled'] as const
export type JobState = (typeof jobStates)[number]

/** States of jobs that have not ended. */
export const openJobStates = ['waiting', 'running'] as const satisfies JobState[]

/** Long work of the operator, which is done step by step. */
export interface Job {
  id: string
  kind: string
  /** What the operator asked for. It fits the schema of the kind. */
  parameters: Readonly<Record<string, unknown>>
  state: JobState
  /** From where the next step goes on. Only the kind reads it. */
  checkpoint: object
  /** How much there was to do when the job was created. */
  total: number
  done: number
  /** Figures of what was done so far. Null before the first step. */
  result: object | null
  /** Why the job failed. Null unless it has. */
  error: string | null
  actor: OperatorActor
  /** The only site whose data the job reads and changes. Null: unknown, or several. */
  siteId: SiteId | null
  dateCreated: Date
  startedAt: Date | null
  finishedAt: Date | null
  /** When the job is deleted with its file. Null before it ends. */
  expiresAt: Date | null
  /** When the file was deleted, because it might hold a user who was erased. Null otherwise. */
  fileRemovedAt: Date | null
}

export function isOpen({ state }: Pick<Job, 'state'>): boolean {
  return (openJobStates as readonly JobState[]).includes(state)
}

/** A step that was begun this often without success ends its job. */
export const maxStepAttempts = 8

const longestPauseMs = 5 * minuteMs

/** Returns the pause after the failure of an attempt, counted from 1. It doubles from two seconds on. */
export function pauseAfter(attempt: number): number {
  return Math.min(longestPauseMs, secondMs * 2 ** attempt)
}

/** Returns what the operator reads of a job whose step failed or was interrupted in every attempt. */
export function repeatedFailure({ id, done, total }: Pick<Job, 'id' | 'done' | 'total'>): string {
  return `A step failed ${maxStepAttempts} times, with ${done} of ${total} done. The log has the reason under job ${id}. Mend it and retry the job: it goes on where it stopped.`
}
