import { CatalogDraft } from '../../catalog/import/draft.ts'
import { catalogFiles, formatProblem, Problems } from '../../catalog/import/problems.ts'
import type { CategoryRow } from '../../catalog/import/rows.ts'
import { importCatalog, serializedVersion } from '../../catalog/versions/commands.ts'
import { readActiveVersion } from '../../catalog/versions/store.ts'
import { makeYielder } from '../../kernel/slices.ts'
import type { TriggerFixtures } from './fixtures.ts'
import type { TriggerResult } from './trigger.ts'

/** Prefix of the changed name, so that a repeated trigger changes the same category. */
const rehearsalPrefix = /^Ensayo \d+: |^Ensaio \d+: |^Rehearsal \d+: /

/** Puts a catalog in force that differs in the name of one category. To undo it, activate the version before. */
export async function changeCatalog(fixtures: TriggerFixtures): Promise<TriggerResult> {
  const { ctx } = fixtures
  const { version: before } = await readActiveVersion(ctx.db)
  const breathe = makeYielder()
  const { lines } = await serializedVersion(ctx, ctx.db, { version: before, breathe })
  const rows = lines.categories.map((line) => JSON.parse(line) as CategoryRow)
  const chosen = rows.find(({ names }) => rehearsalPrefix.test(names.es)) ?? rows.find(isLeaf(rows))
  if (!chosen) throw new Error('a catalog without categories')
  const number = 1 + Number(/^\D+(\d+): /.exec(chosen.names.es)?.[1] ?? 0)
  const { es, pt, en } = chosen.names
  const renamed = {
    ...chosen,
    names: {
      es: `Ensayo ${number}: ${es.replace(rehearsalPrefix, '')}`,
      pt: `Ensaio ${number}: ${pt.replace(rehearsalPrefix, '')}`,
      en: `Rehearsal ${number}: ${en.replace(rehearsalPrefix, '')}`,
    },
  }
  const draft = new CatalogDraft()
  for (const file of catalogFiles) {
    draft.beginFile(file)
    for (const [index, line] of lines[file].entries()) {
      const isChosen = file === 'categories' && rows[index] === chosen
      const text = isChosen ? JSON.stringify(renamed) : line
      draft.addLine(file, { number: index + 1, bytes: text.length, text })
      const pause = breathe()
      if (pause) await pause
    }
  }
  draft.checkReferences()
  const imported = await importCatalog(ctx, draft, { isDry: false, note: 'a rehearsed change' })
  if (imported instanceof Problems) {
    const [problem] = imported.all
    throw new Error(problem ? formatProblem(problem) : 'a catalog that was refused')
  }
  await ctx.catalogFollower.tryCatchUp()
  const { version } = imported
  const id = `${fixtures.site}${chosen.number ?? ''}`
  fixtures.recordStep('another catalog is put in force', {
    catalog_version: version,
    before_version: before,
    category_id: id,
  })
  const path = `/operator/catalog/versions/${before}/activate`
  return { topic: null, resource: `/categories/${id}`, undo: { method: 'POST', path } }
}

/** Returns a predicate for leaf categories, in which items are listed. */
function isLeaf(rows: readonly CategoryRow[]): (row: CategoryRow) => boolean {
  const parents = new Set(rows.map(({ parent }) => parent))
  return ({ key, parent }) => parent !== undefined && !parents.has(key)
}
