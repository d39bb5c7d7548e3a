import { knowledgeOf } from '../../catalog/learning/knowledge.ts'
import { caughtUpAnew } from '../../catalog/versions/follow.ts'
import { forgetDictionaries } from '../../listings/search/words/open.ts'
import type { Context } from '../../platform/context.ts'
import { forgetDays } from '../../platform/database/partitions.ts'
import { worldReplaced } from '../../platform/database/signals.ts'
import { readClock } from '../store.ts'
import { readWorld } from './store.ts'

type Tools = Pick<Context, 'db' | 'ids' | 'signals'>

const followedContexts = new WeakSet<object>()

/** Drops the caches of this process whenever a snapshot is loaded, also if it missed the signal. Idempotent. */
export async function followWorld(ctx: Tools): Promise<void> {
  if (followedContexts.has(ctx)) return
  followedContexts.add(ctx)
  const { db, signals } = ctx
  let number = await readWorld(db)
  let isReplacing = false
  signals.on(worldReplaced, () => {
    isReplacing = true
    forgetWorld(ctx)
    isReplacing = false
    readWorld(db).then(
      (current) => {
        number = current
      },
      () => {},
    )
  })
  signals.on('reset', () => {
    if (isReplacing) return
    Promise.all([readWorld(db), readClock(db)]).then(
      ([current, aheadMs]) => {
        if (current === number) return
        signals.deliver(worldReplaced, String(aheadMs))
      },
      () => {},
    )
  })
}

/** Drops all caches. Delivers `reset`, as after a lost connection, to those that listen to it. */
function forgetWorld(ctx: Tools): void {
  ctx.ids.forget()
  forgetDays(ctx.db)
  forgetDictionaries(ctx)
  ctx.signals.deliver('reset')
  void knowledgeOf(ctx).startOver()
  void caughtUpAnew(ctx)
}
