import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { SiteId } from '../../kernel/sites.ts'
import { makeYielder, runInSlices } from '../../kernel/slices.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { decodePart, encodePart, partCount } from '../../predictor/model/encoding.ts'
import { modelFormat } from '../../predictor/model/features.ts'
import { TrainedModel } from '../../predictor/model/trained-model.ts'
import {
  type ModelCheckpoint,
  readCheckpointPart,
  saveCheckpoint,
  writeCheckpointParts,
} from './store.ts'
import type { SiteModels } from './training-examples.ts'

const compress = promisify(deflateRaw)
const expand = promisify(inflateRaw)
/** The parts hold differences of hashes, so a higher level saves nothing. */
const level = 1

/** Batches that are kept after a checkpoint, for processes that have not read them yet. */
const keptBatches = 100

/** A stored checkpoint cannot be decoded. */
export class BrokenCheckpoint extends Error {
  override name = 'BrokenCheckpoint'
}

/** Loads the models of all sites. Undefined if another checkpoint has replaced this one meanwhile. */
export async function loadCheckpoint(
  db: Db,
  { versions }: ModelCheckpoint,
): Promise<SiteModels | undefined> {
  const sites: SiteModels = new Map()
  for (const [siteId, version] of Object.entries(versions) as [SiteId, number][]) {
    const model = new TrainedModel()
    for (let part = 0; part < partCount; part++) {
      const bytes = await readCheckpointPart(db, { siteId, version, part })
      if (!bytes) return undefined
      try {
        await runInSlices(decodePart(model, part, await expand(bytes)), makeYielder())
      } catch (error) {
        throw new BrokenCheckpoint(`part ${part} of ${siteId}, version ${version}`, {
          cause: error,
        })
      }
    }
    sites.set(siteId, model)
  }
  return sites
}

/** Returns the compressed parts of a model. */
export async function encodeModel(model: TrainedModel): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = []
  for (let part = 0; part < partCount; part++) {
    parts.push(await compress(await runInSlices(encodePart(model, part), makeYielder()), { level }))
  }
  return parts
}

/** Saves a checkpoint of the log up to `position`, with these parts as the models of their sites. Models of other sites
 * stay as they were saved. The transaction must hold the log. */
export async function storeCheckpoint(
  tx: Tx,
  update: {
    position: number
    versions: ModelCheckpoint['versions']
    parts: ReadonlyMap<SiteId, readonly Uint8Array[]>
  },
): Promise<void> {
  const { position } = update
  const versions = { ...update.versions }
  for (const [siteId, parts] of update.parts) {
    await writeCheckpointParts(tx, { siteId, version: position, parts })
    versions[siteId] = position
  }
  const checkpoint = { position, format: modelFormat, versions }
  saveCheckpoint(tx, { checkpoint, dropped: position - keptBatches })
}
