import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { SiteId } from '../../kernel/sites.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { decodePart, encodePart, partCount } from '../predictor/learned/encoding.ts'
import { format } from '../predictor/learned/features.ts'
import { TrainedModel } from '../predictor/learned/learned.ts'
import { inSlices, makeBreathe } from '../tree/slices.ts'
import { readPart, type Snapshot, saveSnapshot, writeParts } from './store.ts'
import type { Sites } from './training-examples.ts'

const compress = promisify(deflateRaw)
const expand = promisify(inflateRaw)
/** The parts hold differences of hashes, so a higher level saves nothing. */
const level = 1

/** Batches that are kept after a snapshot, for processes that have not read them yet. */
const keptBatches = 100

/** A stored snapshot cannot be decoded. */
export class BrokenSnapshot extends Error {
  override name = 'BrokenSnapshot'
}

/** Loads the models of all sites. Undefined if other snapshots have replaced these meanwhile. */
export async function loadSnapshot(db: Db, { versions }: Snapshot): Promise<Sites | undefined> {
  const sites: Sites = new Map()
  for (const [siteId, version] of Object.entries(versions) as [SiteId, number][]) {
    const learned = new TrainedModel()
    for (let part = 0; part < partCount; part++) {
      const bytes = await readPart(db, { siteId, version, part })
      if (!bytes) return undefined
      try {
        await inSlices(decodePart(learned, part, await expand(bytes)), makeBreathe())
      } catch (error) {
        throw new BrokenSnapshot(`part ${part} of ${siteId}, version ${version}`, { cause: error })
      }
    }
    sites.set(siteId, learned)
  }
  return sites
}

/** Returns the compressed parts of a model. */
export async function writeDown(learned: TrainedModel): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = []
  for (let part = 0; part < partCount; part++) {
    parts.push(await compress(await inSlices(encodePart(learned, part), makeBreathe()), { level }))
  }
  return parts
}

/** Stores these parts as snapshots of the log up to `position`. Those of other sites stay. The transaction must hold the
 * log. */
export async function storeSnapshot(
  tx: Tx,
  update: {
    position: number
    versions: Snapshot['versions']
    parts: ReadonlyMap<SiteId, readonly Uint8Array[]>
  },
): Promise<void> {
  const { position } = update
  const versions = { ...update.versions }
  for (const [siteId, parts] of update.parts) {
    await writeParts(tx, { siteId, version: position, parts })
    versions[siteId] = position
  }
  const snapshot = { position, format, versions }
  saveSnapshot(tx, { snapshot, dropped: position - keptBatches })
}
