import { filingVersion } from '../orders/facets.ts'
import { countOutdated as countOutdatedOrders } from '../orders/search/filing/store.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'

/**
 * What is stored and follows from something else that is stored, with the version of the rule that makes it
 * (docs/decisions/0031-versions-of-derived-data.md).
 */
export interface Derivation {
  /** The version of this release. */
  version: number
  /** Counts rows that earlier versions left, up to `limit`. */
  countOutdated(db: Db, limit: number): Promise<number>
}

/** Derivations whose rows of earlier versions a loop makes anew. */
export const derivations = {
  orders: {
    version: filingVersion,
    countOutdated: (db, limit) => countOutdatedOrders(db, { version: filingVersion, limit }),
  },
} as const satisfies Record<string, Derivation>

export type DerivationName = keyof typeof derivations

export const derivationNames = Object.keys(derivations) as DerivationName[]

/** Counting ends here: more is much in any case. */
export const outdatedCountedUpTo = 100_000

/** One turn: has the metrics show what earlier versions left. */
export async function measureOutdated({ db, metrics }: Pick<Context, 'db' | 'metrics'>) {
  for (const derivation of derivationNames) {
    const count = await derivations[derivation].countOutdated(db, outdatedCountedUpTo)
    metrics.outdatedRows.set({ derivation }, count)
  }
  return false
}
