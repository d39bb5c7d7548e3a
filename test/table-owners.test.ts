// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code stands here as text
import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { openTestDatabase, type TestDatabase } from './harness/database.ts'
import { readStatements, type SqlStatement } from './harness/sql-statements.ts'
import {
  type AccessMode,
  beginsAsStatement,
  loadTableParser,
  type TableAccess,
  tableAccessesIn,
} from './harness/sql-tables.ts'
import {
  isReadModel,
  isStore,
  readSource,
  type SqlText,
  sourceFiles,
  sqlOf,
} from './harness/sql-templates.ts'

/**
 * Every table has one module that writes it (docs/decisions/0032-one-owner-per-table.md). Modules are the folders of
 * `src`. Only a read model reads tables of several modules: a file named `read-model.ts`, or `<subject>-read-model.ts`.
 * It writes and locks none, not even of its own module. Every other file uses tables of its own module only.
 *
 * The statements are found in the sources, so one that no test runs is found as well. Each template is read where it
 * stands. Each statement is also read as it is sent, with the pieces that other files give to it.
 */

/** The tables that each module writes. Partitions go with their tables. */
const tablesByModule: Readonly<Record<string, readonly string[]>> = {
  platform: ['id_blocks', 'row_walks', 'schema_steps', 'write_probe'],
  http: ['idempotency_keys'],
  audit: ['audit_log', 'audit_personal_values', 'audit_results'],
  identity: [
    'application_networks',
    'applications',
    'authorization_codes',
    'authorizations',
    'devices',
    'passwords',
    'refresh_tokens',
    'sessions',
    'sign_in_attempts',
    'test_users',
    'tokens',
    'users',
  ],
  operators: [
    'operator_access',
    'operator_accounts',
    'operator_keys',
    'operator_openid_flows',
    'operator_recovery_codes',
    'operator_roles',
    'operator_sessions',
  ],
  changes: ['changes', 'fan_out_mark', 'taken_changes', 'waiting_changes'],
  catalog: [
    'catalogue_in_force',
    'catalogues',
    'category_numbers',
    'currency_rates',
    'lesson_head',
    'lesson_snapshots',
    'lessons',
  ],
  listings: [
    'item_owner',
    'lesson_notes',
    'listing_descriptions',
    'listing_folds',
    'listing_index',
    'listing_stock',
    'listing_synonym_versions',
    'listing_synonyms',
    'listing_tiers',
    'listing_values',
    'listing_walk',
    'listing_word_notes',
    'listing_words',
    'listings',
    'picture_errors',
    'picture_owner',
    'quotation_owner',
    'quotations',
    'taught_days',
    'taught_listings',
  ],
  questions: ['asked_questions', 'question_owner', 'questions'],
  shipments: ['shipment_owner', 'shipments'],
  claims: ['claim_owner', 'claims'],
  orders: [
    'invoices',
    'order_baskets',
    'order_count_changes',
    'order_counts',
    'order_items',
    'order_kinds',
    'order_notes',
    'order_owner',
    'order_recounts',
    'orders',
    'orders_by_buyer',
    'pack_owner',
    'payment_owner',
    'payments',
  ],
  feedback: ['feedback', 'feedback_owner'],
  messages: [
    'attachments',
    'conversations',
    'message_owner',
    'message_prints',
    'messages',
    'moderation_rules',
    'moderation_terms',
    'moderation_version',
    'unread_messages',
  ],
  notifications: [
    'attempts',
    'holders',
    'lane_notes',
    'lanes',
    'listeners',
    'notifications',
    'passed_over',
    'replays',
    'signing_secrets',
    'unaccepted',
  ],
  'personal-data': ['user_erasures'],
  jobs: ['job_files', 'jobs'],
  sandbox: [
    'sandbox_answer_faults',
    'sandbox_clock',
    'sandbox_faults',
    'sandbox_receiver_faults',
    'sandbox_simulations',
    'sandbox_snapshots',
    'sandbox_stories',
    'sandbox_world',
  ],
}

