import { ApiError, tokenOf, withQuery } from '../../../api/client.ts'
import type { CatalogFileProblem, CatalogImportResult } from './types.ts'

export const catalogFileNames = ['categories', 'attributes', 'domains'] as const
export type CatalogFiles = Partial<Record<(typeof catalogFileNames)[number], File>>

/** What is wrong with the files, line by line. */
export class CatalogImportError extends Error {
  override name = 'Refused'
  readonly problems: readonly CatalogFileProblem[]

  constructor(message: string, problems: readonly CatalogFileProblem[]) {
    super(message)
    this.problems = problems
  }
}

/** Imports the files of a catalog, and reports the upload progress. Throws `Refused` and `ApiError`. */
export async function importCatalog(
  files: CatalogFiles,
  { isDry, progress }: { isDry: boolean; progress: (share: number) => void },
): Promise<CatalogImportResult> {
  const form = new FormData()
  for (const name of catalogFileNames) {
    const file = files[name]
    if (file) form.append(name, file)
  }
  const token = await tokenOf('operator')
  // Only XMLHttpRequest reports the progress of an upload.
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', withQuery('/operator/catalog/import', { dry_run: isDry }))
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const { status, responseText } = request
      try {
        const body = JSON.parse(responseText)
        if (status < 300) resolve(body as CatalogImportResult)
        else if (body.cause?.length > 0) reject(new CatalogImportError(body.message, body.cause))
        else reject(new ApiError({ status, code: body.error, message: body.message }))
      } catch {
        reject(new ApiError({ status, code: String(status), message: responseText }))
      }
    }
    request.onerror = () =>
      reject(new ApiError({ status: 0, code: 'unreachable', message: 'No answer' }))
    request.send(form)
  })
}
