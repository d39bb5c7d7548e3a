import { makeYielder, type Yielder } from '../../kernel/slices.ts'
import type { Context } from '../../platform/context.ts'
import { Catalog } from '../catalog.ts'
import { parseCatalog } from '../import/serialize.ts'
import { readActiveVersion, readFingerprint, readVersion } from './store.ts'

declare module '../../platform/context.ts' {
  interface Context {
    readonly catalogFollower: CatalogFollower
  }
}

/** The channel that announces another active version. */
export const catalogReplaced = 'catalog_replaced'

/** Pause after a failure before the next try. */
const retryMs = 1_000

type FollowerContext = Pick<Context, 'catalog' | 'db' | 'signals' | 'log' | 'outageLog'>

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

  /** Catches up. If the active version cannot be read now, it resolves and later tries again. */
  async tryCatchUp(): Promise<void> {
    await this.catchUp().catch(() => {})
  }

  /** Reloads. If the active version cannot be read now, it resolves and later tries again. */
  async tryReload(): Promise<void> {
    await this.reload().catch(() => {})
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
      const isSame = version === this.#ctx.catalog.version
      if (isSame && !(isAnew && (await readFingerprint(db, version)) !== this.#print)) continue
      await this.#replace(version)
    }
  }

  async #replace(version: number): Promise<void> {
    const breathe = makeYielder()
    const print = await readFingerprint(this.#ctx.db, version)
    const catalog =
      version === 0 ? this.#ctx.catalog.openDefault() : await this.#open(version, breathe)
    // Prepare what was used of the previous catalog, because it will be requested again.
    await this.#ctx.catalog.replace({ version, catalog }, (next, now) =>
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
