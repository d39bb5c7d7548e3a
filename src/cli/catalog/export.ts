import { createWriteStream } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { catalogFiles } from '../../catalog/import/problems.ts'
import type { Client } from '../client.ts'
import type { Output } from '../frame/output.ts'

/** Writes the files of one version into a folder; each has its name once it is whole. */
export async function exportCatalog(
  client: Client,
  { folder, version: asked, out }: { folder: string; version?: number | undefined; out: Output },
): Promise<void> {
  // Told once, so that all three files are of the same one, whatever is put in force meanwhile.
  const version = asked ?? (await client.call('GET', '/operator/catalog/versions')).in_force
  await mkdir(folder, { recursive: true })
  for (const file of catalogFiles) {
    const path = `/operator/catalog/export?file=${file}&version=${version}`
    const { body } = await client.ask('GET', path)
    const name = join(folder, `${file}.ndjson`)
    const source = body ? Readable.fromWeb(body as ReadableStream) : Readable.from([])
    await pipeline(source, createWriteStream(`${name}.part`))
    await rename(`${name}.part`, name)
  }
  const names = catalogFiles.map((file) => `${file}.ndjson`).join(', ')
  out.show({ version, folder }, () => `Catalogue ${version} is in ${folder}: ${names}`)
}
