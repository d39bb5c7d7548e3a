import type { Context } from '../../platform/context.ts'
import { Catalog } from '../catalog.ts'
import { parseCatalog } from '../import/serialize.ts'
import { openDefaultOf, replaceCatalog, versionOf } from '../open.ts'
import { makeYielder, type Yielder } from '../tree/slices.ts'
import { readActiveVersion, readFingerprint, readVersion } from './store.ts'

/** The channel that announces another active version. */
export const catalogReplaced = 'catalog_replaced'

/** Pause after a failure before the next try. */
const retryMs = 1_000

type FollowerContext = Pick<Context, 'db' | 'signals' | 'log' | 'outageLog'>

/** Keeps a process serving the active version, whichever process activated it. */
export class CatalogFollower {
  readonly #ctx: FollowerContext
  #isAsked = false
  #isAnew = false
  /** The fingerprint of the served version. */
  #print: string | undefined
  #running: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(ctx: FollowerContext) {
    this.#ctx = ctx
    for (const channel of [catalogReplaced, 'reset']) ctx.signals.on(channel, () => this.#follow())
  }

  /** Resolves once this process serves the version that is active now, or a later one. */
  catchUp(): Promise<void> {
    this.#isAsked = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      // Another call came after the last check and before the end of this run.
      return this.#isAsked ? this.catchUp() : undefined
    })
    return this.#running
  }

  /** Catches up after the database was replaced, when a version of the same number may have another content. */
  reload(): Promise<void> {
    this.#isAnew = true
    return this.catchUp()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
  }

  #follow(): void {
    if (this.#isClosed) return
    clearTimeout(this.#retry)
    this.catchUp().catch((error: unknown) => {
      if (this.#isClosed) return
      const { log, outageLog } = this.#ctx
      if (!outageLog.record(error)) {
        log.warn({ err: error }, 'the active catalog could not be read: trying again')
      }
      this.#retry = setTimeout(() => this.#follow(), retryMs)
      this.#retry.unref()
    })
  }

  async #run(): Promise<void> {
    while (this.#isAsked) {
      this.#isAsked = false
      const isAnew = this.#isAnew
      this.#isAnew = false
      const { db } = this.#ctx
      const { version } = await readActiveVersion(db)
      const isSame = version === versionOf(this.#ctx)
      if (isSame && !(isAnew && (await readFingerprint(db, version)) !== this.#print)) continue
      await this.#replace(version)
    }
  }

  async #replace(version: number): Promise<void> {
    const breathe = makeYielder()
    const print = await readFingerprint(this.#ctx.db, version)
    const catalog = version === 0 ? openDefaultOf(this.#ctx) : await this.#open(version, breathe)
    // Prepare what was used of the previous catalog, because it will be requested again.
    await replaceCatalog(this.#ctx, { version, catalog }, (next, now) =>
      next.prepare(now.builtParts, breathe),
    )
    this.#print = print
    this.#ctx.log.info({ version }, 'serving another catalog version')
  }

  async #open(version: number, breathe: Yielder): Promise<Catalog> {
    const stored = await readVersion(this.#ctx.db, version)
    if (!stored) throw new Error(`there is no catalog version ${version}`)
    const { source } = await parseCatalog(stored.lines, breathe)
    return new Catalog(source, stored.dateCreated)
  }
}

const followers = new WeakMap<object, CatalogFollower>()

/** Starts to follow the active version, if this process does not yet. Resolves once it is served. */
export async function followCatalog(ctx: FollowerContext): Promise<CatalogFollower> {
  const follower = followers.get(ctx) ?? new CatalogFollower(ctx)
  followers.set(ctx, follower)
  await follower.catchUp()
  return follower
}

/** Resolves once this process serves the active version. If that cannot be read, it resolves and later tries again. */
export async function awaitActiveCatalog(ctx: object): Promise<void> {
  await followers
    .get(ctx)
    ?.catchUp()
    .catch(() => {})
}

/** Resolves once this process serves the active version after the database was replaced. */
export async function reloadActiveCatalog(ctx: object): Promise<void> {
  await followers
    .get(ctx)
    ?.reload()
    .catch(() => {})
}
