import { CatalogDraft } from '../../src/catalog/import/draft.ts'
import { type CatalogFile, catalogFiles } from '../../src/catalog/import/problems.ts'
import { LineSplitter } from '../../src/http/bodies/line-splitter.ts'
import { operatorToken } from './app.ts'
import { formContentType, multipartForm, openRequest, type RawResponse } from './upload.ts'

type Row = Record<string, unknown>

/** The files of a catalogue: a row is written as a line, text as it is. */
export interface CatalogRows {
  categories: readonly (Row | string)[]
  attributes: readonly (Row | string)[]
  domains: readonly (Row | string)[]
}

const translatedNames = (name: string) => ({ es: name, pt: `${name} pt`, en: `${name} en` })

/** A small catalogue, sound as it is: two top categories, one of them with two below it. `mark` stands in
 * every name. */
export function smallCatalog(mark = ''): { [Name in keyof CatalogRows]: Row[] } {
  const named = (name: string) => translatedNames(`${name}${mark}`)
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

export function ndjsonOf(rows: readonly (Row | string)[]): string {
  return rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join('')
}

/** The form that an import takes. */
export function catalogForm(files: Partial<CatalogRows>): Buffer {
  return multipartForm(
    ...Object.entries(files).map(([field, rows]) => ({
      field,
      filename: `${field}.ndjson`,
      content: ndjsonOf(rows),
    })),
  )
}

/** Imports a catalogue as the operator, and answers what came back. */
export function uploadCatalog(
  address: string,
  files: Partial<CatalogRows>,
  query = '',
): Promise<RawResponse> {
  const { request, answer } = startCatalogUpload(address, query)
  request.end(catalogForm(files))
  return answer
}

/** An import whose form the test sends by `request`. */
export function startCatalogUpload(address: string, query = '') {
  return openRequest(address, {
    method: 'POST',
    path: `/operator/catalog/import${query}`,
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': formContentType },
  })
}

/** The small catalogue with some of it otherwise. */
export function changedCatalog(change: (files: EditableCatalogRows) => void): EditableCatalogRows {
  const files = smallCatalog() as unknown as EditableCatalogRows
  change(files)
  return files
}
// biome-ignore lint/suspicious/noExplicitAny: rows of every shape, the wrong ones too
export type EditableCatalogRows = Record<CatalogFile, any[]>

/** A catalogue read as an import reads it, up to its numbers. */
export function catalogDraftOf(files: Partial<CatalogRows>): CatalogDraft {
  const draft = new CatalogDraft()
  for (const file of catalogFiles) {
    const rows = files[file]
    if (!rows || !draft.beginFile(file)) continue
    const cutter = new LineSplitter()
    const lines = [...cutter.push(Buffer.from(ndjsonOf(rows))), ...cutter.flush()]
    for (const line of lines) draft.addLine(file, line)
  }
  draft.checkReferences()
  return draft
}
