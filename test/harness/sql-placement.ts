import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadModule, parseSync } from 'libpg-query'
import { readDistributedTables } from '../../src/platform/database/distribution.ts'

/**
 * Says whether a cluster can run a statement, and whether it asks one shard: by PostgreSQL's own parser and by where
 * the migrations put the tables. Static, so that a test on one server finds what a cluster would refuse.
 *
 * Not seen here: whether two parameters have the same value.
 */

export interface Placement {
  /** The distribution column; null for a reference table. */
  column: string | null
  /** Tables of one group lie together: rows with one value of the distribution column are on one node. */
  group: string
}

export interface ClusterSchema {
  placements: ReadonlyMap<string, Placement>
  /** The columns of every table. */
  columns: ReadonlyMap<string, ReadonlySet<string>>
  /** Functions of which no form is IMMUTABLE, and those of which some form is VOLATILE. */
  unstable: ReadonlySet<string>
  volatile: ReadonlySet<string>
}

export interface PlacementFinding {
  /** `fan-out`: a cluster runs it, on all shards. `refused`: it does not, or asks all shards for what lies in one. */
  kind: 'fan-out' | 'refused'
  message: string
}

/** Reads from the migrations where each table lies. */
export function readPlacements(): Map<string, Placement> {
  const placements = new Map<string, Placement>()
  const files = globSync(
    fileURLToPath(new URL('../../migrations/*.distribute.sql', import.meta.url)),
  )
  for (const file of files.sort()) {
    for (const { table, column, statement } of readDistributedTables(readFileSync(file, 'utf8'))) {
      const [, beside] = /colocate_with => '(\w+)'/.exec(statement) ?? []
      const group = beside === undefined || beside === 'none' ? table : beside
      placements.set(table, { column, group: placements.get(group)?.group ?? group })
    }
  }
  return placements
}

export async function loadParser(): Promise<void> {
  await loadModule()
}

type Tree = { readonly [field: string]: unknown }

/** Something to read from in one level of a statement. */
interface FromItem {
  id: number
  alias: string
  /** The table, if it is one of the schema. */
  table: string | undefined
  /** The columns that are known; undefined where any may be meant. */
  columns: ReadonlySet<string> | undefined
  isFunction: boolean
}

interface QueryLevel {
  sources: FromItem[]
  outer: QueryLevel | undefined
}

/** A distributed table as it stands in a statement. */
interface DistributedTableRef {
  table: string
  placement: Placement & { column: string }
  node: string
}

/** What is equal to one value, and to one of a list. */
const bound = 'bound'
const listed = 'listed'

class Analysis {
  readonly #schema: ClusterSchema
  readonly findings: PlacementFinding[] = []
  readonly keyed: DistributedTableRef[] = []
  readonly #locked: FromItem[] = []
  /** Columns and values that are equal, by a condition of one level. */
  readonly #equal = new DisjointSets()
  /** The same, and by conditions on rows of an outer level. */
  readonly #joined = new DisjointSets()
  #sources = 0

  constructor(schema: ClusterSchema) {
    this.#schema = schema
  }

  refuse(says: string): void {
    this.findings.push({ kind: 'refused', message: says })
  }

  statement(tree: Tree): void {
    const [[kind, body]] = Object.entries(tree) as [[string, Tree]]
    if (kind === 'SelectStmt') this.#select(body, undefined, new Map())
    else if (kind === 'InsertStmt') this.#insert(body)
    else if (kind === 'UpdateStmt' || kind === 'DeleteStmt') this.#change(kind, body)
    else return
    this.#judge()
  }

  // ---- levels