/** Files whose statements are made for any table, with the modules that may import them if not all may. */
const byName: readonly { file: string; importedBy?: readonly string[]; reason: string }[] = [
  {
    file: 'src/platform/database/copy.ts',
    importedBy: ['platform'],
    reason: 'rows that are copied in: `BulkTx.copy` names the table',
  },
  { file: 'src/platform/database/records.ts', reason: '`copyRecords` names the table' },
  { file: 'src/platform/database/owners.ts', reason: '`new OwnerTable` names the table' },
  {
    file: 'src/platform/database/partitions.ts',
    reason: 'parts of a table by day: `ensureDayPartitions` and the like name the table',
  },
  {
    file: 'src/platform/database/table-copies.ts',
    importedBy: ['sandbox'],
    reason: 'copies of all tables at once, for snapshots of a sandbox',
  },
  {
    file: 'src/platform/database/distribution.ts',
    importedBy: ['platform'],
    reason: 'foreign keys of any table are dropped and added again around its distribution',
  },
]

/** What writes a table that it is given by its name. */
const writers = new Set([
  '.copy',
  'copyRecords',
  'OwnerTable',
  'ensureDayPartitions',
  'createDayPartitions',
  'dropPartitionsBefore',
])

/** Where SQL stands (test/architecture.test.ts): a piece of it, too, which must be understood. */
function holdsPieces(file: string): boolean {
  return file.startsWith('src/platform/database/') || isStore(file) || isReadModel(file)
}
const moduleOf = (file: string) => file.split('/')[1] ?? ''

/** Most sources hold no SQL; to parse them all takes seconds. */
function mayHold(file: string, code: string): boolean {
  const calls = [...writers].some((writer) => code.includes(`${writer}(`))
  const literals = [...code.matchAll(/['"`]([\s(]*\w+)/g)].map(([, beginning = '']) => beginning)
  return (
    holdsPieces(file) ||
    calls ||
    code.includes('sql`') ||
    literals.some((beginning) => beginsAsStatement({ parts: [beginning] }))
  )
}

const ownerOf = new Map(
  Object.entries(tablesByModule).flatMap(([module, tables]) =>
    tables.map((table) => [table, module]),
  ),
)
let database: TestDatabase
const schema = new Set<string>()
/** Tables by their partitions. */
const partitions = new Map<string, string>()
const sources = new Map(sourceFiles().map((file) => [file, readSource(file)]))
/** What the program does. */
let program: TableAccesses

before(async () => {
  await loadTableParser()
  database = await openTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query<{ name: string; parent: string | null }>(`
    select c.relname as name, p.relname as parent
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and not exists (select 1 from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`)
  await client.end()
  for (const { name, parent } of rows) {
    if (parent === null) schema.add(name)
    else partitions.set(name, parent)
  }
  program = new TableAccesses()
  for (const [file, code] of sources) if (mayHold(file, code)) program.add(file, code)
  const { statements } = readStatements('tsconfig.build.json')
  assert.ok(statements.length > 500, `only ${statements.length} statements are found`)
  for (const statement of statements) program.addStatement(statement)
})
after(() => database.drop())

interface LocatedAccess extends TableAccess {
  table: string
  file: string
  line: number
}

/** What sources do with tables. */
class TableAccesses {
  readonly uses: LocatedAccess[] = []
  /** Files with statements that are made for any table. */
  readonly byName = new Set<string>()
  /** What looks like SQL and is not understood. */
  readonly unclear: string[] = []

  add(file: string, code: string): this {
    const { texts, tables } = sqlOf(file, code, writers)
    for (const text of texts) this.#addText(text)
    for (const { line, table } of tables) {
      if (table === undefined) this.byName.add(file)
      else this.#addUse({ file, line, table, mode: 'write' })
    }
    return this
  }

  /** Adds a statement as a file sends it, put together from pieces of any files. */
  addStatement({ file, line, texts }: Pick<SqlStatement, 'file' | 'line' | 'texts'>): this {
    for (const text of texts) {
      const whole = {
        file,
        line,
        kind: 'literal',
        parts: [text],
        holes: [],
        start: 0,
        end: 0,
      } as const
      this.#addText(whole)
    }
    return this
  }

  #addText(text: SqlText): void {
    const { file, line, kind, parts } = text
    const isPiece = holdsPieces(file) && /\b(from|join|into|table)\b/i.test(parts.join(' '))
    if (kind !== 'template' && !beginsAsStatement(text) && !isPiece) return
    const uses = tableAccessesIn(text)
    for (const { table, mode } of uses ?? []) {
      if (table === undefined) this.byName.add(file)
      else this.#addUse({ file, line, table, mode })
    }
    // Elsewhere it is a sentence, or the method of a request.
    if (!uses && holdsPieces(file) && namesTable(text)) {
      this.unclear.push(`${file}:${line}: ${parts.join('${…}').trim()}`)
    }
  }

  #addUse({ table, ...access }: LocatedAccess): void {
    if (isTable(table)) this.uses.push({ ...access, table: partitions.get(table) ?? table })
  }

  foreignWrites(): string[] {
    return this.#foreign('write').map(
      ({ file, line, table }) =>
        `${file}:${line} writes ${table}, which is of ${ownerOf.get(table)}`,
    )
  }

  /** Reads of tables of other modules in files that are no read models. */
  foreignReadsInStores(): string[] {
    return this.#foreign('read')
      .filter(({ file }) => !isReadModel(file))
      .map(
        ({ file, line, table }) =>
          `${file}:${line} reads ${table}, which is of ${ownerOf.get(table)}`,
      )
  }

  /** Writes and locks in read models, of any table. */
  writesInReadModels(): string[] {
    return [
      ...this.uses
        .filter(({ file, mode }) => isReadModel(file) && mode === 'write')
        .map(({ file, line, table }) => `${file}:${line} writes or locks ${table}`),
      ...[...this.byName].filter(isReadModel).map((file) => `${file} may write any table`),
    ]
  }

  /** Which of these files are read models that read no table of another module. */
  needlessReadModels(files: Iterable<string>): string[] {
    const readingFiles = new Set(this.#foreign('read').map(({ file }) => file))
    return [...files].filter((file) => isReadModel(file) && !readingFiles.has(file))
  }

  #foreign(use: AccessMode): LocatedAccess[] {
    return this.uses.filter(
      (each) => each.mode === use && ownerOf.get(each.table) !== moduleOf(each.file),
    )
  }
}

