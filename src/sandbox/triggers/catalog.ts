import { Draft } from '../../catalog/import/draft.ts'
import { catalogFiles, Problems, sayProblem } from '../../catalog/import/problems.ts'
import type { CategoryRow } from '../../catalog/import/rows.ts'
import { makeBreathe } from '../../catalog/tree/slices.ts'
import { importCatalog, writtenOf } from '../../catalog/versions/commands.ts'
import { caughtUp } from '../../catalog/versions/follow.ts'
import { readInForce } from '../../catalog/versions/store.ts'
import type { Stage } from './stage.ts'
import type { Played } from './trigger.ts'

/** What the changed name begins with, so that playing it again changes the same category again. */
const mark = /^Ensayo \d+: |^Ensaio \d+: |^Rehearsal \d+: /

/** Puts a catalogue in force that is the one before it but for the name of one category. The one before
 * stays as a version, which is the way back. */
export async function changeCatalog(stage: Stage): Promise<Played> {
  const { ctx } = stage
  const { version: before } = await readInForce(ctx.db)
  const breathe = makeBreathe()
  const { lines } = await writtenOf(ctx, ctx.db, { version: before, breathe })
  const rows = lines.categories.map((line) => JSON.parse(line) as CategoryRow)
  const chosen = rows.find(({ names }) => mark.test(names.es)) ?? rows.find(isLeaf(rows))
  if (!chosen) throw new Error('a catalogue without categories')
  const number = 1 + Number(/^\D+(\d+): /.exec(chosen.names.es)?.[1] ?? 0)
  const { es, pt, en } = chosen.names
  const renamed = {
    ...chosen,
    names: {
      es: `Ensayo ${number}: ${es.replace(mark, '')}`,
      pt: `Ensaio ${number}: ${pt.replace(mark, '')}`,
      en: `Rehearsal ${number}: ${en.replace(mark, '')}`,
    },
  }
  const draft = new Draft()
  for (const file of catalogFiles) {
    draft.begin(file)
    for (const [index, line] of lines[file].entries()) {
      const isChosen = file === 'categories' && rows[index] === chosen
      const text = isChosen ? JSON.stringify(renamed) : line
      draft.take(file, { number: index + 1, bytes: text.length, text })
      const pause = breathe()
      if (pause) await pause
    }
  }
  draft.close()
  const imported = await importCatalog(ctx, draft, { isDry: false, note: 'a rehearsed change' })
  if (imported instanceof Problems) {
    const [problem] = imported.all
    throw new Error(problem ? sayProblem(problem) : 'a catalogue that was refused')
  }
  await caughtUp(ctx)
  const { version } = imported
  const id = `${stage.site}${chosen.number ?? ''}`
  stage.happened('another catalogue is put in force', {
    catalog_version: version,
    before_version: before,
    category_id: id,
  })
  const path = `/operator/catalog/versions/${before}/activate`
  return { topic: null, resource: `/categories/${id}`, undo: { method: 'POST', path } }
}

/** One in which things are sold: nothing stands below it. */
function isLeaf(rows: readonly CategoryRow[]): (row: CategoryRow) => boolean {
  const parents = new Set(rows.map(({ parent }) => parent))
  return ({ key, parent }) => parent !== undefined && !parents.has(key)
}
