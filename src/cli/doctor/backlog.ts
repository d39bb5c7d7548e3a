import { outdatedCountedUpTo } from '../../app/derivations.ts'
import { checkCallback } from '../../identity/callback.ts'
import { minuteMs } from '../../kernel/clock.ts'
import { isBroken } from '../../notifications/queues/health.ts'
import type { Config } from '../../platform/config.ts'
import { shiftOf, spanOf } from '../sandbox/clock.ts'
import { type Check, ok, problem, warning } from './check.ts'
import { type BacklogFacts, countedUpTo, type QueueFacts } from './store.ts'

/** Longer than any of it takes while somebody works. */
const patienceMs = 2 * minuteMs
const named = 3

/** What waits, judged. `now` is the machine's time; `processes` of Feria are connected. */
export function judgeBacklog(
  facts: BacklogFacts,
  { config, now, processes }: { config: Config; now: Date; processes: number },
): Check[] {
  const isSandbox = config.mode === 'sandbox'
  const here = new Date(now.getTime() + (isSandbox ? facts.aheadMs : 0))
  return [
    judgeSandboxClock(facts, isSandbox),
    judgeChanges(facts, { here, processes }),
    judgeCounts(facts),
    judgeDerivedData(facts),
    judgeQueues(facts.queues),
    judgeDeliveries(facts.queues, { here, processes }),
    judgeCallbacks(facts.queues, config),
  ]
}

function judgeSandboxClock({ aheadMs }: BacklogFacts, isSandbox: boolean): Check {
  if (aheadMs === 0) return ok('sandbox clock', 'not moved')
  const apart = shiftOf(aheadMs / 1_000)
  if (isSandbox) {
    const cause = aheadMs > 0 ? 'Somebody moved it, or loaded' : 'Somebody loaded'
    const advice = `${cause} a snapshot. feria clock advance moves it ahead; only feria snapshot load sets it back, to the time of that snapshot.`
    return warning('sandbox clock', apart, advice)
  }
  const dates = aheadMs > 0 ? ': dates in it lie in the future' : ''
  const says = `this database was a sandbox whose clock was ${apart}${dates}`
  return problem('sandbox clock', says, 'Run production on a database that was never a sandbox.')
}

const some = (count: number) => (count >= countedUpTo ? `${countedUpTo} or more` : String(count))

function judgeChanges(
  { untaken, oldestUntaken }: BacklogFacts,
  { here, processes }: { here: Date; processes: number },
): Check {
  const name = 'changes'
  const waitedMs = oldestUntaken ? here.getTime() - oldestUntaken.getTime() : 0
  const says = `${some(untaken)} not fanned out${untaken > 0 ? `, the oldest for ${spanOf(waitedMs / 1_000)}` : ''}`
  if (waitedMs < patienceMs) return ok(name, says)
  return idleOr(processes, { name, says, advice: 'See the log for failures of the loop fan-out.' })
}

function judgeCounts({ unfolded }: BacklogFacts): Check {
  const says = `${some(unfolded)} changes of counts not folded`
  if (unfolded < countedUpTo) return ok('counts', says)
  const advice = 'Totals are right all the same, searches slower: let feria work run.'
  return warning('counts', says, advice)
}

function judgeDerivedData({ outdated }: BacklogFacts): Check {
  const name = 'derived data'
  const left = outdated.filter(({ count }) => count > 0)
  if (left.length === 0) return ok(name, 'all of this version')
  const counts = left.map(({ derivation, count }) => {
    const isMore = count >= outdatedCountedUpTo
    return `${count}${isMore ? ' or more' : ''} of ${derivation}`
  })
  const says = `of an earlier version: ${counts.join(', ')}`
  const advice = 'Totals are right all the same. Let feria work run: it makes them anew.'
  return warning(name, says, advice)
}

