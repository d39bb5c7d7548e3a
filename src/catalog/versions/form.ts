import { type Line, LineSplitter } from '../../http/bodies/line-splitter.ts'
import type { FormFile } from '../../http/route.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { makeYielder } from '../../kernel/slices.ts'
import { AliasDraft } from '../import/aliases.ts'
import { CatalogDraft } from '../import/draft.ts'
import { catalogFiles, type ImportFile, quoted } from '../import/problems.ts'
import { limits } from '../import/rows.ts'

/** Reads a draft from the files `categories`, `attributes` and `domains` of a form, as they arrive. Throws
 * `bad_request` for another file and `body_too_large`. */
export async function readDraftForm(files: AsyncIterable<FormFile>): Promise<CatalogDraft> {
  const draft = new CatalogDraft()
  await readForm(files, {
    names: catalogFiles,
    begin: (file) => draft.beginFile(file),
    addLine: (file, line) => draft.addLine(file, line),
  })
  draft.checkReferences()
  return draft
}

/** Reads the file `aliases` of a form. Throws `bad_request` for another or a missing one, and `body_too_large`. */
export async function readAliasForm(files: AsyncIterable<FormFile>): Promise<AliasDraft> {
  const draft = new AliasDraft()
  let count = 0
  await readForm(files, {
    names: ['aliases'],
    begin: () => ++count === 1,
    addLine: (_, line) => draft.addLine(line),
  })
  if (count !== 1) throw badField('body', 'a form with one file that is called aliases')
  return draft
}

/** Reads the lines of the files of a form. `begin` returns whether the lines of a file are wanted. */
async function readForm<File extends ImportFile>(
  files: AsyncIterable<FormFile>,
  reader: {
    names: readonly File[]
    begin: (file: File) => boolean
    addLine: (file: File, line: Line) => void
  },
): Promise<void> {
  const breathe = makeYielder()
  let bytes = 0
  for await (const { field, content } of files) {
    const file = reader.names.find((name) => name === field)
    if (!file) {
      const noun = reader.names.length > 1 ? 'files' : 'file'
      const expected = `a form with the ${noun} ${reader.names.join(', ')}`
      throw badField('body', `${expected}, not one that is called ${quoted(field)}`)
    }
    if (!reader.begin(file)) continue
    const cutter = new LineSplitter()
    for await (const piece of content) {
      bytes += piece.length
      if (bytes > limits.bytes) throw tooLarge(file)
      for (const line of cutter.push(Buffer.from(piece))) {
        reader.addLine(file, line)
        const pause = breathe()
        if (pause) await pause
      }
    }
    for (const line of cutter.flush()) reader.addLine(file, line)
  }
}

function tooLarge(file: ImportFile): Failure {
  return new Failure('body_too_large', `${file}: expected at most ${limits.bytes} bytes in all`)
}