  #select(select: Tree, outer: QueryLevel | undefined, ctes: CteColumns): Map<string, string> {
    const named = this.#with(select, outer, ctes)
    if (isSetOperation(select)) {
      const left = this.#select(select['larg'] as Tree, outer, named)
      const right = [...this.#select(select['rarg'] as Tree, outer, named).values()]
      // Rows of both come out of the same columns; what binds one arm does not bind the other.
      for (const [index, node] of [...left.values()].entries()) {
        this.#joined.unite(node, right[index] ?? node)
      }
      return left
    }
    const level: QueryLevel = { sources: [], outer }
    for (const item of list(select['fromClause'])) this.#from(item, level, named)
    this.#conditions(select['whereClause'], level)
    if (select['lockingClause']) this.#locked.push(...level.sources)
    for (const part of ['targetList', 'whereClause', 'havingClause', 'sortClause', 'groupClause']) {
      this.#expression(select[part], level, named)
    }
    for (const part of [
      'limitCount',
      'limitOffset',
      'valuesLists',
      'distinctClause',
      'windowClause',
    ]) {
      this.#expression(select[part], level, named)
    }
    return this.#exports(select, level)
  }

  #with(statement: Tree, outer: QueryLevel | undefined, ctes: CteColumns): CteColumns {
    const clause = statement['withClause'] as Tree | undefined
    if (!clause) return ctes
    const named = new Map(ctes)
    for (const item of list(clause['ctes'])) {
      const { ctename, ctequery } = item['CommonTableExpr'] as { ctename: string; ctequery: Tree }
      const [[kind, body]] = Object.entries(ctequery) as [[string, Tree]]
      if (kind === 'SelectStmt') named.set(ctename, this.#select(body, outer, named))
      else {
        this.refuse(`changes rows in the common table expression ${ctename}`)
        named.set(ctename, new Map())
      }
    }
    return named
  }

