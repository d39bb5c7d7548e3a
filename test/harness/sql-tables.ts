import { hasSqlDetails, loadModule, parseSync } from 'libpg-query'
import type { SqlText } from './sql-templates.ts'

/**
 * Says what a text of SQL does with which tables, as PostgreSQL's own parser understands it. A text is read by itself:
 * pieces that stand in others are texts of their own, and stand here as holes.
 */

/** What is done with a table. To lock one, or rows of it, counts as a write: only its owner knows the order of locks. */
export type AccessMode = 'read' | 'write'

export interface TableAccess {
  /** As it is written; undefined where a hole stands in its place. */
  table: string | undefined
  mode: AccessMode
}

/** How a statement or a piece of one begins. */
const verbs = new RegExp(
  `^[\\s(]*(${[
    'select',
    'table',
    'values',
    'with',
    'insert',
    'update',
    'delete',
    'merge',
    'copy',
    'truncate',
    'lock',
    'create',
    'alter',
    'drop',
    'analyze',
    'vacuum',
    'cluster',
    'reindex',
    'refresh',
    'explain',
    'declare',
    'prepare',
    'do',
    'call',
    'set',
  ].join('|')})\\b`,
  'i',
)

/** Whether a text begins as a statement does. */
export function beginsAsStatement({ parts: [first = ''] }: Pick<SqlText, 'parts'>): boolean {
  return verbs.test(first)
}

export async function loadTableParser(): Promise<void> {
  await loadModule()
}

/** What can stand for a hole, in the order in which it is tried. */
type HoleFiller = (hole: number) => string
const templateFillers: readonly HoleFiller[] = [
  (hole) => `$${hole + 1}`,
  () => '',
  (hole) => `($${hole + 1})`,
  // A piece that is read from: its tables are found in the piece itself.
  (hole) => `(select) hole_${hole}`,
  () => 'select',
  () => '=',
  nameOfHole,
]
const literalFillers: readonly HoleFiller[] = [
  nameOfHole,
  (hole) => `(${nameOfHole(hole)})`,
  () => '',
  () => 'check (true)',
]

function nameOfHole(hole: number): string {
  return `hole_${hole}`
}

/** Around a piece, so that a whole statement is parsed. */
const statementFrames: readonly (readonly [before: string, after: string])[] = [
  ['', ''],
  ['select ', ''],
  ['select 1 ', ''],
  ['select 1 from ', ''],
  ['select 1 from (select) piece ', ''],
  ['select 1 where true ', ''],
  ['select 1 order by ', ''],
  ['select 1 ', ' 1'],
  ['insert into piece default values ', ''],
]

/** Returns what a text does with tables; undefined if it is no SQL. */
export function tableAccessesIn(text: SqlText): TableAccess[] | undefined {
  if (text.parts.join('').trim() === '') return []
  for (const frame of statementFrames) {
    const parsed = parseWithFillings(text, frame)
    if (parsed) return accessesIn(parsed, frame)
  }
  return undefined
}

/** How often another filling is tried: with more holes in a row than that, a text is not understood. */
const maxAttempts = 200

function parseWithFillings(
  text: SqlText,
  [before, after]: readonly [string, string],
): object | undefined {
  const fillings = text.kind === 'template' ? templateFillers : literalFillers
  const chosen = text.holes.map(() => 0)
  for (let tries = 0; tries < maxAttempts; tries++) {
    let statement = before
    const starts: number[] = []
    for (const [index, part] of text.parts.entries()) {
      statement += part
      if (index === text.holes.length) break
      starts.push(statement.length)
      statement += fillings[chosen[index] as number]?.(index)
    }
    try {
      return parseSync(statement + after)
    } catch (error) {
      if (!hasSqlDetails(error)) throw error
      const position = error.sqlDetails?.cursorPosition ?? 0
      // What does not fit is the last hole before the place of the error, or one further ahead.
      let hole = starts.findLastIndex((start) => start <= position)
      while (hole >= 0 && chosen[hole] === fillings.length - 1) chosen[hole--] = 0
      if (hole < 0) return undefined
      chosen[hole] = (chosen[hole] as number) + 1
    }
  }
  return undefined
}

