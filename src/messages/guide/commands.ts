import type { Caller } from '../../http/caller.ts'
import { findUser } from '../../identity/store.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/database.ts'
import { sqlState } from '../../platform/database/errors.ts'
import { type Thread, untouched } from '../conversation.ts'
import type { Message } from '../message.ts'
import { currentTerms } from '../moderation/terms/current.ts'
import type { Sale } from '../sale.ts'
import { writeMessage } from '../send/write.ts'
import {
  beginThread,
  type ConversationKey,
  lockThread,
  readThread,
  tryLockThread,
} from '../store.ts'
import { readSale } from '../store-state.ts'
import { chosenOption, refuseUnguided } from './choice.ts'
import type { OptionFacts } from './options.ts'
import type { OptionBody } from './schemas.ts'

/** What the guide goes by for a pack of this seller's. Throws the refusals of contract 7.1; whoever is
 * not its seller cannot tell it from none. */
export async function guideOf(ctx: Context, place: ConversationKey): Promise<OptionFacts> {
  const { reads, config, now } = ctx
  const [sale, thread] = await Promise.all([readSale(reads, place), readThread(reads, place)])
  if (!sale) throw new Failure('pack_denied', String(place.packId))
  const facts = { sale, thread: thread ?? untouched, caps: config.messages.guideCaps, now: now() }
  refuseUnguided(facts)
  return facts
}

/**
 * Sends an option (contract 4.1). The conversation is locked meanwhile: who comes second is refused
 * rather than made to wait (3.3), and a lock of the database's ends with its holder, however that
 * ends.
 */
export async function sendOption(
  ctx: Context,
  { place, asked, caller }: { place: ConversationKey; asked: OptionBody; caller: Caller },
): Promise<{ message: Message; toName: string }> {
  const [{ sale: known }, terms] = await Promise.all([guideOf(ctx, place), currentTerms(ctx.reads)])
  const toName = await nameOf(ctx, known.buyerId)
  // Committed before it is locked: who comes second must find a row, not wait for one.
  await beginThread(ctx.db, known)
  const message = await ctx.db.transaction(async (tx) => {
    const thread = await lockOrRefuse(tx, known)
    const sale = (await readSale(tx, place)) ?? known
    const facts = { sale, thread, caps: ctx.config.messages.guideCaps, now: ctx.now() }
    refuseUnguided(facts)
    const { option, isFreeText, text } = chosenOption(asked, facts)
    const draft = {
      fromId: sale.sellerId,
      text,
      subject: null,
      applicationId: caller.applicationId,
      attachmentIds: [],
      option: { id: option, isFreeText },
    }
    return writeMessage(tx, ctx, { sale, thread, draft, terms })
  })
  return { message, toName }
}

/** Of `select … nowait`. */
const lockNotAvailable = '55P03'

async function lockOrRefuse(tx: Tx, sale: Sale): Promise<Thread> {
  try {
    return (await tryLockThread(tx, sale)) ?? (await lockThread(tx, sale))
  } catch (error) {
    throw sqlState(error) === lockNotAvailable ? new Failure('guide_is_locked') : error
  }
}

/** By which name a buyer is shown, their nickname where no other is known. */
async function nameOf({ reads }: Context, userId: number): Promise<string> {
  const user = await findUser(reads, userId)
  const name = [user?.firstName, user?.lastName].filter(Boolean).join(' ')
  return name || (user?.nickname ?? '')
}
