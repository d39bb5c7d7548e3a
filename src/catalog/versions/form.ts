import { LineSplitter } from '../../http/bodies/line-splitter.ts'
import type { FormFile } from '../../http/route.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { makeYielder } from '../../kernel/slices.ts'
import { CatalogDraft } from '../import/draft.ts'
import { type CatalogFile, catalogFiles, quoted } from '../import/problems.ts'
import { limits } from '../import/rows.ts'

/** Reads a draft from the files `categories`, `attributes` and `domains` of a form, as they arrive. Throws
 * `bad_request` for another file and `body_too_large`. */
export async function readDraftForm(files: AsyncIterable<FormFile>): Promise<CatalogDraft> {
  const breathe = makeYielder()
  const draft = new CatalogDraft()
  let bytes = 0
  for await (const { field, content } of files) {
    const file = catalogFiles.find((name) => name === field)
    if (!file) {
      const expected = `a form with the files ${catalogFiles.join(', ')}`
      throw badField('body', `${expected}, not one that is called ${quoted(field)}`)
    }
    if (!draft.beginFile(file)) continue
    const cutter = new LineSplitter()
    for await (const piece of content) {
      bytes += piece.length
      if (bytes > limits.bytes) throw tooLarge(file)
      for (const line of cutter.push(Buffer.from(piece))) {
        draft.addLine(file, line)
        const pause = breathe()
        if (pause) await pause
      }
    }
    for (const line of cutter.flush()) draft.addLine(file, line)
  }
  draft.checkReferences()
  return draft
}

function tooLarge(file: CatalogFile): Failure {
  return new Failure('body_too_large', `${file}: expected at most ${limits.bytes} bytes in all`)
}
