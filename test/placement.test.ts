import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import pg from 'pg'
import { openTestDatabase } from './harness/database.ts'
import {
  type ClusterSchema,
  loadParser,
  placementFindings,
  readPlacements,
} from './harness/sql-placement.ts'
import { readStatements } from './harness/sql-statements.ts'

/**
 * What a Citus cluster refuses or asks all shards for is found on plain PostgreSQL: every statement of the sources,
 * against where the migrations put the tables (docs/decisions/0004). `test/shards.test.ts` looks at the plans of those
 * that a sale sends.
 */
let schema: ClusterSchema
before(async () => {
  await loadParser()
  const database = await openTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const columns = await client.query<{ name: string; columns: string[] }>(`
    select c.relname as name, array_agg(a.attname::text) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    group by 1`)
  const functions = await client.query<{ name: string; unstable: boolean; volatile: boolean }>(`
    select proname::text as name, bool_and(provolatile <> 'i') as unstable,
      bool_or(provolatile = 'v') as volatile
    from pg_proc where prokind = 'f' group by 1`)
  await client.end()
  await database.drop()
  schema = {
    placements: readPlacements(),
    columns: new Map(columns.rows.map((row) => [row.name, new Set(row.columns)])),
    unstable: new Set(functions.rows.flatMap((row) => (row.unstable ? [row.name] : []))),
    volatile: new Set(functions.rows.flatMap((row) => (row.volatile ? [row.name] : []))),
  }
})

interface ShardFanOut {
  reason: string
  /** How often, in a whole installation unless said otherwise. */
  frequency: string
}

const takesChanges: ShardFanOut = {
  reason: 'the fan-out takes changes of all sellers at once',
  frequency: 'per batch of changes, a few times a second at most',
}
const filesNotifications: ShardFanOut = {
  reason: 'files for all applications that a batch of changes concerns',
  frequency: 'per batch of changes, a few times a second at most',
}
const writesOutcomes: ShardFanOut = {
  reason: 'writes outcomes of several queues with one commit; each row goes to its shard',
  frequency: 'per batch of outcomes',
}
const findsWork: ShardFanOut = {
  reason: 'the dispatcher looks for work of all applications',
  frequency: 'a few times a second per worker',
}
const foldsRows: ShardFanOut = {
  reason: 'a background walk goes through the rows of all sellers or sites',
  frequency: 'once a second at most, by one process',
}
const walksRows: ShardFanOut = {
  reason: 'a background walk goes through the rows of all sellers',
  frequency: 'once a minute while there is nothing to do',
}
const deletesExpired: ShardFanOut = {
  reason: 'deletes what has expired everywhere',
  frequency: 'once an hour',
}
const emptiesSlot: ShardFanOut = {
  reason: 'a slot of changes is emptied whole',
  frequency: 'once a day',
}
const runsDoctor: ShardFanOut = {
  reason: 'looks at the whole database',
  frequency: 'when a person runs feria doctor',
}
const servesOperator: ShardFanOut = {
  reason: 'an operator asks about everybody',
  frequency: 'when a person opens a page',
}
const exportsRows: ShardFanOut = {
  reason: 'an export goes through the rows of all sellers',
  frequency: 'per page of an export, of which a process runs four',
}
const runsJobs: ShardFanOut = {
  reason: 'a job goes through the rows of all sellers',
  frequency: 'per step of a job that the operator started',
}
const startsJob: ShardFanOut = { ...runsJobs, frequency: 'when the operator starts a job' }
const savesSnapshot: ShardFanOut = {
  reason: 'snapshots of a sandbox hold all rows',
  frequency: 'when a person saves or loads one; refused on a cluster',
}

const erasesUser: ShardFanOut = {
  reason: 'looks for what a user has left with others',
  frequency: 'a few times per erasure or export of a user',
}

