import { countOutdatedCheckpoints } from '../catalog/learning/store.ts'
import { feedbackTexts } from '../feedback/store.ts'
import { userTexts } from '../identity/store.ts'
import { indexVersion as listingRules } from '../listings/search/index/entry.ts'
import { countOutdatedIndexRows as countOutdatedListings } from '../listings/search/index/store-reindex.ts'
import { filingVersion } from '../orders/facets.ts'
import { countOutdated as countOutdatedOrders } from '../orders/search/filing/store.ts'
import { lostOrders } from '../orders/search/filing/store-lost.ts'
import { orderTexts } from '../orders/store.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { countOutdatedRows, type DerivedRows } from '../platform/walks/row-walk.ts'
import { modelFormat } from '../predictor/model/features.ts'
import { shipmentTexts } from '../shipments/store.ts'

/**
 * Derived data: what is stored and follows from other stored data, with the version of its rule
 * (docs/decisions/0031-versions-of-derived-data.md).
 */
export interface Derivation {
  /** The version of this release. */
  version: number
  /** The columns by table. */
  columns: Readonly<Record<string, readonly string[]>>
  /** Counts the rows with an earlier version, up to `limit`. */
  countOutdated(db: Db, limit: number): Promise<number>
}

/** Derivations within single rows, which a walk renews. */
export const derivedRows: readonly DerivedRows[] = [
  orderTexts,
  userTexts,
  shipmentTexts,
  feedbackTexts,
]

const inRows = (rows: DerivedRows, columns: readonly string[]): Derivation => ({
  version: rows.version,
  columns: { [rows.table]: columns },
  countOutdated: (db) => countOutdatedRows(db, rows),
})

/** All derivations. Loops renew rows of earlier versions. */
export const derivations = {
  orders: {
    version: filingVersion,
    columns: {
      orders: [
        'paid_amount',
        'is_rated',
        'feedback_due',
        'is_disputed',
        'sort_date',
        'kind',
        'basket',
        'filing_version',
      ],
      order_kinds: ['seller_id', 'kind', 'facets', 'version'],
      order_baskets: ['seller_id', 'basket', 'words', 'version'],
      order_counts: ['seller_id', 'dimension', 'bucket', 'kind', 'n'],
      order_count_changes: [
        'seller_id',
        'id',
        'kind',
        'basket',
        'created_day',
        'sort_day',
        'updated_day',
        'n',
      ],
      orders_by_buyer: ['kind', 'sort_date', 'words', 'facets'],
    },
    async countOutdated(db, limit) {
      const filed = await countOutdatedOrders(db, { version: filingVersion, limit })
      return filed > 0 ? filed : Math.min(limit, await countOutdatedRows(db, lostOrders))
    },
  },
  listings: {
    version: listingRules,
    columns: {
      listing_index: [
        'site_id',
        'item',
        'seller_id',
        'price',
        'kind',
        'score',
        'reputation',
        'tier',
        'band',
        'form',
        'attributes',
        'words',
        'tokens',
        'body',
        'version',
      ],
      listing_values: ['site_id', 'value', 'attribute_id', 'value_id', 'value_name'],
      listing_words: ['site_id', 'word', 'n', 'generation'],
      listing_word_notes: ['site_id', 'id', 'words', 'n'],
      listing_tiers: ['site_id', 'category', 'steps'],
    },
    countOutdated: (db, limit) => countOutdatedListings(db, { version: listingRules, limit }),
  },
  'order texts': inRows(orderTexts, ['body', 'body_version']),
  'user texts': inRows(userTexts, [
    'nickname_folded',
    'as_buyer',
    'as_buyer_new',
    'as_seller',
    'text_version',
  ]),
  'shipment texts': inRows(shipmentTexts, ['as_part', 'text_version']),
  'feedback texts': inRows(feedbackTexts, ['as_part', 'text_version']),
  lessons: {
    version: modelFormat,
    columns: {
      lesson_head: ['snapshot_position', 'snapshot_format', 'snapshot_versions', 'lessons_since'],
      lesson_snapshots: ['site_id', 'version', 'part', 'bytes'],
      lessons: ['position', 'entries', 'made_at'],
    },
    countOutdated: (db) => countOutdatedCheckpoints(db, modelFormat),
  },
} as const satisfies Record<string, Derivation>

export type DerivationName = keyof typeof derivations

export const derivationNames = Object.keys(derivations) as DerivationName[]

/** Limit of the count of outdated rows. */
export const outdatedCountLimit = 100_000

/** Counts the outdated rows of each derivation for the metrics. One turn of a loop. */
export async function measureOutdated({ db, metrics }: Pick<Context, 'db' | 'metrics'>) {
  for (const derivation of derivationNames) {
    const count = await derivations[derivation].countOutdated(db, outdatedCountLimit)
    metrics.outdatedRows.set({ derivation }, count)
  }
  return false
}
