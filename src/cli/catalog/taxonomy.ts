import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type ConvertedTaxonomy,
  convertTaxonomy,
  type TaxonomyFiles,
  type TaxonomyNames,
  taxonomyNamesOf,
  taxonomyStructureOf,
} from '../../catalog/import/taxonomy.ts'
import { CommandFailure } from '../frame/failure.ts'

/** Reads the published files of the open product taxonomy from a checkout, its `dist`, or a folder with `en`, `es` and
 * `pt-BR`. Reads one language at a time: each takes a hundred megabytes. */
export async function readTaxonomy(folder: string, depth: number): Promise<ConvertedTaxonomy> {
  const dist = existsSync(join(folder, 'dist', 'en')) ? join(folder, 'dist') : folder
  const english = await readLanguage(join(dist, 'en'))
  const structure = taxonomyStructureOf(english)
  const wordings = {
    en: taxonomyNamesOf(english),
    es: await readWording(join(dist, 'es')),
    pt: await readWording(join(dist, 'pt-BR')),
  }
  return convertTaxonomy(structure, wordings, depth)
}

async function readWording(folder: string): Promise<TaxonomyNames | undefined> {
  return existsSync(folder) ? taxonomyNamesOf(await readLanguage(folder)) : undefined
}

/** Reads a taxonomy in one language, from one file or from its parts. Attributes and values may be missing. */
async function readLanguage(folder: string): Promise<TaxonomyFiles> {
  const whole = join(folder, 'taxonomy.json')
  const file = existsSync(whole) ? whole : join(folder, 'categories.json')
  const categories = await readJson(file, 'verticals')
  const attributes = join(folder, 'attributes.json')
  const values = join(folder, 'attribute_values.json')
  return {
    categories,
    attributes: existsSync(attributes)
      ? await readJson(attributes, 'attributes')
      : 'attributes' in categories
        ? categories
        : undefined,
    values: existsSync(values) ? await readJson(values, 'values') : undefined,
  } as TaxonomyFiles
}

/** Reads a JSON object that has the list `list`. Throws `CommandFailure` with the name of the file. */
async function readJson(file: string, list: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandFailure(`${file}: expected a file that can be read`)
  })
  if (text.startsWith('version https://git-lfs.')) {
    throw new CommandFailure(
      `${file}: is only a pointer to the file. Run \`git lfs pull\` there first.`,
    )
  }
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw new CommandFailure(`${file}: expected JSON: ${(error as Error).message}`)
  }
  const hasList = document !== null && typeof document === 'object' && list in document
  if (!hasList)
    throw new CommandFailure(`${file}: expected "${list}", as the taxonomy publishes it`)
  return document as Record<string, unknown>
}