/** Statements that may ask all shards, by their file and function. Everything else asks one, or those of a list. */
const fanOuts: Readonly<Record<string, ShardFanOut>> = {
  'src/audit/store.ts erasePersonalValues': {
    reason: 'the values of a user lie with their entries',
    frequency: 'when the data of a person is erased',
  },
  'src/audit/store.ts countEntries': startsJob,
  'src/audit/store.ts readEntries': servesOperator,
  'src/audit/store.ts readRelated': servesOperator,
  'src/audit/store.ts listPersonalChanges': {
    reason: 'the values of a user lie with their entries',
    frequency: 'per page of an export of the data of a person',
  },
  'src/changes/store.ts emptyNextSlot': emptiesSlot,
  'src/changes/store-unlisted.ts findOldestChange': {
    ...takesChanges,
    frequency: 'once per scan for unlisted changes',
  },
  'src/changes/store.ts listRows': takesChanges,
  'src/changes/store.ts markFannedOut': takesChanges,
  'src/cli/doctor/read-model.ts #queues': runsDoctor,
  'src/cli/doctor/read-model.ts backlog': runsDoctor,
  'src/exports/claims-read-model.ts countClaims': startsJob,
  'src/exports/claims-read-model.ts findClaimWindowEnd': exportsRows,
  'src/exports/claims-read-model.ts readExportedClaims': exportsRows,
  'src/exports/listings-read-model.ts countListings': startsJob,
  'src/exports/listings-read-model.ts findListingWindowEnd': exportsRows,
  'src/exports/listings-read-model.ts readExportedListings': exportsRows,
  'src/exports/listings-read-model.ts readExportedStock': exportsRows,
  'src/exports/messages-read-model.ts countMessages': startsJob,
  'src/exports/messages-read-model.ts findMessageWindowEnd': exportsRows,
  'src/exports/messages-read-model.ts readExportedMessages': exportsRows,
  'src/exports/orders-read-model.ts countOrderRows': startsJob,
  'src/exports/orders-read-model.ts findOrderWindowEnd': exportsRows,
  'src/exports/orders-read-model.ts listOrderFacetGroups': exportsRows,
  'src/exports/orders-read-model.ts readExportedOrders': exportsRows,
  'src/exports/payments-read-model.ts countPayments': startsJob,
  'src/exports/payments-read-model.ts findPaymentWindowEnd': exportsRows,
  'src/exports/payments-read-model.ts readExportedPayments': exportsRows,
  'src/exports/shipments-read-model.ts countShipments': startsJob,
  'src/exports/shipments-read-model.ts findShipmentWindowEnd': exportsRows,
  'src/exports/shipments-read-model.ts readExportedShipments': exportsRows,
  'src/exports/reports/read-model.ts reportClaims': servesOperator,
  'src/exports/reports/read-model.ts reportDeliveries': servesOperator,
  'src/exports/reports/read-model.ts reportRefunds': servesOperator,
  'src/exports/reports/read-model.ts reportSales': servesOperator,
  'src/feedback/store.ts list': walksRows,
  'src/http/store-idempotency.ts deleteIdempotencyKeys': deletesExpired,
  'src/http/store-idempotency.ts deleteIdempotencyKeysOf': erasesUser,
  'src/identity/applications/store.ts revokeTokensBeyondScopes': {
    reason: 'ends the tokens of all users of an application that lost a scope',
    frequency: 'when an owner takes a scope away',
  },
  'src/identity/oauth/store.ts forgetGrants': deletesExpired,
  'src/identity/oauth/store.ts forgetSuccessors': { ...deletesExpired, frequency: 'once a minute' },
  'src/identity/sessions/store.ts forgetSessions': deletesExpired,
  'src/identity/store-erasure.ts deleteSignInAttempts': erasesUser,
  'src/identity/store-erasure.ts saveErasedApplication': erasesUser,
  'src/identity/store.ts forgetTokens': deletesExpired,
  'src/listings/learning/store.ts deleteDailyCounts': deletesExpired,
  'src/listings/learning/store.ts listTrainingNotes': foldsRows,
  'src/listings/learning/store.ts readAllStoredExamples': {
    ...foldsRows,
    frequency: 'when the predictor is trained anew',
  },
  'src/listings/search/index/store-reindex.ts countOutdatedIndexRows': walksRows,
  'src/listings/search/index/store-reindex.ts sitesWithListings': foldsRows,
  'src/listings/search/index/store-reindex.ts readListingsAfter': foldsRows,
  'src/listings/search/store.ts readQuantities': {
    reason: 'the stock of a page of a search lies with its sellers',
    frequency: 'per search of listings',
  },
  'src/listings/search/words/store.ts sitesWithNotes': foldsRows,
  'src/listings/store-erasure.ts eraseQuotations': erasesUser,
  'src/listings/store-erasure.ts listQuotationsOf': erasesUser,
  'src/listings/store-read.ts countActiveListings': {
    reason: 'counts listings of all sellers by category; the counts are kept in memory',
    frequency: 'per process, when listings have changed, as a category is read',
  },
  'src/listings/store-walk.ts countListings': startsJob,
  'src/listings/store-walk.ts readListingKeys': runsJobs,
  'src/listings/top-values/store.ts countTopValues': {
    reason: 'top values are of the listings of all sellers',
    frequency: 'per request for top values',
  },
  'src/messages/attachments/store.ts listExpired': {
    ...deletesExpired,
    frequency: 'every ten minutes',
  },
  'src/messages/attachments/store.ts listStored': savesSnapshot,
  'src/messages/attachments/store.ts sumUnattached': {
    reason: 'room for uploads is counted over all users',
    frequency: 'per upload',
  },
  'src/messages/moderation/copies/store.ts deleteFingerprints': {
    ...deletesExpired,
    frequency: 'once a minute',
  },
  'src/messages/store-copy.ts findFirsts': {
    reason: 'an import brings messages of several sellers',
    frequency: 'per batch of an import',
  },
  'src/listings/learning/store.ts readLastSellerId': servesOperator,
  'src/messages/moderation/decisions/store.ts countDecisions': servesOperator,
  'src/messages/moderation/decisions/store.ts countNewestDecisions': runsDoctor,
  'src/messages/moderation/decisions/store.ts listDecisions': servesOperator,
  'src/messages/moderation/preview/store.ts listPastMessages': servesOperator,
  'src/messages/store.ts listHeldBack': servesOperator,
  'src/notifications/delivery-read-model.ts findOldestUnnotified': deletesExpired,
  'src/notifications/delivery-read-model.ts listWaitingQueues': findsWork,
  'src/notifications/delivery/store-queues.ts listLeasedQueues': {
    ...findsWork,
    frequency: 'when a batch of outcomes could not be written',
  },
  'src/notifications/delivery/store-outcomes.ts insertAttempts': writesOutcomes,
  'src/notifications/delivery/store-outcomes.ts updatePendingRetries': writesOutcomes,
  'src/notifications/explain/read-model.ts listChangesOf': {
    reason: 'a resource does not tell whose shard its changes are in',
    frequency: 'per explanation of a missing notification',
  },
  'src/notifications/figures/read-model.ts listSlowQueues': servesOperator,
  'src/notifications/figures/read-model.ts listNotifiedQueues': servesOperator,
  'src/notifications/store-history.ts deleteOldQueueEvents': deletesExpired,
  'src/notifications/listen/store.ts listUnusedListeners': deletesExpired,
  'src/notifications/replay/store-steps.ts listDueReplays': findsWork,
  'src/notifications/replay/store.ts deleteOldReplays': deletesExpired,
  'src/notifications/replay/store.ts listStartableReplays': findsWork,
  'src/notifications/store-leases.ts readHighestLeaseEpoch': savesSnapshot,
  'src/notifications/store-leases.ts releaseAllLeases': savesSnapshot,
  'src/notifications/store-history.ts deleteLostNotifications': deletesExpired,
  'src/notifications/store-history.ts saveLastSeqs': deletesExpired,
  'src/notifications/store.ts insertNotifications': filesNotifications,
  'src/notifications/store.ts reserveSeqs': filesNotifications,
  'src/notifications/store.ts saveSeqs': filesNotifications,
  'src/orders/figures/store.ts countByDay': servesOperator,
  'src/orders/search/counts/store.ts listCountChangeKeys': foldsRows,
  'src/orders/search/filing/store.ts countOrders': startsJob,
  'src/orders/search/filing/store.ts countOutdated': walksRows,
  'src/orders/search/filing/store.ts findRecountRequest': walksRows,
  'src/orders/search/filing/store.ts listOrderKeys': runsJobs,
  'src/orders/search/filing/store.ts listOutdatedGroups': walksRows,
  'src/orders/search/filing/store-lost.ts list': walksRows,
  'src/orders/search/operator/lookups-read-model.ts listOrdersByPayment': servesOperator,
  'src/orders/search/operator/lookups-read-model.ts listOrdersBySku': servesOperator,
  'src/orders/search/operator/lookups-read-model.ts listOrdersByTrackingNumber': servesOperator,
  'src/orders/search/operator/lookups-read-model.ts listOrdersByWords': servesOperator,
  'src/orders/search/operator/store-pages.ts countMatchingKeys': servesOperator,
  'src/orders/search/operator/store-pages.ts countPath': servesOperator,
  'src/orders/search/operator/store-pages.ts countRange': servesOperator,
  'src/orders/search/operator/store-pages.ts gatherPage': servesOperator,
  'src/orders/search/operator/store-pages.ts listFacetGroups': servesOperator,
  'src/orders/search/operator/store-pages.ts listMatchingKeys': servesOperator,
  'src/orders/search/operator/store-pages.ts walkPage': servesOperator,
  'src/orders/store.ts list': walksRows,
  'src/orders/store.ts listOrdersWithOverdueFeedback': walksRows,
  'src/orders/store.ts listRefundedConfirmedOrders': {
    ...walksRows,
    frequency: 'once, after an update',
  },
  'src/sandbox/read-model.ts countDemoOrders': {
    reason: 'counts the demo orders before more are made',
    frequency: 'when a person runs feria seed',
  },
  'src/shipments/store.ts list': walksRows,
}

