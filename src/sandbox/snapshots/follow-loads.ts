import { trainedModelsOf } from '../../catalog/learning/trained-models.ts'
import { reloadActiveCatalog } from '../../catalog/versions/follow.ts'
import { clearDictionaries } from '../../listings/search/words/site-dictionary.ts'
import type { Context } from '../../platform/context.ts'
import { forgetKnownPartitions } from '../../platform/database/partitions.ts'
import { databaseReplacedChannel } from '../../platform/database/signals.ts'
import { readClockOffset } from '../store.ts'
import { readLoadCount } from './store.ts'

type Tools = Pick<Context, 'db' | 'ids' | 'signals'>

const followedContexts = new WeakSet<object>()

/** Drops the caches of this process whenever a snapshot is loaded, also if it missed the signal. Idempotent. */
export async function followSnapshotLoads(ctx: Tools): Promise<void> {
  if (followedContexts.has(ctx)) return
  followedContexts.add(ctx)
  const { db, signals } = ctx
  let number = await readLoadCount(db)
  let isReplacing = false
  signals.on(databaseReplacedChannel, () => {
    isReplacing = true
    dropCaches(ctx)
    isReplacing = false
    readLoadCount(db).then(
      (current) => {
        number = current
      },
      () => {},
    )
  })
  signals.on('reset', () => {
    if (isReplacing) return
    Promise.all([readLoadCount(db), readClockOffset(db)]).then(
      ([current, aheadMs]) => {
        if (current === number) return
        signals.deliver(databaseReplacedChannel, String(aheadMs))
      },
      () => {},
    )
  })
}

/** Drops all caches. Delivers `reset`, as after a lost connection, to those that listen to it. */
function dropCaches(ctx: Tools): void {
  ctx.ids.forget()
  forgetKnownPartitions(ctx.db)
  clearDictionaries(ctx)
  ctx.signals.deliver('reset')
  void trainedModelsOf(ctx).reload()
  void reloadActiveCatalog(ctx)
}
