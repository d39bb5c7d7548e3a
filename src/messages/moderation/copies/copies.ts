import { minuteMs } from '../../../kernel/clock.ts'
import type { ModerationDecision } from '../../../moderation/decision.ts'
import type { Context } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { fingerprintsOf } from './fingerprints.ts'
import { countCopies, deleteFingerprints, saveFingerprints } from './store.ts'

/**
 * From how many packs within which time nearly equal texts are an AUTOMATIC_MESSAGE. A person needs at least 20
 * seconds to open a conversation, paste and send. So 30 packs in ten minutes are more than a person reaches.
 */
export const copyLimit = { packs: 30, withinMs: 10 * minuteMs } as const

/**
 * Stores the prints of a text that a seller's application sends, and returns the decision to hold it back when it is one copy too many.
 * Prints of refused texts are stored too, so that a sender who continues stays refused. Texts of concurrent
 * transactions do not see each other; later ones see them all.
 */
export async function findCopies(
  tx: Tx,
  { text, at, ...key }: { sellerId: number; packId: number; text: string; at: Date },
): Promise<ModerationDecision | undefined> {
  const prints = fingerprintsOf(text)
  const since = new Date(at.getTime() - copyLimit.withinMs)
  const pendingCount = countCopies(tx, { ...key, prints, since, enough: copyLimit.packs })
  saveFingerprints(tx, { ...key, prints, at })
  const copies = await pendingCount
  if (copies < copyLimit.packs) return undefined
  return { reason: 'AUTOMATIC_MESSAGE', rule: 'copies', from: 0, to: text.length }
}

/** Deletes prints that are too old to compare with. Returns false: one run deletes them all. */
export async function deleteOldFingerprints({
  db,
  now,
}: Pick<Context, 'db' | 'now'>): Promise<boolean> {
  await deleteFingerprints(db, new Date(now().getTime() - copyLimit.withinMs))
  return false
}
