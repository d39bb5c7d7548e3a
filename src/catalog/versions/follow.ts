import type { Context } from '../../platform/context.ts'
import { Catalog } from '../catalog.ts'
import { read } from '../import/translate.ts'
import { openDefaultOf, replaceCatalog, versionOf } from '../open.ts'
import { type Breathe, makeBreathe } from '../tree/slices.ts'
import { readInForce, readPrint, readVersion } from './store.ts'

/** The channel on which is told that another version is in force. */
export const catalogReplaced = 'catalog_replaced'

/** Before it is tried again after it failed. */
const retryMs = 1_000

type Tools = Pick<Context, 'db' | 'signals' | 'log' | 'outageLog'>

/** Has a process serve the version that is in force, whichever process put it there. */
export class CatalogFollower {
  readonly #ctx: Tools
  #isAsked = false
  #isAnew = false
  /** Of the version that is served. */
  #print: string | undefined
  #running: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(ctx: Tools) {
    this.#ctx = ctx
    for (const channel of [catalogReplaced, 'reset']) ctx.signals.on(channel, () => this.#follow())
  }

  /** Resolves once this process serves what is in force now, or later. */
  catchUp(): Promise<void> {
    this.#isAsked = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      // Asked for behind the last look, and before this was over.
      return this.#isAsked ? this.catchUp() : undefined
    })
    return this.#running
  }

  /** The same where versions may be others than those of the same number before. */
  catchUpAnew(): Promise<void> {
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
        log.warn({ err: error }, 'the catalogue in force could not be read; trying again')
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
      const { version } = await readInForce(db)
      const isSame = version === versionOf(this.#ctx)
      if (isSame && !(isAnew && (await readPrint(db, version)) !== this.#print)) continue
      await this.#replace(version)
    }
  }

  async #replace(version: number): Promise<void> {
    const breathe = makeBreathe()
    const print = await readPrint(this.#ctx.db, version)
    const catalog = version === 0 ? openDefaultOf(this.#ctx) : await this.#open(version, breathe)
    // What was asked of the one before will be asked of this one.
    await replaceCatalog(this.#ctx, { version, catalog }, (next, now) =>
      next.prepare(now.inUse, breathe),
    )
    this.#print = print
    this.#ctx.log.info({ version }, 'another catalogue is served')
  }

  async #open(version: number, breathe: Breathe): Promise<Catalog> {
    const stored = await readVersion(this.#ctx.db, version)
    if (!stored) throw new Error(`there is no catalogue ${version}`)
    const { source } = await read(stored.lines, breathe)
    return new Catalog(source, stored.dateCreated)
  }
}

const followers = new WeakMap<object, CatalogFollower>()

/** Begins to follow, unless this process does: resolves once what is in force is served. */
export async function followCatalog(ctx: Tools): Promise<CatalogFollower> {
  const follower = followers.get(ctx) ?? new CatalogFollower(ctx)
  followers.set(ctx, follower)
  await follower.catchUp()
  return follower
}

/** Resolves once this process serves what is in force. It goes on trying where it can not be read. */
export async function caughtUp(ctx: object): Promise<void> {
  await followers
    .get(ctx)
    ?.catchUp()
    .catch(() => {})
}

/** The same where versions may be others than those of the same number before. */
export async function caughtUpAnew(ctx: object): Promise<void> {
  await followers
    .get(ctx)
    ?.catchUpAnew()
    .catch(() => {})
}
