// biome-ignore lint/suspicious/noExplicitAny: answers of the interface
type Json = any

const shown = 5

/** What an import changes, for a person. */
export function importLines(told: Json): string[] {
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const { version, against, dry_run: isDry, is_new: isNew } = told
  const { categories, attributes, domains } = told
  say(`Compared with catalogue ${against}:`)
  say(`  ${categories.total} categories: ${countsOf(categories)}`)
  for (const [sign, kind] of signs) {
    const { count = 0, examples = [] } = categories[kind] ?? {}
    for (const each of examples.slice(0, shown)) say(`    ${sign} ${sayCategory(each)}`)
    if (count > shown) say(`    ${sign} … and ${count - Math.min(shown, examples.length)} more`)
  }
  say(`  ${attributes.total} attributes: ${countsOf(attributes)}`)
  say(`  ${domains.total} domains: ${countsOf(domains)}`)
  if (told.numbers_given > 0) say(`  ${told.numbers_given} categories get a number`)
  const left = told.listings_in_removed_categories
  if (left > 0)
    say(`  ${left} listings stand in categories that are removed; they stay as they are`)
  if (isDry) say('A dry run: nothing was changed.')
  else if (isNew) say(`Catalogue ${version} is in force. The way back: feria catalog rollback`)
  else say(`Nothing differs: catalogue ${version} stays in force.`)
  return lines
}

const signs = [
  ['+', 'added'],
  ['-', 'removed'],
  ['~', 'renamed'],
  ['>', 'moved'],
  ['*', 'changed'],
] as const

function countsOf(changes: Json): string {
  const some = signs
    .map(([, kind]) => [changes[kind]?.count ?? 0, kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, kind]) => `${count} ${kind}`)
  return some.length > 0 ? some.join(', ') : 'no difference'
}

function sayCategory({ key, number, name, before, after }: Json): string {
  const change = before === undefined ? '' : `: ${before ?? 'the top'} → ${after ?? 'the top'}`
  return `${number}  ${key}  ${name}${change}`
}

/** All versions, a line each. */
export function versionLines({ versions, before }: Json): string[] {
  const lines = versions.map((each: Json) => {
    const mark = each.in_force ? '*' : each.version === before ? '<' : ' '
    const size = each.summary ? `${each.summary.categories.total} categories` : ''
    const date = each.date_created.slice(0, 16).replace('T', ' ')
    const parts = [mark, String(each.version).padStart(4), date, size.padEnd(16), each.note ?? '']
    return parts.join('  ').trimEnd()
  })
  return [...lines, '* is in force, < was before it']
}
