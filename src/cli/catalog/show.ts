import type { ResponseBody } from 'feria/client'

type CatalogChanges = ResponseBody<'/operator/catalog/import', 'post'>
type CategoryChange = CatalogChanges['categories']['added']['examples'][number]
type ChangeCounts = Partial<Record<(typeof signs)[number][1], { count: number }>>

const exampleLimit = 5

/** Returns the lines that describe what an import changes. */
export function catalogChangeLines(changes: CatalogChanges): string[] {
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const { version, against, dry_run: isDry, is_new: isNew } = changes
  const { categories, attributes, domains } = changes
  say(`Compared with catalog ${against}:`)
  say(`  ${categories.total} categories: ${countsOf(categories)}`)
  for (const [sign, kind] of signs) {
    const { count = 0, examples = [] } = categories[kind] ?? {}
    for (const category of examples.slice(0, exampleLimit))
      say(`    ${sign} ${categoryLine(category)}`)
    if (count > exampleLimit)
      say(`    ${sign} … and ${count - Math.min(exampleLimit, examples.length)} more`)
  }
  say(`  ${attributes.total} attributes: ${countsOf(attributes)}`)
  say(`  ${domains.total} domains: ${countsOf(domains)}`)
  if (changes.numbers_given > 0) say(`  ${changes.numbers_given} categories get a number`)
  const strandedListings = changes.listings_in_removed_categories
  if (strandedListings > 0)
    say(`  ${strandedListings} listings are in categories that are removed; they stay as they are`)
  if (isDry) say('Dry run: nothing was changed.')
  else if (isNew) say(`Catalog ${version} is in force. To go back: feria catalog rollback`)
  else say(`Nothing differs: catalog ${version} stays in force.`)
  return lines
}

const signs = [
  ['+', 'added'],
  ['-', 'removed'],
  ['~', 'renamed'],
  ['>', 'moved'],
  ['*', 'changed'],
] as const

function countsOf(changes: ChangeCounts): string {
  const counts = signs
    .map(([, kind]) => [changes[kind]?.count ?? 0, kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, kind]) => `${count} ${kind}`)
  return counts.length > 0 ? counts.join(', ') : 'no difference'
}

function categoryLine({ key, number, name, before, after }: CategoryChange): string {
  const change = before === undefined ? '' : `: ${before ?? 'the top'} → ${after ?? 'the top'}`
  return `${number}  ${key}  ${name}${change}`
}

/** Returns a line for each version. */
export function versionLines({
  versions,
  before,
}: ResponseBody<'/operator/catalog/versions', 'get'>): string[] {
  const lines = versions.map((entry) => {
    const mark = entry.in_force ? '*' : entry.version === before ? '<' : ' '
    const size = entry.summary ? `${entry.summary.categories.total} categories` : ''
    const date = entry.date_created.slice(0, 16).replace('T', ' ')
    const parts = [mark, String(entry.version).padStart(4), date, size.padEnd(16), entry.note ?? '']
    return parts.join('  ').trimEnd()
  })
  return [...lines, '* is in force, < is the version before it']
}

/** Returns suggested aliases as lines of a file of aliases. The further columns, which an import ignores, are the
 * number of listings, their share and the name of the category. */
export function suggestionLines(
  { suggestions }: ResponseBody<'/operator/catalog/alias_suggestions', 'get'>,
  site: string,
): string[] {
  return suggestions.map(({ category_id, category_name, alias, listings, share }) =>
    [category_id, site, alias, listings, share, category_name].join('\t'),
  )
}