function judgeQueues(queues: readonly QueueFacts[]): Check {
  const name = 'lanes'
  const [disabled, paused] = ['disabled', 'paused'].map((state) =>
    queues.filter((queue) => queue.state === state),
  )
  const broken = queues.filter((queue) => queue.state === 'open' && isBroken(queue))
  const told = [
    ...describeQueues('disabled', disabled ?? []),
    ...describeQueues('paused', paused ?? []),
    ...describeQueues('failing throughout', broken),
  ]
  if (told.length === 0) return ok(name, `${queues.length} applications, all open`)
  const [first] = [...(disabled ?? []), ...(paused ?? []), ...broken]
  const advice = `feria deliveries lane ${first?.applicationId} tells more; feria deliveries resume ${first?.applicationId} lets one go on.`
  const isGrave = (disabled?.length ?? 0) > 0
  return (isGrave ? problem : warning)(name, told.join('; '), advice)
}

function describeQueues(what: string, queues: readonly QueueFacts[]): string[] {
  if (queues.length === 0) return []
  const first = queues.slice(0, named).map(({ applicationId, name, waiting, stateSince }) => {
    const since =
      stateSince && what !== 'failing throughout' ? ` since ${stateSince.toISOString()}` : ''
    return `${applicationId} "${name}"${since} (${waiting} wait)`
  })
  const more = queues.length > named ? ` and ${queues.length - named} more` : ''
  return [`${what}: ${first.join(', ')}${more}`]
}

/** Of lanes that nothing stops. */
function judgeDeliveries(
  queues: readonly QueueFacts[],
  { here, processes }: { here: Date; processes: number },
): Check {
  const name = 'deliveries'
  const open = queues.filter(
    (queue) => queue.state === 'open' && queue.callbackUrl && !isBroken(queue),
  )
  const waiting = open.reduce((sum, queue) => sum + queue.waiting, 0)
  const moments = open.flatMap(({ oldest, retryDue }) => [oldest, retryDue])
  const oldest = Math.min(...moments.map((each) => each?.getTime() ?? Number.POSITIVE_INFINITY))
  const lateMs = Math.max(0, here.getTime() - oldest)
  const late = lateMs > 0 ? `, the oldest is due for ${spanOf(lateMs / 1_000)}` : ''
  const says = `${waiting} wait for their first attempt${late}`
  if (lateMs < patienceMs) return ok(name, says)
  const advice = 'See feria_deliveries_total and the log; a receiver may be slower than what comes.'
  return idleOr(processes, { name, says, advice })
}

/** What waits although somebody works is a problem; while nobody does, it is to be expected. */
function idleOr(
  processes: number,
  { name, says, advice }: { name: string; says: string; advice: string },
): Check {
  if (processes > 0) return problem(name, says, advice)
  return warning(name, says, 'No process is connected: feria start or feria work takes it up.')
}

function judgeCallbacks(queues: readonly QueueFacts[], { mode, delivery }: Config): Check {
  const name = 'callbacks'
  const known = queues.filter((queue) => queue.callbackUrl !== null)
  const mayBePrivate = delivery.allowPrivateAddresses
  const bad = known.filter(({ callbackUrl }) => !isCallback(callbackUrl ?? '', mayBePrivate))
  if (bad.length > 0) {
    const first = bad
      .slice(0, named)
      .map(({ applicationId, callbackUrl }) => `${applicationId} ${callbackUrl}`)
    const says = `${bad.length} can never be reached from here: ${first.join(', ')}`
    return problem(name, says, 'Register public ones: feria applications put ID --callback URL')
  }
  const plain = known.filter(({ callbackUrl }) => callbackUrl?.startsWith('http:'))
  if (mode === 'production' && plain.length > 0) {
    const first = plain.slice(0, named).map(({ applicationId }) => applicationId)
    const says = `${plain.length} are not HTTPS: applications ${first.join(', ')}`
    return warning(name, says, 'Ask for HTTPS: others may read what they are told.')
  }
  return ok(name, `${known.length} registered`)
}

function isCallback(url: string, mayBePrivate: boolean): boolean {
  try {
    checkCallback(url, { mayBePrivate })
    return true
  } catch {
    return false
  }
}