function tablesWithout(named: { has(table: string): boolean }): string[] {
  return [...schema].filter((table) => !named.has(table))
}

function isTable(name: string): boolean {
  return schema.has(name) || partitions.has(name)
}

/** Whether a text may be about a table, also about one that stands in a hole. */
function namesTable({ parts, holes }: SqlText): boolean {
  return holes.length > 0 || parts.join(' ').split(/\W+/).some(isTable)
}

/** Fails with every breach at once and what to do about it. */
function assertNoBreaches(breaches: Iterable<string>, remedy: string): void {
  const all = [...new Set(breaches)].sort()
  assert.deepEqual(all, [], `${remedy}\n  ${all.join('\n  ')}\n`)
}

test('every table of the schema has one owner', () => {
  const all = Object.values(tablesByModule).flat()
  assertNoBreaches(
    all.filter((table, index) => all.indexOf(table) !== index),
    'A table has one owner: name it once in `tablesByModule`.',
  )
  assertNoBreaches(
    tablesWithout(ownerOf),
    'Name the module that writes these tables in `tablesByModule`.',
  )
  assertNoBreaches(
    [...ownerOf.keys()].filter((table) => !schema.has(table)),
    'These tables are gone: take them out of `tablesByModule`.',
  )
})

test('every statement in the sources is understood', () => {
  assertNoBreaches(program.unclear, 'Write it so that test/harness/sql-tables.ts can parse it.')
  const written = new Set(
    program.uses.filter(({ mode }) => mode === 'write').map((use) => use.table),
  )
  assertNoBreaches(
    tablesWithout(written),
    'Nothing writes these tables, or what does is not found.',
  )
  const names = ['sql', ...writers].map((name) => name.replace('.', '')).join('|')
  assertNoBreaches(
    [...sources].flatMap(([file, code]) =>
      new RegExp(`import \\{[^}]*\\b(${names}) as\\b`).test(code) ? [file] : [],
    ),
    'Import it by its own name: what writes tables is found by that.',
  )
})

test('a module writes and locks its own tables only', () => {
  assertNoBreaches(
    program.foreignWrites(),
    'Give the module that owns the table a function that writes it, and call that.',
  )
})

test('a module reads its own tables only, except in a read model', () => {
  assertNoBreaches(
    program.foreignReadsInStores(),
    'Call the module that owns the table, or move the statement to a read model.',
  )
})

test('a read model writes and locks nothing', () => {
  assertNoBreaches(
    program.writesInReadModels(),
    'Move the statement to a store of the module that owns the table.',
  )
})

test('every read model reads tables of another module', () => {
  assertNoBreaches(
    program.needlessReadModels(sources.keys()),
    'It reads tables of its own module only: name it `store`.',
  )
})