  /** The columns that a query returns, with the node of each that is a column itself. */
  #exports(select: Tree, level: QueryLevel): Map<string, string> {
    const exportedNodes = new Map<string, string>()
    for (const item of list(select['targetList'])) {
      const { name, val } = item['ResTarget'] as { name?: string; val: Tree }
      const reference = val?.['ColumnRef'] as { fields: Tree[] } | undefined
      if (reference?.fields.at(-1)?.['A_Star']) {
        const alias = reference.fields.length > 1 ? stringOf(reference.fields[0]) : undefined
        for (const source of level.sources) {
          if (alias !== undefined && source.alias !== alias) continue
          for (const column of source.columns ?? [])
            exportedNodes.set(column, nodeOf(source, column))
        }
        continue
      }
      const node = this.#term(val, level)?.node
      const column = name ?? (reference && stringOf(reference.fields.at(-1)))
      if (column && node) exportedNodes.set(column, node)
    }
    return exportedNodes
  }

  #from(item: Tree, level: QueryLevel, ctes: CteColumns): void {
    const [[kind, body]] = Object.entries(item) as [[string, Tree]]
    if (kind === 'JoinExpr') {
      this.#from(body['larg'] as Tree, level, ctes)
      this.#from(body['rarg'] as Tree, level, ctes)
      this.#conditions(body['quals'], level)
      this.#expression(body['quals'], level, ctes)
      for (const column of list(body['usingClause']).map(stringOf)) {
        const both = level.sources.filter((source) => source.columns?.has(column))
        for (const other of both.slice(1))
          this.#equate(nodeOf(both[0] as FromItem, column), nodeOf(other, column))
      }
    } else if (kind === 'RangeVar') {
      this.#range(body, level, ctes)
    } else if (kind === 'RangeSubselect') {
      const select = (body['subquery'] as Tree)['SelectStmt'] as Tree
      if (
        list(select['targetList']).length === 0 &&
        !select['valuesLists'] &&
        !isSetOperation(select)
      ) {
        this.refuse('selects no column in a subquery of FROM')
      }
      // Without LATERAL it sees the rows of an outer statement only.
      const visible = body['lateral'] ? level : level.outer
      const columns = this.#select(select, visible, ctes)
      const source = this.#source(level, aliasOf(body), { columns: undefined })
      for (const [column, node] of columns) this.#equate(nodeOf(source, column), node)
    } else if (kind === 'RangeFunction') {
      this.#expression(body['functions'], level, ctes)
      const alias = body['alias'] as { colnames?: Tree[] } | undefined
      const defined = list(body['coldeflist']).map(
        (each) => (each['ColumnDef'] as { colname: string }).colname,
      )
      const columns = [...list(alias?.colnames).map(stringOf), ...defined]
      this.#source(level, aliasOf(body), {
        columns: new Set(columns.length > 0 ? columns : [aliasOf(body)]),
        isFunction: true,
      })
    }
  }

  #range(range: Tree, level: QueryLevel, ctes: CteColumns): FromItem {
    const table = range['relname'] as string
    const cte = range['schemaname'] ? undefined : ctes.get(table)
    const alias = aliasOf(range) || table
    if (cte) {
      const source = this.#source(level, alias, { columns: new Set(cte.keys()) })
      for (const [column, node] of cte) this.#equate(nodeOf(source, column), node)
      return source
    }
    const parent = table.replace(/_\d+$/, '')
    const baseTable = this.#schema.columns.has(table) ? table : parent
    const source = this.#source(level, alias, {
      table: baseTable,
      columns: this.#schema.columns.get(baseTable),
    })
    const placement = this.#schema.placements.get(baseTable)
    if (placement?.column) {
      const { column } = placement
      this.keyed.push({
        table: baseTable,
        placement: { ...placement, column },
        node: nodeOf(source, column),
      })
    }
    return source
  }

  #source(
    level: QueryLevel,
    alias: string,
    { table, columns, isFunction = false }: Partial<Omit<FromItem, 'id' | 'alias'>>,
  ): FromItem {
    const source = { id: ++this.#sources, alias, table, columns, isFunction }
    level.sources.push(source)
    return source
  }

  // ---- statements that change rows

  #insert(insert: Tree): void {
    const level: QueryLevel = { sources: [], outer: undefined }
    const ctes = this.#with(insert, undefined, new Map())
    const target = this.#range(insert['relation'] as Tree, level, ctes)
    const key = this.#keyOf(target)
    const columns = list(insert['cols']).map((each) => (each['ResTarget'] as { name: string }).name)
    const select = (insert['selectStmt'] as Tree | undefined)?.['SelectStmt'] as Tree | undefined
    const position = key === undefined ? -1 : columns.indexOf(key)
    if (key !== undefined && position < 0)
      this.refuse(`inserts into ${target.table} without ${key}`)
    if (select?.['valuesLists']) {
      const rows = list(select['valuesLists']).map((row) => list((row['List'] as Tree)['items']))
      if (key !== undefined && rows.every((row) => isValue(row[position]))) {
        this.#equate(nodeOf(target, key), bound)
      }
      for (const row of rows) this.#expression(row, level, ctes)
    } else if (select) {
      const targets = list(select['targetList'])
      const chosen = targets[position]?.['ResTarget'] as { val: Tree } | undefined
      const exported = [...this.#select(select, undefined, ctes)]
      if (key !== undefined && chosen) {
        if (isValue(chosen.val)) this.#equate(nodeOf(target, key), bound)
        const reference = chosen.val['ColumnRef'] as { fields: Tree[] } | undefined
        const name = reference && stringOf(reference.fields.at(-1))
        const node = exported.find(([column]) => column === name)?.[1]
        if (node) this.#equate(nodeOf(target, key), node)
      }
    }
    const conflict = (insert['onConflictClause'] as Tree | undefined) ?? {}
    this.#source(level, 'excluded', { columns: target.columns })
    this.#assigned(list(conflict['targetList']), target, level, ctes)
    this.#expression(conflict['whereClause'], level, ctes)
    this.#expression(insert['returningList'], level, ctes)
  }

  #change(kind: 'UpdateStmt' | 'DeleteStmt', change: Tree): void {
    const level: QueryLevel = { sources: [], outer: undefined }
    const ctes = this.#with(change, undefined, new Map())
    const target = this.#range(change['relation'] as Tree, level, ctes)
    const from = kind === 'UpdateStmt' ? 'fromClause' : 'usingClause'
    for (const item of list(change[from])) this.#from(item, level, ctes)
    this.#conditions(change['whereClause'], level)
    this.#expression(change['whereClause'], level, ctes)
    if (kind === 'UpdateStmt') this.#assigned(list(change['targetList']), target, level, ctes)
    this.#expression(change['returningList'], level, ctes)
    if (this.keyed.length === 0) return
    for (const name of functionsIn(change)) {
      if (this.#schema.volatile.has(name)) this.refuse(`calls ${name}(), which is VOLATILE`)
    }
  }

  #assigned(targets: readonly Tree[], target: FromItem, level: QueryLevel, ctes: CteColumns): void {
    const key = this.#keyOf(target)
    for (const item of targets) {
      const { name, val } = item['ResTarget'] as { name: string; val: Tree }
      if (name === key && !isExcluded(val, key))
        this.refuse(`sets ${name}, by which ${target.table} is distributed`)
      this.#expression(val, level, ctes)
    }
    if (key === undefined) return
    for (const part of nodesIn(targets, ['CaseExpr', 'CoalesceExpr'])) {
      for (const says of unstableIn(part, this.#schema)) {
        this.refuse(`${says} in CASE or COALESCE of an UPDATE, where all must be IMMUTABLE`)
      }
    }
  }

  #keyOf({ table }: FromItem): string | undefined {
    return this.#schema.placements.get(table ?? '')?.column ?? undefined
  }

  // ---- expressions

  /** Looks into the subqueries of an expression. */
  #expression(tree: unknown, level: QueryLevel, ctes: CteColumns): void {
    if (Array.isArray(tree)) {
      for (const child of tree) this.#expression(child, level, ctes)
      return
    }
    if (tree === null || typeof tree !== 'object') return
    const link = (tree as Tree)['SubLink'] as Tree | undefined
    if (link) {
      this.#expression(link['testexpr'], level, ctes)
      const select = (link['subselect'] as Tree)['SelectStmt'] as Tree
      this.#checkFunctions(select, level)
      // Of nothing outside: a cluster plans it by itself.
      if (level.sources.length === 0 && !level.outer) this.#apart(select, ctes)
      else this.#select(select, level, ctes)
      return
    }
    for (const child of Object.values(tree)) this.#expression(child, level, ctes)
  }

  #apart(select: Tree, ctes: CteColumns): void {
    const analysis = new Analysis(this.#schema)
    analysis.#select(select, undefined, ctes)
    analysis.#judge()
    this.findings.push(...analysis.findings)
  }

  /** A cluster takes no subquery that reads from functions only and asks about a row of a distributed table. */
  #checkFunctions(select: Tree, outer: QueryLevel): void {
    const from = list(select['fromClause'])
    if (from.length === 0 || !from.every((item) => 'RangeFunction' in item)) return
    const inner: QueryLevel = { sources: [], outer: undefined }
    const probe = new Analysis(this.#schema)
    for (const item of from) probe.#from(item, inner, new Map())
    const isOuter = (fields: readonly Tree[]) => {
      const names = fields.map(stringOf)
      const [first = ''] = names
      const isOwn =
        names.length > 1
          ? inner.sources.some(({ alias }) => alias === first)
          : inner.sources.some(({ columns, alias }) => alias === first || columns?.has(first))
      if (isOwn) return false
      const source = findFromItem(outer, names)
      return source !== undefined && this.#keyOf(source) !== undefined
    }
    const references = nodesIn([select], ['ColumnRef']) as { fields: Tree[] }[]
    if (references.some(({ fields }) => isOuter(fields))) {
      this.refuse('has a subquery over a set-returning function that is correlated with a row')
    }
  }

  /** Notes which columns the conditions that always hold make equal to a value or to each other. */
  #conditions(tree: unknown, level: QueryLevel): void {
    const condition = (tree ?? {}) as Tree
    const all = condition['BoolExpr'] as { boolop: string; args: Tree[] } | undefined
    if (all) {
      if (all.boolop === 'AND_EXPR') for (const arg of all.args) this.#conditions(arg, level)
      return
    }
    const compared = condition['A_Expr'] as Tree | undefined
    if (!compared || stringOf(list(compared['name'])[0]) !== '=') return
    const kind = compared['kind']
    if (kind === 'AEXPR_IN') this.#membership(compared, level)
    if (kind !== 'AEXPR_OP' && kind !== 'AEXPR_OP_ANY') return
    const left = this.#term(compared['lexpr'] as Tree, level)
    const right =
      kind === 'AEXPR_OP_ANY' && isValue(compared['rexpr'] as Tree)
        ? { node: listed, depth: 0 }
        : this.#term(compared['rexpr'] as Tree, level)
    if (!left || !right) return
    this.#joined.unite(left.node, right.node)
    if (left.depth === 0 && right.depth === 0) this.#equate(left.node, right.node)
  }

  /** `column in (values)` and `(column, …) in (rows of values)`. */
  #membership({ lexpr, rexpr }: Tree, level: QueryLevel): void {
    const row = (lexpr as Tree)['RowExpr'] as Tree | undefined
    const columns = row ? list(row['args']) : [lexpr as Tree]
    const items = list(((rexpr as Tree)['List'] as Tree | undefined)?.['items'])
    const rows = items.map((item) => {
      const values = row && (item['RowExpr'] as Tree | undefined)
      return values ? list(values['args']) : columns.map(() => item)
    })
    for (const [index, column] of columns.entries()) {
      const term = this.#term(column, level)
      if (!term || !rows.every((values) => isValue(values[index]))) continue
      if (term.depth === 0) this.#equate(term.node, listed)
      else this.#joined.unite(term.node, listed)
    }
  }

  #equate(one: string, other: string): void {
    this.#equal.unite(one, other)
    this.#joined.unite(one, other)
  }

  /** A value, or a column and how many levels further out its row is. */
  #term(tree: Tree | undefined, level: QueryLevel): { node: string; depth: number } | undefined {
    if (!tree) return undefined
    if (isValue(tree)) return { node: bound, depth: 0 }
    const reference = tree['ColumnRef'] as { fields: Tree[] } | undefined
    if (!reference || reference.fields.some((field) => 'A_Star' in field)) return undefined
    const names = reference.fields.map(stringOf)
    let depth = 0
    for (let at: QueryLevel | undefined = level; at; at = at.outer, depth++) {
      const source = findFromItemIn(at, names)
      if (source) return { node: nodeOf(source, names.at(-1) as string), depth }
    }
    return undefined
  }

  // ---- the verdict

  #judge(): void {
    const { keyed } = this
    if (keyed.length === 0) return
    const groups = new Map(keyed.map(({ table, placement }) => [placement.group, table]))
    if (groups.size > 1) {
      this.refuse(
        `reads or writes tables that do not lie together: ${[...groups.values()].join(', ')}`,
      )
      return
    }
    const isLocked = this.#locked.find((source) => {
      const key = this.#keyOf(source)
      return key !== undefined && !this.#equal.areEqual(nodeOf(source, key), bound)
    })
    if (isLocked) this.refuse(`locks rows of ${isLocked.table} in several shards`)
    const open = keyed.filter(
      ({ node }) => !this.#equal.areEqual(node, bound) && !this.#equal.areEqual(node, listed),
    )
    if (open.length === 0) return
    const outside = open.filter(
      ({ node }) => this.#joined.areEqual(node, bound) || this.#joined.areEqual(node, listed),
    )
    for (const { table, placement, node } of outside) {
      // For a list, the number of statements is a matter of a batch: it may be worth it.
      const kind = this.#joined.areEqual(node, bound) ? 'refused' : 'fan-out'
      const says = `finds ${table} by way of a row outside: put the parameter of ${placement.column} into the subquery`
      this.findings.push({ kind, message: says })
    }
    if (outside.length > 0) return
    const [first] = keyed
    if (
      !keyed.every(({ node }) => this.#joined.areEqual(node, (first as DistributedTableRef).node))
    ) {
      const tables = keyed.map(({ table }) => table).join(', ')
      this.refuse(`does not join by the distribution column: ${tables}`)
      return
    }
    this.findings.push({
      kind: 'fan-out',
      message: `asks all shards of ${[...new Set(keyed.map(({ table }) => table))].join(', ')}`,
    })
  }
}

