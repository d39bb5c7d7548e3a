import type { Caller } from '../../http/caller.ts'
import { findUser } from '../../identity/store.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/database.ts'
import { sqlState } from '../../platform/database/errors.ts'
import { type ConversationRecord, emptyConversation } from '../conversation.ts'
import { readSale } from '../conversation-read-model.ts'
import type { Message } from '../message.ts'
import { currentTerms } from '../moderation/terms/current.ts'
import type { ConversationSale } from '../sale.ts'
import { writeMessage } from '../send/write.ts'
import {
  type ConversationKey,
  createConversation,
  lockConversation,
  readConversation,
  tryLockConversation,
} from '../store.ts'
import { checkGuideApplies, resolveOption } from './choice.ts'
import type { ActionGuideFacts } from './options.ts'
import type { OptionBody } from './schemas.ts'

/** Reads what the guide needs about a pack. Throws `pack_denied` for a pack of another seller as for an unknown one,
 * and the errors of `checkGuideApplies`. */
export async function loadActionGuide(
  ctx: Context,
  key: ConversationKey,
): Promise<ActionGuideFacts> {
  const { reads, config, now } = ctx
  const [sale, thread] = await Promise.all([readSale(reads, key), readConversation(reads, key)])
  if (!sale) throw new Failure('pack_denied', String(key.packId))
  const facts = {
    sale,
    thread: thread ?? emptyConversation,
    caps: config.messages.guideCaps,
    now: now(),
  }
  checkGuideApplies(facts)
  return facts
}

/**
 * Sends an option and returns the message with the name of the buyer. A row lock on the conversation refuses a second
 * request at once with `guide_is_locked`. The lock ends with its transaction, so that a crash leaves none behind.
 */
export async function sendOption(
  ctx: Context,
  { key, input, caller }: { key: ConversationKey; input: OptionBody; caller: Caller },
): Promise<{ message: Message; toName: string }> {
  const [{ sale: before }, terms] = await Promise.all([
    loadActionGuide(ctx, key),
    currentTerms(ctx.reads),
  ])
  const toName = await nameOf(ctx, before.buyerId)
  // Committed before the lock: an uncommitted insert would make a second request wait instead of fail.
  await createConversation(ctx.db, before)
  const message = await ctx.db.transaction(async (tx) => {
    const thread = await lockOrRefuse(tx, before)
    const sale = (await readSale(tx, key)) ?? before
    const facts = { sale, thread, caps: ctx.config.messages.guideCaps, now: ctx.now() }
    checkGuideApplies(facts)
    const { option, isFreeText, text } = resolveOption(input, facts)
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

/** SQLSTATE of `select … for update nowait` on a locked row. */
const lockNotAvailable = '55P03'

async function lockOrRefuse(tx: Tx, sale: ConversationSale): Promise<ConversationRecord> {
  try {
    return (await tryLockConversation(tx, sale)) ?? (await lockConversation(tx, sale))
  } catch (error) {
    throw sqlState(error) === lockNotAvailable ? new Failure('guide_is_locked') : error
  }
}

/** Returns the first and last name of a user, or the nickname when there is no name. */
async function nameOf({ reads }: Context, userId: number): Promise<string> {
  const user = await findUser(reads, userId)
  const name = [user?.firstName, user?.lastName].filter(Boolean).join(' ')
  return name || (user?.nickname ?? '')
}