test('statements for any table stand in few files, for those who may use them', () => {
  const listed = new Set(byName.map(({ file }) => file))
  assertNoBreaches(
    [...program.byName].filter((file) => !listed.has(file)),
    'Name the table in the statement: who owns what is written cannot be told otherwise.',
  )
  assertNoBreaches(
    [...listed].filter((file) => !program.byName.has(file)),
    'These name their tables: take them out of `byName`.',
  )
  assertNoBreaches(
    byName.flatMap(({ file, importedBy }) =>
      [...sources]
        .filter(([from, code]) => {
          const imports = new RegExp(`from '[^']*/${basename(file)}'`).test(code)
          return imports && importedBy && !importedBy.includes(moduleOf(from))
        })
        .map(([from]) => `${from} imports ${file}`),
    ),
    'It writes tables of every module: `byName` says who may use it.',
  )
})

/** What code of the module `claims` does, as `read <table>` or `write <table>`. */
function accessesOf(code: string): string[] {
  const { uses } = new TableAccesses().add('src/claims/store.ts', code)
  return [...new Set(uses.map(({ mode, table }) => `${mode} ${table}`))].sort()
}

const statements: readonly [code: string, uses: readonly string[]][] = [
  ['sql`insert into users (id) values (${1})`', ['write users']],
  ['sql`insert into claims (id) select id from orders`', ['read orders', 'write claims']],
  ['sql`insert into claims values ${joined(rows, ",")} on conflict do nothing`', ['write claims']],
  ['sql`update users set id = o.id from orders o`', ['read orders', 'write users']],
  ['sql`delete from users u using orders o where o.id = u.id`', ['read orders', 'write users']],
  [
    'sql`merge into users u using orders o on o.id = u.id when matched then delete`',
    ['read orders', 'write users'],
  ],
  [
    'sql`with gone as (delete from users returning id) select * from gone join orders using (id)`',
    ['read orders', 'write users'],
  ],
  ['sql`truncate users, orders`', ['write orders', 'write users']],
  ['sql`lock table users in share mode`', ['write users']],
  ['sql`select 1 from users where id = ${1} for update`', ['write users']],
  ['sql`select * into users from orders`', ['read orders', 'write users']],
  ['sql`drop table users`', ['write users']],
  ['sql`alter table users add column x int`', ['write users']],
  ['sql`truncate changes_0`', ['write changes']],
  [
    'run(`truncate changes_${slot}, taken_changes_${slot}`)',
    ['write changes', 'write taken_changes'],
  ],
  ['client.query("delete from users where id = $1")', ['write users']],
  ['run("copy users (id) from stdin")', ['write users']],
  ['tx.copy({ table: "users", columns }, rows)', ['write users']],
  ['copyRecords(tx, "users", rows)', ['write users']],
  ['new OwnerTable({ table: "order_owner", id: "order_id" })', ['write order_owner']],
  ['ensureDayPartitions(db, "attempts", now)', ['write attempts']],
  [
    'sql`select (select max(id) from users), exists (select from orders)`',
    ['read orders', 'read users'],
  ],
  [
    'sql`select ${columns} from public.users u, orders o where ${x} = 1`',
    ['read orders', 'read users'],
  ],
  // Pieces of statements.
  ['sql`left join users u on u.id = ${id}`', ['read users']],
  ['sql`from users where ${a} and ${b} ${c ? sql`` : d}`', ['read users']],
  ['sql`and id in (select id from users)`', ['read users']],
  ['sql`users`', ['read users']],
  ['sql`users u, orders o`', ['read orders', 'read users']],
  ['run(`exists (select from users where ${condition})`)', ['read users']],
  // Columns, aliases and values with the name of a table.
  [
    'sql`select a.orders, tokens from claims a where tokens = ${"users"} or b = \'users\'`',
    ['read claims'],
  ],
  ['sql`select count(*) as orders from claims as users`', ['read claims']],
  ['sql`n.messages desc nulls last`', []],
  ['log.info("delete the users and orders of today")', []],
]
for (const [code, uses] of statements) {
  test(`${code} is found as: ${uses.join(', ') || 'nothing'}`, () => {
    assert.deepEqual(accessesOf(code), uses)
  })
}

