import { storageKeyOf, unattachedLifetimeMs } from '../messages/attachments/attachment.ts'
import { attachFiles } from '../messages/attachments/commands.ts'
import { insertUpload, markStored } from '../messages/attachments/store.ts'
import { copyMessages, saveConversations } from '../messages/store-copy.ts'
import type { Context } from '../platform/context.ts'
import type { BulkTx, Tx } from '../platform/database/database.ts'
import type { DemoConversation, SentFile } from './demo/messages/conversation-builder.ts'

/** Stores the files of demo messages before their rows exist. A repeated run stores the same files by the same names. */
export async function uploadDemoFiles(
  { files }: Pick<Context, 'files'>,
  talks: readonly DemoConversation[],
): Promise<void> {
  const sentFiles = talks.flatMap((talk) => talk.files)
  await Promise.all(
    sentFiles.map(({ attachment: { id }, content }) =>
      files.put(storageKeyOf(id), chunksOf(content)),
    ),
  )
}

async function* chunksOf(content: Uint8Array) {
  yield content
}

/** Saves conversations as the commands would leave them. Their files must be stored already. */
export async function saveDemoConversations(
  tx: BulkTx,
  talks: readonly DemoConversation[],
): Promise<void> {
  await copyMessages(
    tx,
    talks.flatMap(({ messages }) => messages),
  )
  const marked = talks.filter(({ thread }) => thread.block || Object.keys(thread.spent).length > 0)
  const bySeller = [...Map.groupBy(marked, ({ sellerId }) => sellerId)]
  for (const [sellerId, threads] of bySeller.sort(([one], [other]) => one - other)) {
    await saveConversations(tx, { sellerId, threads })
  }
  for (const { files } of talks) {
    for (const file of files) await attach(tx, file)
  }
}

/** Writes the rows that an upload and its message leave. */
async function attach(tx: Tx, { attachment, to }: SentFile): Promise<void> {
  const { id, userId, dateCreated: now, potentialSecurityThreat: isThreat, ...fields } = attachment
  const expiresAt = new Date(now.getTime() + unattachedLifetimeMs)
  await insertUpload(tx, { ...fields, id, userId, now, expiresAt })
  await markStored(tx, { userId, id }, { ...fields, isThreat, expiresAt })
  await attachFiles(tx, { userId, ids: [id], ...to, now })
}
