import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as consoleLists from '../console/src/api/lists.ts'
import { claimStages, claimStatuses } from '../src/claims/claim.ts'
import * as conform from '../src/conform/checks/bodies.ts'
import { feedbackRoles } from '../src/feedback/feedback.ts'
import { clientScopes, grantScopes, tokenScopes } from '../src/http/scopes.ts'
import { revokers } from '../src/identity/store.ts'
import { userStatuses } from '../src/identity/user.ts'
import { exportedNames } from '../src/jobs/export-source.ts'
import { jobStates, openJobStates } from '../src/jobs/job.ts'
import { guideOptions } from '../src/kernel/guide-options.ts'
import { itemConditions } from '../src/kernel/item-conditions.ts'
import { shippingModes } from '../src/kernel/shipping-modes.ts'
import { siteIds } from '../src/kernel/sites.ts'
import { topics } from '../src/kernel/topics.ts'
import { verticals } from '../src/kernel/verticals.ts'
import { categoryAssigners } from '../src/listings/learning/store.ts'
import { listingStatuses } from '../src/listings/listing.ts'
import { quotationStatuses } from '../src/listings/quotations/quotation.ts'
import { synonymActions } from '../src/listings/search/synonyms/change.ts'
import { attachmentStates } from '../src/messages/attachments/attachment.ts'
import { conversationBlocks } from '../src/messages/conversation.ts'
import { messageStatuses, moderationStatuses } from '../src/messages/message.ts'
import { moderationReasons, termReasons } from '../src/moderation/reason.ts'
import { termKinds } from '../src/moderation/terms.ts'
import { attemptOutcomes } from '../src/notifications/attempt.ts'
import { resumeModes } from '../src/notifications/queues/commands.ts'
import { noteKinds, queueStates } from '../src/notifications/queues/store.ts'
import { openReplayStates, replayStates } from '../src/notifications/replay/replay.ts'
import { accountStatuses } from '../src/operators/account.ts'
import { flowPurposes } from '../src/operators/openid/flow.ts'
import { ratings } from '../src/orders/order.ts'
import { creditedStatuses, paymentStatuses, underWayStatuses } from '../src/orders/payment.ts'
import { countDimension } from '../src/orders/search/counts/dimension.ts'
import { filterIds } from '../src/orders/search/filters.ts'
import { dateFilterNames } from '../src/orders/search/filters-view.ts'
import { orderSorts } from '../src/orders/search/sorts.ts'
import {
  awaitsPayment,
  hasEnded,
  initialStatuses,
  isCancelled,
  isClosing,
  isPaid,
  orderStatuses,
  phaseOf,
} from '../src/orders/status.ts'
import { orderPartNames } from '../src/orders/view.ts'
import { erasureStates } from '../src/personal-data/store.ts'
import { Database } from '../src/platform/database/database.ts'
import { sql } from '../src/platform/database/sql.ts'
import { questionStatuses } from '../src/questions/question.ts'
import { answerFaultKinds } from '../src/sandbox/answers/fault.ts'
import { demoSites } from '../src/sandbox/demo/ids.ts'
import { receiverFaultKinds } from '../src/sandbox/receivers/fault.ts'
import { openSimulationStates, simulationStates } from '../src/sandbox/simulation/store.ts'
import {
  initialShipmentStatus,
  logisticTypes,
  shipmentStatuses,
} from '../src/shipments/shipment.ts'
import { openTestDatabase, type TestDatabase } from './harness/database.ts'
import { isReadModel, isStore, sourceFiles } from './harness/sql-templates.ts'

/**
 * Every concept with a closed list of values has one list in the code (docs/development.md). Wherever else its
 * values stand, because a migration, a partial index, the console or a page cannot read that list, they are
 * compared with it here.
 */
type ValueList = readonly string[]

