import {
  deleteExamplesUpTo,
  hasExamplesUpTo,
  readLogHead,
  requestCheckpoint,
} from '../../catalog/learning/store.ts'
import type { Tx } from '../../platform/database/database.ts'
import { noteStoredExamples } from '../store-erasure.ts'

/** Listings that one batch notes. */
const notesAtOnce = 500

/**
 * Sees to it that the log of training examples has no title of an erased seller. The learner has to remove the
 * examples, and then to save the model, so that the log up to there is not needed. Returns the position up to which the
 * log is deleted next; null while examples remain; `done` when nothing is left.
 */
export async function eraseTrainingLog(
  tx: Tx,
  { sellerId, upTo, now }: { sellerId: number; upTo: number | null; now: Date },
): Promise<number | 'done' | null> {
  if (upTo === null) {
    const remaining = await noteStoredExamples(tx, { sellerId, limit: notesAtOnce, now })
    if (remaining > 0) return null
  }
  const head = await readLogHead(tx)
  const position = upTo ?? head?.position ?? 0
  if (!head || !(await hasExamplesUpTo(tx, position))) return 'done'
  const { checkpoint } = head
  if (checkpoint.position >= position) {
    deleteExamplesUpTo(tx, { position, checkpoint })
    return 'done'
  }
  requestCheckpoint(tx)
  return position
}
