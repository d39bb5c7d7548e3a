import { outdatedCountLimit } from '../../app/derivations.ts'
import { checkCallback } from '../../identity/callback.ts'
import { minuteMs } from '../../kernel/clock.ts'
import { isBreakerOpen } from '../../notifications/queues/health.ts'
import type { Config } from '../../platform/config.ts'
import { formatDuration, shiftOf } from '../sandbox/clock.ts'
import { type CheckResult, okResult, problem, warning } from './check.ts'
import { type BacklogFacts, countLimit, type QueueFacts, type RuleFacts } from './read-model.ts'

/** Work that waits longer than this is stuck: it takes seconds while a process does it. */
const stuckAfterMs = 2 * minuteMs
const namedQueues = 3
const namedRules = 3

/** Judges the work that waits. `now` is the time of the machine, `processes` the count of connected processes. */
export function judgeBacklog(
  facts: BacklogFacts,
  { config, now, processes }: { config: Config; now: Date; processes: number },
): CheckResult[] {
  const isSandbox = config.mode === 'sandbox'
  const feriaNow = new Date(now.getTime() + (isSandbox ? facts.aheadMs : 0))
  return [
    judgeSandboxClock(facts, isSandbox),
    judgeWorkers(facts, processes),
    judgeChanges(facts, { feriaNow, processes }),
    judgeCounts(facts),
    judgeDerivedData(facts),
    judgeQueues(facts.queues),
    judgeDeliveries(facts, { feriaNow, processes }),
    judgeCallbacks(facts.queues, config),
    judgeModerationRules(facts.rules),
  ]
}

function judgeSandboxClock({ aheadMs }: BacklogFacts, isSandbox: boolean): CheckResult {
  if (aheadMs === 0) return okResult('sandbox clock', 'not moved')
  const shift = shiftOf(aheadMs / 1_000)
  if (isSandbox) {
    const cause = aheadMs > 0 ? 'Somebody moved it, or loaded' : 'Somebody loaded'
    const advice = `${cause} a snapshot. feria clock advance moves it ahead; only feria snapshot load sets it back, to the time of that snapshot.`
    return warning('sandbox clock', shift, advice)
  }
  const dates = aheadMs > 0 ? ': dates in it lie in the future' : ''
  const says = `this database was a sandbox whose clock was ${shift}${dates}`
  return problem('sandbox clock', says, 'Run production on a database that was never a sandbox.')
}

/** Judges whether a process does the background work. A server alone records changes and sends nothing. */
function judgeWorkers({ workers }: BacklogFacts, processes: number): CheckResult {
  const name = 'workers'
  if (workers > 0) {
    return okResult(name, `${workers} process${workers > 1 ? 'es do' : ' does'} background work`)
  }
  if (processes === 0) return okResult(name, 'no process of Feria runs')
  return warning(name, 'no process does background work: nothing is sent', startWorker)
}

const startWorker = 'Run feria work beside feria serve, or feria start.'

const boundedCount = (count: number) =>
  count >= countLimit ? `${countLimit} or more` : String(count)

function judgeChanges(
  { untaken, oldestUntaken, workers }: BacklogFacts,
  { feriaNow, processes }: { feriaNow: Date; processes: number },
): CheckResult {
  const name = 'changes'
  const waitedMs = oldestUntaken ? feriaNow.getTime() - oldestUntaken.getTime() : 0
  const says = `${boundedCount(untaken)} not fanned out${untaken > 0 ? `, the oldest for ${formatDuration(waitedMs / 1_000)}` : ''}`
  if (waitedMs < stuckAfterMs) return okResult(name, says)
  return waitingWorkCheck({
    name,
    says,
    processes,
    workers,
    advice:
      'See the output of the processes with background work (feria start, feria work): lines with "loop":"fan-out" say what failed.',
  })
}

function judgeCounts({ unfolded }: BacklogFacts): CheckResult {
  const says = `${boundedCount(unfolded)} changes of counts not folded`
  if (unfolded < countLimit) return okResult('counts', says)
  const advice = 'Totals are correct, but searches are slower. Run feria work.'
  return warning('counts', says, advice)
}

function judgeDerivedData({ outdated }: BacklogFacts): CheckResult {
  const name = 'derived data'
  const behind = outdated.filter(({ count }) => count > 0)
  if (behind.length === 0) return okResult(name, 'all of this version')
  const counts = behind.map(({ derivation, count }) => {
    const isMore = count >= outdatedCountLimit
    return `${count}${isMore ? ' or more' : ''} of ${derivation}`
  })
  const says = `of an earlier version: ${counts.join(', ')}`
  const advice = 'Totals are correct. Run feria work: it rebuilds the data.'
  return warning(name, says, advice)
}

/** Judges delivery queues. Disabled ones are a problem; paused ones, and those that fail throughout, are a warning. */
function judgeQueues(queues: readonly QueueFacts[]): CheckResult {
  const name = 'queues'
  const [disabled, paused] = ['disabled', 'paused'].map((state) =>
    queues.filter((queue) => queue.state === state),
  )
  const broken = queues.filter((queue) => queue.state === 'open' && isBreakerOpen(queue))
  const descriptions = [
    ...describeQueues('disabled', disabled ?? []),
    ...describeQueues('paused', paused ?? []),
    ...describeQueues('failing throughout', broken),
  ]
  if (descriptions.length === 0) return okResult(name, `${queues.length} applications, all open`)
  const [first] = [...(disabled ?? []), ...(paused ?? []), ...broken]
  const advice = `feria deliveries queue ${first?.applicationId} shows details; feria deliveries resume ${first?.applicationId} resumes it.`
  const isGrave = (disabled?.length ?? 0) > 0
  return (isGrave ? problem : warning)(name, descriptions.join('; '), advice)
}

