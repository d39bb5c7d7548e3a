import type { Context } from '../../platform/context.ts'
import { databaseReplacedChannel } from '../../platform/database/signals.ts'
import { readClockOffset } from '../store.ts'
import { readLoadCount } from './store.ts'

type Tools = Pick<
  Context,
  'catalogFollower' | 'db' | 'ids' | 'searchCaches' | 'signals' | 'trainedModels'
>

/** Drops the caches of this process whenever a snapshot is loaded, also if it missed the signal. */
export async function followSnapshotLoads(ctx: Tools): Promise<void> {
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
  ctx.db.knownPartitions.clear()
  ctx.searchCaches.dictionaries.clear()
  ctx.searchCaches.suggestions.clear()
  ctx.signals.deliver('reset')
  void ctx.trainedModels.reload()
  void ctx.catalogFollower.tryReload()
}
