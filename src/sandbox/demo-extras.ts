import { tokenScopes } from '../http/scopes.ts'
import { saveAuthorization } from '../identity/store.ts'
import { pictureOwners, savePictureError } from '../listings/pictures/store.ts'
import { quotationOwners, saveQuotation } from '../listings/quotations/store.ts'
import { insertInvoice } from '../orders/invoices/store.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { insertQuestion, questionOwners } from '../questions/store.ts'
import { type DemoExtras, firstDemoQuestionId } from './demo/extras.ts'

/** Saves the demo questions, quotation, invoice and picture error unless they exist. Demo history is not notified. */
export async function saveDemoExtras(
  tx: Tx,
  { questions, quotation, invoice, pictureError }: DemoExtras,
): Promise<void> {
  // A concurrent seeding waits here, and then finds the questions.
  await quotationOwners.claimLocked(tx, quotation.record)
  if (await questionOwners.find(tx, firstDemoQuestionId)) return
  for (const question of questions) insertQuestion(tx, question)
  saveQuotation(tx, quotation.record, quotation.at)
  await pictureOwners.claimLocked(tx, {
    ...pictureError.record,
    id: pictureError.record.pictureId,
  })
  savePictureError(tx, pictureError.record, pictureError.at)
  await insertInvoice(tx, invoice.record, invoice.at)
}

/** Records that the sellers of the demo quotation and invoice authorize the application. */
export async function authorizeDemoExtras(
  db: Db,
  { quotation, invoice }: DemoExtras,
  { applicationId, now }: { applicationId: number; now: Date },
): Promise<void> {
  for (const userId of [quotation.record.sellerId, invoice.record.userId]) {
    await saveAuthorization(db, { userId, applicationId, scopes: tokenScopes }, now)
  }
}
