import { minuteMs } from '../../../kernel/clock.ts'
import type { Context } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Finding } from '../finding.ts'
import { printsOf } from './prints.ts'
import { copiesOf, deletePrints, savePrints } from './store.ts'

/**
 * When copies are no longer a person's (AUTOMATIC_MESSAGE, contract 2.10): nearly the same text to
 * more packs than somebody who pastes it by hand reaches in that time. Opening a conversation, pasting
 * and sending takes twenty seconds at least, so thirty in ten minutes is somebody who does nothing
 * else and never rests.
 */
export const automatic = { packs: 30, withinMs: 10 * minuteMs } as const

/**
 * Remembers a free text that a seller's application sends, and says whether it is one copy too many.
 * Refused ones are remembered too: whoever goes on stays refused. Those that are sent in the same
 * instant do not see each other yet; the ones after them see them all.
 */
export async function findCopies(
  tx: Tx,
  { text, at, ...whose }: { sellerId: number; packId: number; text: string; at: Date },
): Promise<Finding | null> {
  const prints = printsOf(text)
  const since = new Date(at.getTime() - automatic.withinMs)
  const counted = copiesOf(tx, { ...whose, prints, since, enough: automatic.packs })
  savePrints(tx, { ...whose, prints, at })
  const copies = await counted
  if (copies < automatic.packs) return null
  return { reason: 'AUTOMATIC_MESSAGE', rule: 'copies', from: 0, to: text.length }
}

/** One turn: forgets what is too old to be compared with. */
export async function forgetPrints({ db, now }: Pick<Context, 'db' | 'now'>): Promise<boolean> {
  await deletePrints(db, new Date(now().getTime() - automatic.withinMs))
  return false
}
