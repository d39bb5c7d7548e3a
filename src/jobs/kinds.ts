import { bulkListingChange } from './bulk-listing-change.ts'
import { type JobKindName, jobKindNames } from './job.ts'
import type { JobKind } from './kind.ts'
import { reindex } from './reindex.ts'

const kindsByName: Readonly<Record<JobKindName, JobKind>> = {
  bulk_listing_change: bulkListingChange,
  reindex,
}

/** Every kind of job. */
export const jobKinds: readonly JobKind[] = jobKindNames.map((name) => kindsByName[name])