function describeQueues(what: string, queues: readonly QueueFacts[]): string[] {
  if (queues.length === 0) return []
  const first = queues.slice(0, namedQueues).map(({ applicationId, name, waiting, stateSince }) => {
    const since =
      stateSince && what !== 'failing throughout' ? ` since ${stateSince.toISOString()}` : ''
    return `${applicationId} "${name}"${since} (${waiting} wait)`
  })
  const more = queues.length > namedQueues ? ` and ${queues.length - namedQueues} more` : ''
  return [`${what}: ${first.join(', ')}${more}`]
}

/** Judges the queues that are open and whose receivers do not fail throughout. */
function judgeDeliveries(
  { queues, workers }: BacklogFacts,
  { feriaNow, processes }: { feriaNow: Date; processes: number },
): CheckResult {
  const name = 'deliveries'
  const open = queues.filter(
    (queue) => queue.state === 'open' && queue.callbackUrl && !isBreakerOpen(queue),
  )
  const waiting = open.reduce((sum, queue) => sum + queue.waiting, 0)
  const moments = open.flatMap(({ oldest, retryDue }) => [oldest, retryDue])
  const oldest = Math.min(...moments.map((moment) => moment?.getTime() ?? Number.POSITIVE_INFINITY))
  const lateMs = Math.max(0, feriaNow.getTime() - oldest)
  const late = lateMs > 0 ? `, the oldest is due for ${formatDuration(lateMs / 1_000)}` : ''
  const says = `${waiting} wait for their first attempt${late}`
  if (lateMs < stuckAfterMs) return okResult(name, says)
  const advice =
    'A receiver may be too slow for its notifications: see feria deliveries queue ID, and feria_deliveries_total of feria start or feria work.'
  return waitingWorkCheck({ name, says, processes, workers, advice })
}

/** Waiting work is a problem if a process is connected, otherwise only a warning. `advice` is for the case that a process
 * works. */
function waitingWorkCheck({
  name,
  says,
  processes,
  workers,
  advice,
}: {
  name: string
  says: string
  processes: number
  workers: number
  advice: string
}): CheckResult {
  if (processes === 0)
    return warning(name, says, 'No process is connected. Run feria start or feria work.')
  return problem(
    name,
    says,
    workers > 0 ? advice : `No process does background work. ${startWorker}`,
  )
}

/** Judges callback URLs. One that no delivery may reach is a problem; in production, one without HTTPS is a warning. */
function judgeCallbacks(queues: readonly QueueFacts[], { mode, delivery }: Config): CheckResult {
  const name = 'callbacks'
  const withCallback = queues.filter((queue) => queue.callbackUrl !== null)
  const mayBePrivate = delivery.allowPrivateAddresses
  const unreachable = withCallback.filter(
    ({ callbackUrl }) => !isCallback(callbackUrl ?? '', mayBePrivate),
  )
  if (unreachable.length > 0) {
    const first = unreachable
      .slice(0, namedQueues)
      .map(({ applicationId, callbackUrl }) => `${applicationId} ${callbackUrl}`)
    const says = `${unreachable.length} can never be reached from here: ${first.join(', ')}`
    return problem(name, says, 'Register public ones: feria applications put ID --callback URL')
  }
  const plain = withCallback.filter(({ callbackUrl }) => callbackUrl?.startsWith('http:'))
  if (mode === 'production' && plain.length > 0) {
    const first = plain.slice(0, namedQueues).map(({ applicationId }) => applicationId)
    const says = `${plain.length} are not HTTPS: applications ${first.join(', ')}`
    return warning(name, says, 'Ask their owners for HTTPS: others may read the notifications.')
  }
  return okResult(name, `${withCallback.length} registered`)
}

function isCallback(url: string, mayBePrivate: boolean): boolean {
  try {
    checkCallback(url, { mayBePrivate })
    return true
  } catch {
    return false
  }
}

/** With fewer held messages, the share of released ones says nothing. */
const judgedFromHeld = 10

/** Judges the rules of moderation: one whose messages are mostly released holds back what people may say. */
function judgeModerationRules(rules: readonly RuleFacts[]): CheckResult {
  const name = 'moderation rules'
  const wrong = rules
    .filter(({ held, overruled }) => held >= judgedFromHeld && overruled > held / 2)
    .sort((one, other) => other.overruled - one.overruled)
  const [worst] = wrong
  if (!worst) return okResult(name, 'none is overruled more than half of the time')
  const counts = wrong
    .slice(0, namedRules)
    .map(({ rule, held, overruled }) => `${rule} (${overruled} of ${held})`)
  const more = wrong.length > namedRules ? ` and ${wrong.length - namedRules} more` : ''
  const says = `overruled more than half of the time: ${counts.join(', ')}${more}`
  const step = worst.rule.startsWith('operator:')
    ? `change or delete the term ${worst.rule.slice('operator:'.length)}`
    : `try to switch it off with feria moderation preview, then feria moderation switch ${worst.rule} off`
  const advice = `feria moderation export --rule ${worst.rule} shows what it held back. Allow those words or domains, or ${step}.`
  return warning(name, says, advice)
}
