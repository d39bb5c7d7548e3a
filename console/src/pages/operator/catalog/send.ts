import { ApiFailure, tokenOf, withQuery } from '../../../api/client.ts'
import type { Imported, Problem } from './types.ts'

export const fileNames = ['categories', 'attributes', 'domains'] as const
export type Files = Partial<Record<(typeof fileNames)[number], File>>

/** What is wrong with the files, line by line. */
export class Refused extends Error {
  override name = 'Refused'
  readonly problems: readonly Problem[]

  constructor(message: string, problems: readonly Problem[]) {
    super(message)
    this.problems = problems
  }
}

/** Imports the files of a catalog, and reports the upload progress. Throws `Refused` and `ApiFailure`. */
export async function importCatalog(
  files: Files,
  { isDry, progress }: { isDry: boolean; progress: (share: number) => void },
): Promise<Imported> {
  const form = new FormData()
  for (const name of fileNames) {
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
        if (status < 300) resolve(body as Imported)
        else if (body.cause?.length > 0) reject(new Refused(body.message, body.cause))
        else reject(new ApiFailure({ status, code: body.error, message: body.message }))
      } catch {
        reject(new ApiFailure({ status, code: String(status), message: responseText }))
      }
    }
    request.onerror = () =>
      reject(new ApiFailure({ status: 0, code: 'unreachable', message: 'No answer' }))
    request.send(form)
  })
}