test('every statement asks one shard, or is listed with its reason and how often it asks all', () => {
  const { statements } = readStatements('tsconfig.build.json')
  const findings = statements.flatMap(({ file, line, functionName, texts }) =>
    texts.flatMap((text) =>
      placementFindings(text, schema).map((each) => ({
        key: `${file} ${functionName}`,
        line,
        ...each,
      })),
    ),
  )
  const texts = statements.flatMap((statement) => statement.texts)
  assert.ok(texts.length > 500, `only ${texts.length} statements are found`)
  const wrong = findings
    .filter(({ kind, key }) => kind === 'refused' || !(key in fanOuts))
    .map(({ key, line, message }) => `${key}, line ${line}: ${message}`)
  assert.deepEqual(
    wrong,
    [],
    `a cluster refuses these, or asks all shards:\n  ${wrong.join('\n  ')}\n`,
  )
  const findingKeys = new Set(findings.map(({ key }) => key))
  assert.deepEqual(
    Object.keys(fanOuts).filter((key) => !findingKeys.has(key)),
    [],
    'these ask all shards no more: take them out of `fanOuts`',
  )
})

test('migrations put every table into one group that they have named before', () => {
  const placements = readPlacements()
  assert.deepEqual(placements.get('payments'), { column: 'seller_id', group: 'orders' })
  assert.deepEqual(placements.get('unread_messages'), { column: 'user_id', group: 'tokens' })
  assert.deepEqual(placements.get('users'), { column: null, group: 'users' })
  for (const [table, { group }] of placements) assert.ok(placements.has(group), table)
})

