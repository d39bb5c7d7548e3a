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
/** What is written are differences of hashes: trying harder saves nothing. */
const level = 1

/** Batches that are kept behind the snapshots, for those who are not so far yet. */
const keptBatches = 100

/** What is stored can not be what was learned. */
export class BrokenSnapshot extends Error {
  override name = 'BrokenSnapshot'
}

/** Reads what snapshots tell of every site; undefined where others have taken their place meanwhile. */
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

/** The parts of a site's snapshot, compressed. */
export async function writeDown(learned: TrainedModel): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = []
  for (let part = 0; part < partCount; part++) {
    parts.push(await compress(await inSlices(encodePart(learned, part), makeBreathe()), { level }))
  }
  return parts
}

/** Has these parts, with those of other sites that are stored, stand for the log up to `position`. The
 * log is held by this transaction. */
export async function storeSnapshot(
  tx: Tx,
  made: {
    position: number
    versions: Snapshot['versions']
    parts: ReadonlyMap<SiteId, readonly Uint8Array[]>
  },
): Promise<void> {
  const { position } = made
  const versions = { ...made.versions }
  for (const [siteId, parts] of made.parts) {
    await writeParts(tx, { siteId, version: position, parts })
    versions[siteId] = position
  }
  const snapshot = { position, format, versions }
  saveSnapshot(tx, { snapshot, dropped: position - keptBatches })
}
