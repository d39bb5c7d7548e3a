import { tokenScopes } from '../http/scopes.ts'
import { saveAuthorization } from '../identity/store.ts'
import { pictureOwners, savePictureError } from '../listings/pictures/store.ts'
import { quotationOwners, saveQuotation } from '../listings/quotations/store.ts'
import { insertInvoice } from '../orders/invoices/store.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { insertQuestion, questionOwners } from '../questions/store.ts'
import { type DemoAround, demoFirstQuestion } from './demo/around/around.ts'

/** Saves the demo questions, quotation, invoice and picture error unless they exist. Demo history is not notified. */
export async function saveAround(
  tx: Tx,
  { questions, quotation, invoice, pictureError }: DemoAround,
): Promise<void> {
  // A concurrent seeding waits here, and then finds the questions.
  await quotationOwners.claimLocked(tx, quotation.what)
  if (await questionOwners.find(tx, demoFirstQuestion)) return
  for (const question of questions) insertQuestion(tx, question)
  saveQuotation(tx, quotation.what, quotation.at)
  await pictureOwners.claimLocked(tx, {
    ...pictureError.what,
    id: pictureError.what.pictureId,
  })
  savePictureError(tx, pictureError.what, pictureError.at)
  await insertInvoice(tx, invoice.what, invoice.at)
}

/** Records that the sellers of the demo quotation and invoice authorize the application. */
export async function authorizeAround(
  db: Db,
  { quotation, invoice }: DemoAround,
  { applicationId, now }: { applicationId: number; now: Date },
): Promise<void> {
  for (const userId of [quotation.what.sellerId, invoice.what.userId]) {
    await saveAuthorization(db, { userId, applicationId, scopes: tokenScopes }, now)
  }
}