/** What a column of text may hold. */
const columnValues: Readonly<Record<string, ValueList>> = {
  'attachments.state': attachmentStates,
  'attempts.outcome': attemptOutcomes,
  'authorization_codes.revoked_by': revokers,
  'claims.status': claimStatuses,
  'conversations.block': conversationBlocks,
  'feedback.rating': ratings,
  'feedback.role': feedbackRoles,
  'jobs.state': jobStates,
  'lane_notes.kind': noteKinds,
  'lanes.state': queueStates,
  'lesson_notes.noted_by': categoryAssigners,
  'listing_synonyms.action': synonymActions,
  'listings.status': listingStatuses,
  'listings.vertical': verticals,
  'messages.status': messageStatuses,
  'moderation_terms.kind': termKinds,
  'operator_accounts.status': accountStatuses,
  'operator_openid_flows.purpose': flowPurposes,
  'orders.status': orderStatuses,
  'payments.status': paymentStatuses,
  'questions.status': questionStatuses,
  'quotations.status': quotationStatuses,
  'refresh_tokens.revoked_by': revokers,
  'replays.state': replayStates,
  'sandbox_receiver_faults.kind': receiverFaultKinds,
  'sandbox_simulations.state': simulationStates,
  'user_erasures.state': erasureStates,
  'shipments.logistic_type': logisticTypes,
  'shipments.mode': shippingModes,
  'shipments.status': shipmentStatuses,
  'users.status': userStatuses,
}

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const sorted = (list: Iterable<string>) => [...list].sort()
const quotedIn = (text: string) => [...text.matchAll(/'([^']*)'/g)].map(([, word = '']) => word)

let database: TestDatabase
let db: Database
before(async () => {
  database = await openTestDatabase()
  db = new Database({ url: database.url, poolSize: 1, statementTimeoutMs: 15_000 })
})
after(async () => {
  await db.close()
  await database.drop()
})

interface SqlExpression {
  table: string
  name: string
  text: string
}

/** The CHECK constraints, as PostgreSQL writes them out. */
function readChecks(): Promise<SqlExpression[]> {
  return db.rows<SqlExpression>(sql`
    select c.relname as table, conname as name, pg_get_constraintdef(k.oid) as text
    from pg_constraint k join pg_class c on c.oid = conrelid
    where contype = 'c' and not c.relispartition
      and c.relnamespace = current_schema()::regnamespace
    order by 1, 2`)
}

/** The predicates of partial indexes and the defaults of columns. */
function readPredicates(): Promise<SqlExpression[]> {
  return db.rows<SqlExpression>(sql`
    select t.relname as table, c.relname as name, pg_get_expr(indpred, indrelid) as text
    from pg_index join pg_class c on c.oid = indexrelid join pg_class t on t.oid = indrelid
    where indpred is not null and not c.relispartition
      and c.relnamespace = current_schema()::regnamespace
    union all
    select c.relname, 'default of ' || a.attname, a.attname || ' = ' || pg_get_expr(adbin, adrelid)
    from pg_attrdef join pg_class c on c.oid = adrelid
    join pg_attribute a on a.attrelid = adrelid and a.attnum = adnum
    where not c.relispartition and c.relnamespace = current_schema()::regnamespace
    order by 1, 2`)
}

/** The column, and all that it may hold, of a CHECK such as `CHECK ((status = ANY (ARRAY['a'::text])))`. */
function allowedValuesOf({ text }: SqlExpression): [column: string, values: string[]] | undefined {
  const [, column, values = ''] =
    /^CHECK \(\((\w+) = ANY \(ARRAY\[([^\]]*)\]\)\)\)$/.exec(text) ?? []
  return column === undefined ? undefined : [column, quotedIn(values)]
}