type CteColumns = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Sets of nodes that are equal. */
class DisjointSets {
  readonly #parents = new Map<string, string>()

  unite(one: string, other: string): void {
    this.#parents.set(this.#root(one), this.#root(other))
  }

  areEqual(one: string, other: string): boolean {
    return this.#root(one) === this.#root(other)
  }

  #root(node: string): string {
    let at = node
    for (let up = this.#parents.get(at); up !== undefined && up !== at; up = this.#parents.get(at))
      at = up
    return at
  }
}

function nodeOf({ id }: FromItem, column: string): string {
  return `${id}.${column}`
}

function findFromItem(
  level: QueryLevel | undefined,
  names: readonly string[],
): FromItem | undefined {
  return level && (findFromItemIn(level, names) ?? findFromItem(level.outer, names))
}

function findFromItemIn({ sources }: QueryLevel, names: readonly string[]): FromItem | undefined {
  const [first = ''] = names
  if (names.length > 1) return sources.find(({ alias }) => alias === first)
  // A subquery whose columns are not known may have any.
  return (
    sources.find(({ columns }) => columns?.has(first)) ??
    sources.find(({ columns }) => columns === undefined)
  )
}

/** A parameter, or a constant; also one that is cast, and the list of an ANY. */
function isValue(tree: Tree | undefined): boolean {
  if (!tree) return false
  if ('ParamRef' in tree || 'A_Const' in tree) return true
  const cast = tree['TypeCast'] as { arg: Tree } | undefined
  return cast !== undefined && isValue(cast.arg)
}