type Tree = { [field: string]: unknown }

/** Where a statement writes, by the kind of statement and the field. */
const writtenFields: Readonly<Record<string, readonly string[]>> = {
  InsertStmt: ['relation'],
  UpdateStmt: ['relation'],
  DeleteStmt: ['relation'],
  MergeStmt: ['relation'],
  TruncateStmt: ['relations'],
  LockStmt: ['relations'],
  CopyStmt: ['relation'],
  CreateStmt: ['relation'],
  into: ['rel'],
  intoClause: ['rel'],
  AlterTableStmt: ['relation'],
  IndexStmt: ['relation'],
  VacuumStmt: ['rels'],
}

function accessesIn(parsed: object, [before]: readonly [string, string]): TableAccess[] {
  const uses: TableAccess[] = []
  const visit = (tree: unknown, use: AccessMode): void => {
    if (Array.isArray(tree)) {
      for (const child of tree) visit(child, use)
      return
    }
    if (tree === null || typeof tree !== 'object') return
    for (const [kind, value] of Object.entries(tree)) visitField(kind, value, use)
  }
  const visitField = (kind: string, value: unknown, use: AccessMode): void => {
    if (value === null || typeof value !== 'object') return
    const node = value as Tree
    if (typeof node['relname'] === 'string') {
      uses.push({ table: nameIn(node['relname']), mode: use })
      return
    }
    if (kind === 'DropStmt') uses.push(...dropped(node))
    const isLocking = kind === 'SelectStmt' && 'lockingClause' in node
    for (const [field, child] of Object.entries(node)) {
      const isWritten =
        writtenFields[kind]?.includes(field) ||
        (isLocking && field === 'fromClause') ||
        use === 'write'
      const below = isWritten && field !== 'whereClause' ? 'write' : 'read'
      if (Array.isArray(child)) visit(child, below)
      else visitField(field, child, below)
    }
  }
  visit(parsed, 'read')
  // A piece that is but names may be one of tables.
  if (before !== '') uses.push(...topNames(parsed))
  return uses.filter(({ table }) => table !== 'piece')
}

/** `relname` of a partition whose number is a hole leads to its table. */
function nameIn(relname: string): string | undefined {
  return relname.replace(/_?hole_\d+$/, '') || undefined
}

/** With a schema go its tables, whatever they are called. */
function dropped(node: Tree): TableAccess[] {
  if (node['removeType'] === 'OBJECT_SCHEMA') return [{ table: undefined, mode: 'write' }]
  if (node['removeType'] !== 'OBJECT_TABLE') return []
  const names = [...JSON.stringify(node['objects']).matchAll(/"sval":"(\w+)"/g)]
  return names.map(([, name = '']) => ({ table: nameIn(name), mode: 'write' }))
}

function topNames(parsed: object): TableAccess[] {
  const { stmts = [] } = parsed as { stmts?: { stmt: { SelectStmt?: Tree } }[] }
  const targets = stmts.flatMap(({ stmt }) => (stmt.SelectStmt?.['targetList'] ?? []) as Tree[])
  return targets.flatMap((target) => {
    const value = (target['ResTarget'] as { val?: { ColumnRef?: { fields: Tree[] } } }).val
    const fields = value?.ColumnRef?.fields ?? []
    const names = fields.map((field) => (field['String'] as { sval?: string } | undefined)?.sval)
    const [first = '', ...others] = names
    const isInSchema = first.startsWith('hole_') || first === 'public'
    const table = isInSchema ? others.at(-1) : others.length === 0 ? first : undefined
    return table ? [{ table, mode: 'read' as const }] : []
  })
}
