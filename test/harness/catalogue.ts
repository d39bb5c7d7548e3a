import { Draft } from '../../src/catalog/import/draft.ts'
import { type CatalogFile, catalogFiles } from '../../src/catalog/import/problems.ts'
import { LineCutter } from '../../src/http/bodies/cut.ts'
import { operatorToken } from './app.ts'
import { formOf, formType, openRequest, type Received } from './upload.ts'

type Row = Record<string, unknown>

/** The files of a catalogue: a row is written as a line, text as it is. */
export interface CatalogueFiles {
  categories: readonly (Row | string)[]
  attributes: readonly (Row | string)[]
  domains: readonly (Row | string)[]
}

const names = (name: string) => ({ es: name, pt: `${name} pt`, en: `${name} en` })

/** A small catalogue, sound as it is: two top categories, one of them with two below it. `mark` stands in
 * every name. */
export function smallCatalogue(mark = ''): { [Name in keyof CatalogueFiles]: Row[] } {
  const named = (name: string) => names(`${name}${mark}`)
  return {
    categories: [
      { key: 'el', names: named('Electrónica') },
      { key: 'own-tv', parent: 'el', names: named('Televisores'), domain: 'TELEVISIONS' },
      { key: 'own-radio', parent: 'el', names: named('Radios'), domain: 'RADIOS' },
      { key: 'own-books', names: named('Libros'), domain: 'BOOKS' },
    ],
    attributes: [
      { id: 'BRAND', names: named('Marca'), value_type: 'string', group: 'MAIN' },
      {
        id: 'COLOR',
        names: named('Color'),
        value_type: 'list',
        group: 'MAIN',
        values: [{ id: 'BLACK', names: { es: 'Negro', pt: 'Preto' } }],
      },
    ],
    domains: ['TELEVISIONS', 'RADIOS', 'BOOKS'].map((id) => ({
      id,
      names: { es: `${id}${mark}`, pt: `${id}${mark}` },
      attributes: [{ id: 'BRAND', required: true }, { id: 'COLOR' }],
    })),
  }
}

export function textOf(rows: readonly (Row | string)[]): string {
  return rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join('')
}

/** The form that an import takes. */
export function catalogueForm(files: Partial<CatalogueFiles>): Buffer {
  return formOf(
    ...Object.entries(files).map(([field, rows]) => ({
      field,
      filename: `${field}.ndjson`,
      content: textOf(rows),
    })),
  )
}

/** Imports a catalogue as the operator, and answers what came back. */
export function importCatalogue(
  address: string,
  files: Partial<CatalogueFiles>,
  query = '',
): Promise<Received> {
  const { request, answer } = beginImport(address, query)
  request.end(catalogueForm(files))
  return answer
}

/** An import whose form the test sends by `request`. */
export function beginImport(address: string, query = '') {
  return openRequest(address, {
    method: 'POST',
    path: `/operator/catalog/import${query}`,
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': formType },
  })
}

/** The small catalogue with some of it otherwise. */
export function changedCatalogue(change: (files: LooseFiles) => void): LooseFiles {
  const files = smallCatalogue() as unknown as LooseFiles
  change(files)
  return files
}
// biome-ignore lint/suspicious/noExplicitAny: rows of every shape, the wrong ones too
export type LooseFiles = Record<CatalogFile, any[]>

/** A catalogue read as an import reads it, up to its numbers. */
export function draftOf(files: Partial<CatalogueFiles>): Draft {
  const draft = new Draft()
  for (const file of catalogFiles) {
    const rows = files[file]
    if (!rows || !draft.begin(file)) continue
    const cutter = new LineCutter()
    const lines = [...cutter.cut(Buffer.from(textOf(rows))), ...cutter.rest()]
    for (const line of lines) draft.take(file, line)
  }
  draft.close()
  return draft
}
