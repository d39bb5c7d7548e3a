import { knowledgeOf } from '../../catalog/learning/knowledge.ts'
import { caughtUpAnew } from '../../catalog/versions/follow.ts'
import { forgetDictionaries } from '../../listings/search/words/open.ts'
import type { Context } from '../../platform/context.ts'
import { forgetDays } from '../../platform/database/partitions.ts'
import { worldReplaced } from '../../platform/database/signals.ts'
import { readClock } from '../store.ts'
import { readWorld } from './store.ts'

type Tools = Pick<Context, 'db' | 'ids' | 'signals'>

const followed = new WeakSet<object>()

/** Has a process forget what it remembers of the world whenever another one is loaded, also where it
 * could not hear of that. Nothing happens the second time. */
export async function followWorld(ctx: Tools): Promise<void> {
  if (followed.has(ctx)) return
  followed.add(ctx)
  const { db, signals } = ctx
  let number = await readWorld(db)
  let isReplacing = false
  signals.on(worldReplaced, () => {
    isReplacing = true
    forgetWorld(ctx)
    isReplacing = false
    readWorld(db).then(
      (read) => {
        number = read
      },
      () => {},
    )
  })
  signals.on('reset', () => {
    if (isReplacing) return
    Promise.all([readWorld(db), readClock(db)]).then(
      ([read, aheadMs]) => {
        if (read === number) return
        signals.deliver(worldReplaced, String(aheadMs))
      },
      () => {},
    )
  })
}

/** Forgets it; what forgets with every loss of the connection is told as if there had been one. */
function forgetWorld(ctx: Tools): void {
  ctx.ids.forget()
  forgetDays(ctx.db)
  forgetDictionaries(ctx)
  ctx.signals.deliver('reset')
  void knowledgeOf(ctx).startOver()
  void caughtUpAnew(ctx)
}