/** Where a column is compared with literals: `status = 'a'`, `state <> ALL (ARRAY['a', 'b'])`, `x in ('a')`. */
function comparisonsIn(text: string): [column: string, words: string[]][] {
  const compared =
    /\b(\w+)\)?\s*(?:=|<>|!=|\bin\b|\bis (?:not )?distinct from\b)\s*(?:(?:any|all)\b\s*)?\(?(?:array\[)?\s*((?:'[^']*'(?:::text)?\s*,?\s*)+)/gi
  return [...text.matchAll(compared)].map(([, column = '', words = '']) => [
    column,
    quotedIn(words),
  ])
}

test('the CHECK of a column allows the values of its list, no more and no fewer', async () => {
  const allowed = (await readChecks()).flatMap((check) => {
    const [column, values] = allowedValuesOf(check) ?? []
    return column ? [[`${check.table}.${column}`, sorted(values ?? [])] as const] : []
  })
  assert.deepEqual(
    Object.fromEntries(allowed),
    Object.fromEntries(
      Object.entries(columnValues).map(([column, list]) => [column, sorted(list)]),
    ),
    'Name the list of a new column above. A released migration never changes: a new value needs a new one.',
  )
})

test('order_counts takes the dimensions that the code names', async () => {
  const check = (await readChecks()).find(({ name }) => name === 'order_counts_dimension_check')
  const bounds = [...(check?.text.matchAll(/\d+/g) ?? [])].map(Number)
  assert.deepEqual(bounds, [
    Math.min(...Object.values(countDimension)),
    Math.max(...Object.values(countDimension)),
  ])
  assert.deepEqual(Object.values(countDimension), [0, 1, 2, 3, 4, 5], 'the numbers are stored')
})

test('literals in other constraints, partial indexes and defaults are values of their lists', async () => {
  const expressions = [
    ...(await readChecks()).filter((each) => !allowedValuesOf(each)),
    ...(await readPredicates()),
  ]
  const compared = expressions.flatMap(({ table, name, text }) =>
    comparisonsIn(text).map(([column, words]) => ({ of: `${table}.${column}`, name, words })),
  )
  const lists = compared.filter(({ of }) => of in columnValues)
  assert.ok(lists.length >= 10, 'constraints and indexes are read')
  assert.deepEqual(
    lists.filter(({ of, words }) => words.some((word) => !columnValues[of]?.includes(word))),
    [],
  )
})

test('constraints and indexes that stand for a named set have exactly that set', async () => {
  const expressions = [...(await readChecks()), ...(await readPredicates())]
  const hasEndedReplay = (state: string) => !(openReplayStates as ValueList).includes(state)
  const sets: [part: string, set: ValueList][] = [
    ['OR (date_closed IS NOT NULL)', orderStatuses.filter(isClosing)],
    ['= (finished_at IS NOT NULL)', replayStates.filter(hasEndedReplay)],
    ['sandbox_simulations_open', openSimulationStates],
    ['jobs_open', openJobStates],
  ]
  for (const [part, set] of sets) {
    const expression = expressions.find(({ name, text }) => `${name} ${text}`.includes(part))
    assert.deepEqual(sorted(quotedIn(expression?.text ?? '')), sorted(set), part)
  }
})

test('the scopes that applications of earlier releases were given are in the list', async () => {
  const column = (await readPredicates()).find(({ name }) => name === 'default of scopes')
  const [, scopes = ''] = /'\{(.*)\}'/.exec(column?.text ?? '') ?? []
  const unknown = scopes.split(',').filter((scope) => !(clientScopes as ValueList).includes(scope))
  assert.deepEqual(unknown, [])
})

/** The text of each statement in a source file, with `${}` for its values. */
function statementsIn(source: string): string[] {
  const statements: string[] = []
  for (let start = source.indexOf('sql`'); start >= 0; start = source.indexOf('sql`', start + 4)) {
    let text = ''
    let depth = 0
    for (let at = start + 4; at < source.length; at++) {
      const char = source[at]
      if (depth === 0 && char === '`') break
      if (char === '{' && (depth > 0 || source[at - 1] === '$')) depth++
      if (depth === 0) text += char
      if (char === '}' && depth > 0) depth--
    }
    statements.push(text)
  }
  return statements
}

test('literals in the SQL of the program are values of the lists of their columns', () => {
  const names = new Set(Object.keys(columnValues).map((each) => each.split('.')[1] ?? ''))
  const compared = sourceFiles()
    .filter((file) => isStore(file) || isReadModel(file))
    .flatMap((file) => {
      const source = read(file)
      const lists = (column: string) =>
        Object.entries(columnValues).flatMap(([of, list]) => {
          const [table, name] = of.split('.')
          return name === column && new RegExp(`\\b${table}\\b`).test(source) ? [list] : []
        })
      return statementsIn(source)
        .flatMap(comparisonsIn)
        .filter(([column]) => names.has(column))
        .map(([column, words]) => ({ file, column, words, lists: lists(column) }))
    })
  assert.ok(compared.length >= 30, 'the statements are read')
  const breaches = compared.filter(
    ({ words, lists }) => !words.every((word) => lists.some((list) => list.includes(word))),
  )
  assert.deepEqual(breaches, [], 'A literal in SQL is a value of the list of its column.')
})

test('the console has the same lists as the program', () => {
  const lists: Readonly<Record<keyof typeof consoleLists, ValueList>> = {
    topics,
    attemptOutcomes,
    tokenScopes,
    grantScopes,
    clientScopes,
    orderFilters: filterIds,
    orderDateFilters: Object.keys(dateFilterNames),
    orderSorts: orderSorts.map(({ id }) => id),
    orderStatuses,
    paymentStatuses,
    shipmentStatuses,
    userStatuses,
    accountStatuses,
    queueStates,
    noteKinds,
    resumeModes,
    replayStates,
    simulationStates,
    exportedNames,
    jobStates,
    termReasons,
    termKinds,
    orderParts: orderPartNames,
    answerFaultKinds,
    receiverFaultKinds: receiverFaultKinds,
  }
  assert.deepEqual({ ...consoleLists }, lists)
})

test('feria conform and the examples know the values that the program has', () => {
  const importer = read('examples/order-importer.ts')
  const [, states = ''] = /const states = \[(.*?)\]\.join\(\)/s.exec(importer) ?? []
  const copies: Readonly<Record<string, [copy: ValueList, list: ValueList]>> = {
    'order-importer': [quotedIn(states), orderStatuses],
    orderStatuses: [conform.contractOrderStatuses, orderStatuses],
    siteCodes: [conform.siteCodes, siteIds],
    optionIds: [conform.optionIds, guideOptions],
    messageStatuses: [conform.contractMessageStatuses, messageStatuses],
    moderationStatuses: [conform.contractModerationStatuses, moderationStatuses],
  }
  const named = (index: 0 | 1) =>
    Object.fromEntries(Object.entries(copies).map(([name, pair]) => [name, sorted(pair[index])]))
  assert.deepEqual(named(0), named(1))
})

test('pages that name the values of a list or of a set name all of them', () => {
  const phases = (...wanted: string[]) =>
    orderStatuses.filter((each) => wanted.includes(phaseOf(each)))
  const passages: [page: string, passage: RegExp, set: ValueList][] = [
    ['api/orders', /Money counts as credited while a payment is (.*?), less/, creditedStatuses],
    ['api/orders', /\| all (.*?) \| `cancelled` \|/, orderStatuses.filter(hasEnded)],
    [
      'api/orders',
      /\| all others (.*?) \| `released` \|/,
      phases('confirmed', 'paid', 'cancelling'),
    ],
    ['import', /\| `status` \| (.*?)\. Not given: `available`/, messageStatuses],
    ['api/moderation', /\| `reason`.*\n\|[-|]+\n((?:\|.*\n)+)/i, moderationReasons],
    ['api/catalog', /The sites are (.*?)\. /, siteIds],
    ['api/listings', /\| `condition` \| (.*?) \|/, itemConditions],
    [
      'api/orders',
      /begins as `[a-z_]+` for the modes (.*?), else/,
      shippingModes.filter((mode) => initialShipmentStatus(mode) === 'to_be_agreed'),
    ],
    ['api/listings', /`vertical` is (.*?)\./, verticals],
    ['api/listings', /\| `status` \| .*\n\|[-|]+\n((?:\| `[A-Z_]+`.*\n)+)/, questionStatuses],
    ['sandbox', /\| `sites` \| of (.*?);/, demoSites],
  ]
  const named = passages.map(([page, passage]) => {
    const [, text = ''] = passage.exec(read(`docs/${page}.md`)) ?? []
    const firstCells = text.startsWith('| `') ? text.match(/^\| [^|]*/gm)?.join('\n') : undefined
    const words = (firstCells ?? text).matchAll(/`([^`]+)`/g)
    return [`${page}: ${passage}`, sorted([...words].map(([, word = '']) => word))]
  })
  assert.deepEqual(
    named,
    passages.map(([page, passage, set]) => [`${page}: ${passage}`, sorted(set)]),
  )
})

test('no source spells out a list, or a set of it, that has a name', () => {
  const named: [name: string, owner: string, set: ValueList][] = [
    ['orderStatuses', 'src/orders/status.ts', orderStatuses],
    ['endedStatuses', 'src/orders/status.ts', orderStatuses.filter(hasEnded)],
    ['isCancelled', 'src/orders/status.ts', orderStatuses.filter(isCancelled)],
    ['isClosing', 'src/orders/status.ts', orderStatuses.filter(isClosing)],
    ['awaitsPayment', 'src/orders/status.ts', orderStatuses.filter(awaitsPayment)],
    ['isPaid', 'src/orders/status.ts', orderStatuses.filter(isPaid)],
    ['initialStatuses', 'src/orders/status.ts', initialStatuses],
    ['paymentStatuses', 'src/orders/payment.ts', paymentStatuses],
    ['creditedStatuses', 'src/orders/payment.ts', creditedStatuses],
    ['underWayStatuses', 'src/orders/payment.ts', underWayStatuses],
    ['ratings', 'src/orders/order.ts', ratings],
    ['shipmentStatuses', 'src/shipments/shipment.ts', shipmentStatuses],
    ['logisticTypes', 'src/shipments/shipment.ts', logisticTypes],
    ['shippingModes', 'src/kernel/shipping-modes.ts', shippingModes],
    ['claimStatuses', 'src/claims/claim.ts', claimStatuses],
    ['claimStages', 'src/claims/claim.ts', claimStages],
    ['topics', 'src/kernel/topics.ts', topics],
    ['siteIds', 'src/kernel/sites.ts', siteIds],
    ['tokenScopes', 'src/http/scopes.ts', tokenScopes],
    ['clientScopes', 'src/http/scopes.ts', clientScopes],
    ['moderationReasons', 'src/moderation/reason.ts', moderationReasons],
    ['messageStatuses', 'src/messages/message.ts', messageStatuses],
    ['listingStatuses', 'src/listings/listing.ts', listingStatuses],
    ['itemConditions', 'src/kernel/item-conditions.ts', itemConditions],
    ['userStatuses', 'src/identity/user.ts', userStatuses],
    ['queueStates', 'src/notifications/queues/store.ts', queueStates],
    ['replayStates', 'src/notifications/replay/replay.ts', replayStates],
    ['simulationStates', 'src/sandbox/simulation/store.ts', simulationStates],
  ]
  // Of whatever server it is pointed at, the checks of `feria conform` expect what the contract says.
  const copies = ['console/src/api/lists.ts', 'src/conform/']
  // Most of the test harness states expectations of its own. The sign-in of tests needs all scopes that there are.
  const searched = ['src/**/*.ts', 'console/src/**/*.{ts,tsx}', 'test/harness/oauth.ts']
  const key = (words: Iterable<string>) => sorted(new Set(words)).join()
  const byWords = new Map(named.map((each) => [key(each[2]), each]))
  const breaches = globSync(searched, { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && !copies.some((copy) => file.startsWith(copy)))
    .flatMap((file) => {
      const source = read(file)
      const lists = [
        ...source.matchAll(/\[((?:\s*'[\w-]+',?)+\s*)\]/g),
        ...source.matchAll(/((?:'[\w-]+'\s*\|\s*)+'[\w-]+')/g),
        ...source.matchAll(/\bin \(((?:\s*'[\w-]+',?)+\s*)\)/g),
      ]
      return lists.flatMap(([, words = '']) => {
        const [name, owner] = byWords.get(key(quotedIn(words))) ?? []
        return name && owner !== file ? [`${file}: [${words.trim()}] is ${name} of ${owner}`] : []
      })
    })
  assert.deepEqual(breaches, [], 'Import the list: a copy stays behind when it changes.')
})
