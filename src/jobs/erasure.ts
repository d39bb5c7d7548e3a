import { createHash } from 'node:crypto'
import type { OperatorActor } from '../kernel/operator-actor.ts'
import type { Context } from '../platform/context.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { expiryOf } from './commands.ts'
import { erasureKindName, type Job } from './job.ts'
import { listOpenJobs, saveShownJob } from './store.ts'

/** An erasure as its job shows it. */
export interface ShownErasure
  extends Pick<Job, 'state' | 'total' | 'done' | 'result' | 'dateCreated' | 'finishedAt'> {
  userId: number
}

/** Who erases what an earlier release began. */
const unknownActor: OperatorActor = { kind: 'system', name: 'erasure' }

/** Shows an erasure as a job, in the transaction that changes it. A user has one. */
export function showErasure(
  { config, now }: Pick<Context, 'config' | 'now'>,
  tx: Tx,
  {
    userId,
    actor = unknownActor,
    ...erasure
  }: ShownErasure & { actor?: OperatorActor | undefined },
): void {
  const at = now()
  saveShownJob(tx, {
    ...erasure,
    id: erasureJobId(userId),
    kind: erasureKindName,
    parameters: { user_id: userId },
    checkpoint: {},
    error: null,
    actor,
    startedAt: erasure.dateCreated,
    expiresAt: erasure.finishedAt === null ? null : expiryOf({ config }, at),
    fileRemovedAt: null,
    siteId: null,
  })
}

/** Lists the users whose erasure is shown as open. */
export async function listShownErasures(db: Db): Promise<number[]> {
  const jobs = await listOpenJobs(db, erasureKindName)
  return jobs.map(({ parameters }) => Number(parameters['user_id']))
}

/** Returns the id of the job of a user's erasure. It follows from the user, so that each batch finds its job. */
function erasureJobId(userId: number): string {
  return createHash('sha256').update(`erasure of user ${userId}`).digest('hex').slice(0, 24)
}
