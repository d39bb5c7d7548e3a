import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import { type CatalogFile, catalogFiles, type Problem } from '../../catalog/import/problems.ts'
import { type Client, Refused } from '../client.ts'
import { CommandFailure } from '../failure.ts'
import type { Output } from '../frame/output.ts'
import { importLines } from './show.ts'
import { readTaxonomy } from './taxonomy.ts'

interface ImportOptions {
  folder: string
  format: 'feria' | 'taxonomy'
  depth: number
  isDry: boolean
  note: string | undefined
  out: Output
}

/** A catalogue that is ready to be sent, and what to call a line of it. */
interface Ready {
  files: Record<CatalogFile, Blob>
  placeOf(problem: Problem): string
}

/** Sends a folder's catalogue; prints what it changes, or all that is wrong with it. */
export async function importDirectory(client: Client, asked: ImportOptions): Promise<void> {
  const { files, placeOf } =
    asked.format === 'taxonomy' ? await ofTaxonomy(asked) : await ofFolder(asked.folder)
  const form = new FormData()
  for (const file of catalogFiles) form.append(file, files[file], `${file}.ndjson`)
  const query = new URLSearchParams({ dry_run: String(asked.isDry) })
  if (asked.note !== undefined) query.set('note', asked.note)
  try {
    const told = await client.call('POST', `/operator/catalog/import?${query}`, { body: form })
    asked.out.show(told, () => importLines(told))
  } catch (error) {
    const problems: Problem[] = error instanceof Refused ? (error.body?.cause ?? []) : []
    if (problems.length === 0) throw error
    if (asked.out.isJson) asked.out.show((error as Refused).body, () => [])
    const lines = problems.map((each) => `${placeOf(each)}: ${each.field}: ${each.message}`)
    throw new CommandFailure(
      [...lines, `The catalogue is not taken (${sayCount(error as Refused, problems)}).`].join(
        '\n',
      ),
    )
  }
}

function sayCount({ body }: Refused, problems: readonly Problem[]): string {
  const more = /\(and (\d+) more, see cause\)$/.exec(String(body.message))?.[1]
  const count = more === undefined ? problems.length : Number(more) + 1
  const first = count > problems.length ? `, the first ${problems.length} are told` : ''
  return `${count} ${count === 1 ? 'problem' : 'problems'}${first}`
}

async function ofFolder(folder: string): Promise<Ready> {
  const pathOf = (file: CatalogFile) => join(folder, `${file}.ndjson`)
  const open = async (file: CatalogFile) => {
    try {
      return await openAsBlob(pathOf(file))
    } catch {
      throw new CommandFailure(`${pathOf(file)}: expected a file that can be read`)
    }
  }
  return {
    files: {
      categories: await open('categories'),
      attributes: await open('attributes'),
      domains: await open('domains'),
    },
    placeOf: ({ file, line }) => (line === null ? pathOf(file) : `${pathOf(file)}:${line}`),
  }
}

async function ofTaxonomy({ folder, depth, out }: ImportOptions): Promise<Ready> {
  const { rows, untranslated } = await readTaxonomy(folder, depth)
  const { es, pt } = untranslated
  out.say(`${rows.categories.length} categories of the taxonomy, ${depth} levels deep`)
  out.say(`English where a name is not translated: ${es} in Spanish, ${pt} in Portuguese`)
  const write = (file: CatalogFile) =>
    new Blob(rows[file].map((row: object) => `${JSON.stringify(row)}\n`))
  return {
    files: {
      categories: write('categories'),
      attributes: write('attributes'),
      domains: write('domains'),
    },
    placeOf({ file, line }) {
      const row = rows[file][(line ?? 0) - 1] as { key?: string; id?: string } | undefined
      return row ? `${file} ${row.key ?? row.id}` : file
    },
  }
}
