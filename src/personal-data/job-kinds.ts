import { bulkListingChange } from '../jobs/bulk-listing-change.ts'
import { exportJob } from '../jobs/export.ts'
import { importJob } from '../jobs/import.ts'
import type { erasureKindName, JobKindName } from '../jobs/job.ts'
import type { JobKind } from '../jobs/kind.ts'
import { reindex } from '../jobs/reindex.ts'
import { personalDataExport } from './export-job.ts'

/** Kinds that are run step by step: all but the erasure. */
const kindsByName: Readonly<Record<Exclude<JobKindName, typeof erasureKindName>, JobKind>> = {
  bulk_listing_change: bulkListingChange,
  reindex,
  export: exportJob,
  personal_data_export: personalDataExport,
  import: importJob,
}

/** Every kind of job that is run. */
export const jobKinds: readonly JobKind[] = Object.values(kindsByName)