test('a breach is told with the place, the table and its owner', () => {
  const accesses = new TableAccesses().add(
    'src/claims/store.ts',
    [
      'sql`update orders set kind = 1`',
      'sql`select nickname from users`',
      'run(`truncate ${name}`)',
    ].join('\n'),
  )
  assert.deepEqual(accesses.foreignWrites(), [
    'src/claims/store.ts:1 writes orders, which is of orders',
  ])
  assert.deepEqual(accesses.foreignReadsInStores(), [
    'src/claims/store.ts:2 reads users, which is of identity',
  ])
  assert.deepEqual([...accesses.byName], ['src/claims/store.ts'])
})

/** What is wrong with a file of the module `claims`. */
function breachesOf(name: string, code: string): string[] {
  const file = `src/claims/${name}`
  const accesses = new TableAccesses().add(file, code)
  return [
    ...accesses.foreignWrites(),
    ...accesses.foreignReadsInStores(),
    ...accesses.writesInReadModels(),
    ...accesses.needlessReadModels([file]),
  ]
}

const readsUsers = 'reads users, which is of identity'
const isNeedless = 'src/claims/read-model.ts'
const files: readonly [name: string, code: string, breaches: readonly string[]][] = [
  // What is right.
  ['store.ts', 'sql`select id from claims for update`', []],
  ['read-model.ts', 'sql`select nickname from users`', []],
  ['search-read-model.ts', 'sql`select 1 from claims c join users u on u.id = ${id}`', []],
  ['search/read-model.ts', 'sql`and id in (select id from users)`', []],
  // Reads across modules in a file with another name.
  ['store.ts', 'sql`select nickname from users`', [`src/claims/store.ts:1 ${readsUsers}`]],
  [
    'store-search.ts',
    'sql`insert into claims (id) select id from users`',
    [`src/claims/store-search.ts:1 ${readsUsers}`],
  ],
  [
    'store-read-model.test-data.ts',
    'sql`select id from users`',
    [`src/claims/store-read-model.test-data.ts:1 ${readsUsers}`],
  ],
  ['read-models.ts', 'sql`select id from users`', [`src/claims/read-models.ts:1 ${readsUsers}`]],
  ['unread-model.ts', 'sql`select id from users`', [`src/claims/unread-model.ts:1 ${readsUsers}`]],
  // Writes and locks in a read model.
  [
    'read-model.ts',
    'sql`update claims set status = u.status from users u`',
    ['src/claims/read-model.ts:1 writes or locks claims'],
  ],
  [
    'read-model.ts',
    'sql`with gone as (delete from claims returning id) select 1 from gone, users`',
    ['src/claims/read-model.ts:1 writes or locks claims'],
  ],
  [
    'read-model.ts',
    'sql`select nickname from users where id in (select id from claims for share)`',
    ['src/claims/read-model.ts:1 writes or locks claims'],
  ],
  [
    'search-read-model.ts',
    'sql`select id from users`\nsql`lock table claims in share mode`',
    ['src/claims/search-read-model.ts:2 writes or locks claims'],
  ],
  [
    'search-read-model.ts',
    'sql`select id from users`\ncopyRecords(tx, "claims", rows)',
    ['src/claims/search-read-model.ts:2 writes or locks claims'],
  ],
  [
    'search-read-model.ts',
    'sql`select id from users`\nrun(`truncate ${name}`)',
    ['src/claims/search-read-model.ts may write any table'],
  ],
  // Read models that are none.
  ['read-model.ts', 'sql`select id from claims`', [isNeedless]],
  ['read-model.ts', 'sql`select ${columns} from ${tables}`', [isNeedless]],
  ['read-model.ts', 'export const limit = 10', [isNeedless]],
]
for (const [name, code, breaches] of files) {
  test(`${name} with ${code.replace('\n', '; ')} is ${breaches.length === 0 ? 'right' : 'a breach'}`, () => {
    assert.deepEqual(breachesOf(name, code), breaches)
  })
}

test('a statement counts as a whole for the file that sends it, wherever its pieces stand', () => {
  const text = 'select count(*) from claims where buyer_id in (select id from users)'
  const sent = (file: string) => new TableAccesses().addStatement({ file, line: 1, texts: [text] })
  const [store, readModel] = ['src/claims/store.ts', 'src/claims/read-model.ts']
  assert.deepEqual(sent(store).foreignReadsInStores(), [`${store}:1 ${readsUsers}`])
  assert.deepEqual(sent(readModel).foreignReadsInStores(), [])
  assert.deepEqual(sent(readModel).needlessReadModels([readModel]), [])
})
