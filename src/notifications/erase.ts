import type { Tx } from '../platform/database/database.ts'
import { deleteDeliverySettings, eraseAttempts, listAttemptSeqs } from './store-erasure.ts'

/** Notifications whose attempts one batch erases. */
const batchSize = 500

/**
 * Erases a batch of the deliveries of an application, after a sequence number: where they went, and what was answered.
 * What was sent holds ids only, and stays. Returns the number of erased rows, and the last sequence number, or null when
 * no more follow.
 */
export async function eraseDeliveries(
  tx: Tx,
  { applicationId, after }: { applicationId: number; after: number },
): Promise<{ erased: number; last: number | null }> {
  const seqs = await listAttemptSeqs(tx, { applicationId, after, limit: batchSize })
  const attempts = await eraseAttempts(tx, { applicationId, seqs })
  if (seqs.length === batchSize) return { erased: attempts, last: seqs.at(-1) ?? null }
  return { erased: attempts + (await deleteDeliverySettings(tx, applicationId)), last: null }
}
