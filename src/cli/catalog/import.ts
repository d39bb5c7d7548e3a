import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import type { ResponseBody } from 'feria/client'
import {
  type CatalogFile,
  catalogFiles,
  type ImportFile,
  type Problem,
} from '../../catalog/import/problems.ts'
import { type ApiClient, RequestRefused } from '../client/client.ts'
import { CommandFailure } from '../frame/failure.ts'
import type { Output } from '../frame/output.ts'
import { catalogChangeLines } from './show.ts'
import { readTaxonomy } from './taxonomy.ts'

interface ImportOptions {
  folder: string
  format: 'feria' | 'taxonomy'
  depth: number
  isDry: boolean
  note: string | undefined
  out: Output
}

/** The files of a catalog to send, and how to name the place of a problem. */
interface CatalogUpload {
  files: Record<CatalogFile, Blob>
  placeOf(problem: Problem): string
}

/** Sends the catalog of a folder. Prints what it changes. Throws `CommandFailure` with all problems. */
export async function importDirectory(client: ApiClient, settings: ImportOptions): Promise<void> {
  const { files, placeOf } =
    settings.format === 'taxonomy'
      ? await uploadOfTaxonomy(settings)
      : await uploadOfFolder(settings.folder)
  const form = new FormData()
  for (const file of catalogFiles) form.append(file, files[file], `${file}.ndjson`)
  const query = { dry_run: settings.isDry, note: settings.note }
  await sendImport(() => client.call('POST', '/operator/catalog/import', { query, form }), {
    what: 'catalog was',
    placeOf,
    out: settings.out,
  })
}

/** Sends a list of aliases. Prints what it changes. Throws `CommandFailure` with all problems. */
export async function importAliasFile(
  client: ApiClient,
  {
    file,
    isDry,
    note,
    out,
  }: { file: string; isDry: boolean; note: string | undefined; out: Output },
): Promise<void> {
  const form = new FormData()
  form.append('aliases', await openFile(file), 'aliases.tsv')
  const query = { dry_run: isDry, note }
  await sendImport(() => client.call('POST', '/operator/catalog/aliases', { query, form }), {
    what: 'aliases were',
    placeOf: ({ line }) => (line === null ? file : `${file}:${line}`),
    out,
  })
}

/** Prints what an import changes. Throws `CommandFailure` with all problems of a refused one. */
async function sendImport(
  send: () => Promise<ResponseBody<'/operator/catalog/import', 'post'>>,
  { what, placeOf, out }: { what: string; placeOf: CatalogUpload['placeOf']; out: Output },
): Promise<void> {
  try {
    const changes = await send()
    out.printResult(changes, () => catalogChangeLines(changes))
  } catch (error) {
    const problems = error instanceof RequestRefused ? problemsOf(error) : []
    if (problems.length === 0) throw error
    if (out.isJson) out.printResult((error as RequestRefused).body, () => [])
    const lines = problems.map(
      (problem) => `${placeOf(problem)}: ${problem.field}: ${problem.message}`,
    )
    throw new CommandFailure(
      [...lines, `The ${what} refused (${describeCount(error as RequestRefused, problems)}).`].join(
        '\n',
      ),
    )
  }
}

/** The problems of a refused catalog. Error bodies have one shape, whose `cause` is of any kind. */
function problemsOf({ body }: RequestRefused): readonly Problem[] {
  return (body?.cause ?? []) as readonly Problem[]
}

function describeCount({ body }: RequestRefused, problems: readonly Problem[]): string {
  const more = /\(and (\d+) more, see cause\)$/.exec(String(body?.message))?.[1]
  const count = more === undefined ? problems.length : Number(more) + 1
  const first = count > problems.length ? `, the first ${problems.length} are listed` : ''
  return `${count} ${count === 1 ? 'problem' : 'problems'}${first}`
}

async function openFile(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path)
  } catch {
    throw new CommandFailure(`${path}: expected a file that can be read`)
  }
}

/** Opens the three files of a catalog in a folder for upload. Throws `CommandFailure` for a file that cannot be
 * read. */
async function uploadOfFolder(folder: string): Promise<CatalogUpload> {
  const pathOf = (file: ImportFile) => join(folder, `${file}.ndjson`)
  const open = (file: CatalogFile) => openFile(pathOf(file))
  return {
    files: {
      categories: await open('categories'),
      attributes: await open('attributes'),
      domains: await open('domains'),
    },
    placeOf: ({ file, line }) => (line === null ? pathOf(file) : `${pathOf(file)}:${line}`),
  }
}

/** Converts a taxonomy to the three files of a catalog. Errors name the row by its id, since the files are not on
 * disk. */
async function uploadOfTaxonomy({ folder, depth, out }: ImportOptions): Promise<CatalogUpload> {
  const { rows, untranslated } = await readTaxonomy(folder, depth)
  const { es, pt } = untranslated
  out.print(`${rows.categories.length} categories of the taxonomy, ${depth} levels deep`)
  out.print(`English where a name is not translated: ${es} in Spanish, ${pt} in Portuguese`)
  const write = (file: CatalogFile) =>
    new Blob(rows[file].map((row: object) => `${JSON.stringify(row)}\n`))
  return {
    files: {
      categories: write('categories'),
      attributes: write('attributes'),
      domains: write('domains'),
    },
    placeOf({ file, line }) {
      if (file === 'aliases') return file
      const row = rows[file][(line ?? 0) - 1] as { key?: string; id?: string } | undefined
      return row ? `${file} ${row.key ?? row.id}` : file
    },
  }
}
