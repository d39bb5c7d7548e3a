import { listSellersOfBuyer } from '../exports/orders-read-model.ts'
import { findUser } from '../identity/store.ts'
import { jobKind } from '../jobs/kind.ts'
import { chunksAfter } from '../jobs/result-file.ts'
import { Failure } from '../kernel/failure.ts'
import { Id, StrictObject } from '../kernel/schema.ts'
import { type ExportPosition, endLine, exportPartCount, exportRows } from './export.ts'

/** Rows of one step. A sale, with what belongs to it, is ten statements. */
const rowsPerStep = 200
/** A step ends after the row with which it has so many bytes: attachments are large. */
const bytesPerStep = 8 * 1_048_576

const Parameters = StrictObject({
  user_id: { ...Id, description: 'The user whose data are exported' },
})

interface Checkpoint extends ExportPosition {
  lines: number
}

/** Writes the same file as `GET /operator/users/{id}/personal-data`. */
export const personalDataExport = jobKind({
  name: 'personal_data_export',
  parameters: Parameters,
  file: () => ({ extension: 'ndjson', type: 'application/x-ndjson' }),
  permission: () => 'personal-data:export',

  // The file of one user has the messages and nicknames of those with whom they traded.
  async mayHoldUser({ db }, { parameters: { user_id: id }, userId }) {
    if (id === userId || (await listSellersOfBuyer(db, id)).includes(userId)) return true
    return (await listSellersOfBuyer(db, userId)).includes(id)
  },

  async start({ db }, { user_id: id }) {
    if (!(await findUser(db, id))) throw new Failure('not_found', `User not found: ${id}`)
    const checkpoint: Checkpoint = { part: 0, after: null, lines: 0 }
    return { checkpoint, total: exportPartCount }
  },

  async step(ctx, { parameters: { user_id: id }, checkpoint }) {
    const user = await findUser(ctx.db, id)
    if (!user) throw new Failure('not_found', `User not found: ${id}`)
    const progress: Progress = { ...checkpoint, isLast: false }
    const chunks = writeRows(exportRows(ctx, user, checkpoint), progress)
    const first = await chunks.next()
    return {
      part: first.done ? undefined : chunksAfter(first.value, chunks),
      async commit() {
        const { isLast, ...after } = progress
        return {
          checkpoint: after,
          done: (isLast ? exportPartCount : after.part) - checkpoint.part,
          result: { lines: after.lines },
          isLast,
        }
      },
    }
  },
})

interface Progress extends Checkpoint {
  isLast: boolean
}

/** Yields the text of the next rows, and counts in `progress` what it has yielded. */
async function* writeRows(
  rows: ReturnType<typeof exportRows>,
  progress: Progress,
): AsyncGenerator<Buffer> {
  let bytes = 0
  for (let row = 0; row < rowsPerStep && bytes < bytesPerStep; row++) {
    const { value, done } = await rows.next()
    if (done) {
      yield Buffer.from(endLine(progress.lines))
      progress.isLast = true
      return
    }
    for await (const line of value.lines) {
      const text = Buffer.from(`${JSON.stringify(line)}\n`)
      bytes += text.length
      progress.lines++
      yield text
    }
    Object.assign(progress, value.next)
  }
}