const oneShard: readonly string[] = [
  'select 1',
  'select id from users where id = any($1::bigint[])',
  'select id from orders where seller_id = $1 and id = $2',
  'select id from orders where seller_id = any($1::bigint[]) and id = any($2::bigint[])',
  'select id from orders where (seller_id, id) in (($1, $2), ($3, $4))',
  'select id from orders where seller_id in ($1, $2)',
  'select o.id from orders o join payments p on p.seller_id = o.seller_id where o.seller_id = $1',
  'select id from orders join order_items using (seller_id) where orders.seller_id = $1',
  'select id from orders o left join users u on u.id = o.buyer_id where o.seller_id = $1',
  'select (select count(*) from payments where seller_id = $1) from orders where seller_id = $2',
  'select l.id from (select * from listings where seller_id = $1) l join listing_stock s on s.seller_id = l.seller_id',
  'with mine as (select seller_id, id from orders where seller_id = $1) select m.id from mine m join payments p on p.seller_id = m.seller_id',
  'select id from orders where seller_id = $1 for update skip locked',
  'insert into orders (seller_id, id) values ($1, $2) on conflict (seller_id, id) do update set status = excluded.status',
  'insert into lanes (application_id) values ($1) on conflict (application_id) do update set application_id = excluded.application_id',
  'insert into passed_over (application_id, seq) select $1, seq from unnest($2::bigint[]) as r (seq)',
  'insert into passed_over (application_id, seq) select application_id, seq from notifications where application_id = $1',
  'update orders set status = case when is_rated then $1 else status end where seller_id = $2',
  'update orders set last_updated = now() where seller_id = $1',
  'delete from messages where seller_id = $1 and id = $2',
  'select a.id from users a, unnest($1::bigint[]) as k (id) where a.id = k.id',
]
for (const text of oneShard) {
  test(`one shard: ${text}`, () => assert.deepEqual(placementFindings(text, schema), []))
}