/** What an insert was to write anyway: the row that is there has the same. */
function isExcluded(tree: Tree, column: string): boolean {
  const reference = tree['ColumnRef'] as { fields: Tree[] } | undefined
  return reference?.fields.map(stringOf).join('.') === `excluded.${column}`
}

function isSetOperation({ op }: Tree): boolean {
  return op !== undefined && op !== 'SETOP_NONE'
}

function list(value: unknown): Tree[] {
  return (value as Tree[] | undefined) ?? []
}

function stringOf(tree: Tree | undefined): string {
  return String((tree?.['String'] as { sval?: string } | undefined)?.sval ?? '')
}

function aliasOf(tree: Tree): string {
  return (tree['alias'] as { aliasname?: string } | undefined)?.aliasname ?? ''
}

function nodesIn(tree: unknown, kinds: readonly string[]): Tree[] {
  if (tree === null || typeof tree !== 'object') return []
  if (Array.isArray(tree)) return tree.flatMap((each) => nodesIn(each, kinds))
  return Object.entries(tree).flatMap(([kind, value]) =>
    kinds.includes(kind) ? [value as Tree, ...nodesIn(value, kinds)] : nodesIn(value, kinds),
  )
}

function functionsIn(tree: unknown): string[] {
  return nodesIn(tree, ['FuncCall']).map((call) => stringOf(list(call['funcname']).at(-1)))
}

