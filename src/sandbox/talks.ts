import { keyOf, unattachedMs } from '../messages/attachments/attachment.ts'
import { attachAll } from '../messages/attachments/commands.ts'
import { insertUpload, markStored } from '../messages/attachments/store.ts'
import { copyMessages, saveThreads } from '../messages/past/store.ts'
import type { Context } from '../platform/context.ts'
import type { BulkTx, Tx } from '../platform/database/database.ts'
import type { DemoTalk, SentFile } from './demo/talk/talk.ts'

/** Puts what was sent with messages into the file store. Nothing names it yet: whoever begins again
 * after this broke off puts the same under the same names. */
export async function uploadFiles(
  { files }: Pick<Context, 'files'>,
  talks: readonly DemoTalk[],
): Promise<void> {
  const sent = talks.flatMap((talk) => talk.files)
  await Promise.all(
    sent.map(({ attachment: { id }, content }) => files.put(keyOf(id), all(content))),
  )
}

async function* all(content: Uint8Array) {
  yield content
}

/** Conversations as the commands would have left them; their files lie in the store. */
export async function saveTalks(tx: BulkTx, talks: readonly DemoTalk[]): Promise<void> {
  await copyMessages(
    tx,
    talks.flatMap(({ messages }) => messages),
  )
  const marked = talks.filter(({ thread }) => thread.block || Object.keys(thread.spent).length > 0)
  const bySeller = [...Map.groupBy(marked, ({ sellerId }) => sellerId)]
  for (const [sellerId, own] of bySeller.sort(([one], [other]) => one - other)) {
    await saveThreads(tx, { sellerId, threads: own })
  }
  for (const { files } of talks) {
    for (const file of files) await attach(tx, file)
  }
}

/** The rows that an upload and the message after it leave behind. */
async function attach(tx: Tx, { attachment, to }: SentFile): Promise<void> {
  const { id, userId, dateCreated: now, potentialSecurityThreat: isThreat, ...known } = attachment
  const expiresAt = new Date(now.getTime() + unattachedMs)
  await insertUpload(tx, { ...known, id, userId, now, expiresAt })
  await markStored(tx, { userId, id }, { ...known, isThreat, expiresAt })
  await attachAll(tx, { userId, ids: [id], ...to, now })
}
