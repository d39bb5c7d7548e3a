import { createWriteStream } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { catalogFiles } from '../../catalog/import/problems.ts'
import type { ApiClient } from '../client/client.ts'
import type { Output } from '../frame/output.ts'

/** Writes the files of one version, by default the served one, to a folder. A file gets its filePath only when it is
 * complete. After a failure, some files may be those of an earlier export. */
export async function exportCatalog(
  client: ApiClient,
  {
    folder,
    version: requestedVersion,
    out,
  }: { folder: string; version?: number | undefined; out: Output },
): Promise<void> {
  // Read the version once, so that all files are of the same one even if another is put in force meanwhile.
  const version =
    requestedVersion ?? (await client.call('GET', '/operator/catalog/versions')).in_force
  await mkdir(folder, { recursive: true })
  for (const file of catalogFiles) {
    const path = `/operator/catalog/export?file=${file}&version=${version}`
    const { body } = await client.request('GET', path)
    const filePath = join(folder, `${file}.ndjson`)
    const source = body ? Readable.fromWeb(body as ReadableStream) : Readable.from([])
    await pipeline(source, createWriteStream(`${filePath}.part`))
    await rename(`${filePath}.part`, filePath)
  }
  const names = catalogFiles.map((file) => `${file}.ndjson`).join(', ')
  out.printResult({ version, folder }, () => `Catalog ${version} is in ${folder}: ${names}`)
}
