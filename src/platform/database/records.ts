import type { CopyValue } from './copy.ts'
import type { BulkTx } from './database.ts'

/** Copies records into a table. Their keys are column names; all records must have the same keys in the same order. */
export async function copyRecords(
  tx: BulkTx,
  table: string,
  records: readonly Readonly<Record<string, CopyValue>>[],
): Promise<void> {
  const [first] = records
  if (!first) return
  await tx.copy({ table, columns: Object.keys(first) }, records.map(Object.values))
}