const timeTypes = new Set(['timestamptz', 'timestamp', 'date', 'time', 'timetz'])

/** What in an expression is not IMMUTABLE. */
function unstableIn(tree: Tree, { unstable }: ClusterSchema): string[] {
  const reasons = new Set(
    functionsIn(tree).flatMap((name) => (unstable.has(name) ? [`calls ${name}()`] : [])),
  )
  for (const { typeName, arg } of nodesIn(tree, ['TypeCast']) as { typeName: Tree; arg: Tree }[]) {
    const type = stringOf(list(typeName['names']).at(-1))
    // A parameter is read as its type by the server that it comes to first.
    if (type === 'interval') reasons.add('adds an interval to a time')
    if (timeTypes.has(type) && !isValue(arg)) reasons.add(`casts to ${type}`)
  }
  if (nodesIn(tree, ['SQLValueFunction']).length > 0) reasons.add('asks for the time')
  return [...reasons]
}

/** Returns what a cluster would make of the statement; nothing where it is one that asks one shard. */
export function placementFindings(text: string, schema: ClusterSchema): PlacementFinding[] {
  const { stmts = [] } = parseSync(text) as { stmts?: { stmt: Tree }[] }
  return stmts.flatMap(({ stmt }) => {
    const analysis = new Analysis(schema)
    analysis.statement(stmt)
    return analysis.findings
  })
}