const plantedStatements: readonly [text: string, says: RegExp][] = [
  ['select id from orders where id = $1', /^asks all shards of orders$/],
  ['select id from orders where seller_id = $1 or id = $2', /^asks all shards/],
  ['select o.id from orders o join claims c on c.seller_id = o.seller_id', /^asks all shards/],
  ['select o.id from orders o join claims c on c.order_id = o.id', /^does not join by/],
  [
    'select o.id from orders o join claims c on c.order_id = o.id where o.seller_id = $1',
    /^does not join by/,
  ],
  [
    'select o.id from orders o join order_owner w on w.order_id = o.id where o.seller_id = $1 and w.order_id = $2',
    /tables that do not lie together: orders, order_owner$/,
  ],
  [
    'select id from orders where seller_id = (select seller_id from order_owner where order_id = $1)',
    /do not lie together/,
  ],
  [
    'select (select count(*) from payments p where p.seller_id = o.seller_id) from orders o where o.seller_id = $1',
    /^finds payments by way of a row outside: put the parameter of seller_id/,
  ],
  [
    'select 1 from lanes l left join lateral (select seq from notifications n where n.application_id = l.application_id limit 1) n on true where l.application_id = $1',
    /^finds notifications by way of a row outside/,
  ],
  ['select id from orders where (id, status) in (($1, $2))', /^asks all shards of orders$/],
  [
    'select o.id from orders o left join lateral (select c.id from claims c where c.seller_id = o.seller_id) c on true where (o.seller_id, o.id) in (($1, $2))',
    /^finds claims by way of a row outside/,
  ],
  ['select id from orders where seller_id = any($1::bigint[]) for update', /^locks rows of orders/],
  ['select id from orders for update skip locked', /^locks rows of orders in several shards$/],
  ['select count(*) from (select from orders where seller_id = $1) o', /^selects no column/],
  ['insert into orders (id) values ($1)', /^inserts into orders without seller_id$/],
  ['update orders set seller_id = $1 where seller_id = $2', /^sets seller_id/],
  [
    'update orders set kind = random() where seller_id = $1',
    /^calls random\(\), which is VOLATILE/,
  ],
  [
    'update orders set last_updated = coalesce($1, now()) where seller_id = $2',
    /^calls now\(\) in CASE or COALESCE/,
  ],
  [
    'with gone as (delete from orders where seller_id = $1 returning id) select id from gone',
    /^changes rows in the common table expression gone$/,
  ],
]
for (const [text, says] of plantedStatements) {
  test(`found: ${text}`, () => {
    const findings = placementFindings(text, schema).map((each) => each.message)
    assert.ok(
      findings.some((each) => says.test(each)),
      `found only: ${findings.join('; ') || 'nothing'}`,
    )
  })
}

/** As they stood before a cluster refused them. */
const refusedByCitus: readonly [name: string, text: string, says: RegExp][] = [
  [
    'the state of a conversation',
    `select o.id, exists (select from unread_messages where user_id = $1 and seller_id = $2
      and pack_id = $3) as "hasUnread"
    from orders o left join shipments s on s.seller_id = $4 and s.id = o.shipment_id
    where o.seller_id = $5 and o.pack_id = $6`,
    /do not lie together/,
  ],
  [
    'the claim of a delivery queue',
    `update lanes l set fence = fence + 1, cursor_seq = case when l.holder is null then l.cursor_seq
      else greatest(l.cursor_seq, (select max(a.seq) from attempts a
        where a.application_id = l.application_id and a.sent >= l.cursor_at - interval '1 hour')) end
    where application_id = $1 and fence = $2 returning application_id`,
    /^adds an interval to a time in CASE or COALESCE/,
  ],
  [
    'the top values',
    `select coalesce(a ->> 'value_id', a ->> 'value_name') as id, count(*) as metric
    from listings l, json_array_elements(l.details -> 'attributes') a
    where l.category_id = any($1::text[]) and not exists (
      select from unnest($2::text[], $3::text[]) as k (id, value)
      where not exists (select from json_array_elements(l.details -> 'attributes') b
        where b ->> 'id' = k.id))
    group by 1`,
    /subquery over a set-returning function that is correlated/,
  ],
  [
    'what the doctor counts',
    'select count(*)::int as count from (select from order_count_changes limit $1) waiting',
    /^selects no column in a subquery of FROM$/,
  ],
]
for (const [name, text, says] of refusedByCitus) {
  test(`${name}, as a cluster refused it, is found`, () => {
    const refused = placementFindings(text, schema).filter(({ kind }) => kind === 'refused')
    assert.ok(
      refused.some((each) => says.test(each.message)),
      JSON.stringify(refused),
    )
  })
}
