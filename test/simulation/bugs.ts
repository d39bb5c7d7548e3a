import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** A bug that somebody could make: a change of one place of the source. */
export interface PlantedBug {
  name: string
  file: string
  from: string
  to: string
}

const delivery = 'src/notifications/delivery'
const fanOut = 'src/notifications/fan-out.ts'
const settle = `${delivery}/store-outcomes.ts`
const worker = `${delivery}/queue-dispatch.ts`
const step = `${delivery}/dispatch-step.ts`
const dispatcher = `${delivery}/dispatcher.ts`
const attempt = 'src/notifications/attempt.ts'

/** Twenty bugs, each planted alone. */
export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'the fan-out never looks for what was committed late',
    file: fanOut,
    from: 'const isFullScan = began >= this.#fullScanDue',
    to: 'const isFullScan = this.#since === undefined',
  },
  {
    name: 'notifications are written in a transaction of their own',
    file: fanOut,
    from: '    insertNotifications(tx, notifications)\n',
    to: '    await db.transaction((other) => insertNotifications(other, notifications))\n',
  },
  {
    name: 'what another process has taken is fanned out as well',
    file: fanOut,
    from: 'changes.filter(({ id }) => takenIds.has(id))',
    to: 'changes.filter(({ id }) => takenIds !== undefined && id !== "")',
  },
  {
    name: 'a queue is marked as empty although something came while it was released',
    file: `${delivery}/store-queues.ts`,
    from: '    const { seq, at, isWaiting } = newest\n',
    to: '    const { seq, at } = newest\n    const isWaiting = false\n',
  },
  {
    name: 'a worker that has lost its lease still records outcomes',
    file: settle,
    from: 'const isHeld = await (work.saves ? saveQueue(tx, work) : lockLeasedQueue(tx, work.queue))',
    to: 'const isHeld = (await (work.saves ? saveQueue(tx, work) : lockLeasedQueue(tx, work.queue))) || true',
  },
  {
    name: 'only the retries of the last batch are followed',
    file: settle,
    from: 'const dues = [...(retryDue ? [retryDue] : []), ...newDues].map(Number)',
    to: 'const dues = [...(retryDue && newDues.length === 0 ? [retryDue] : []), ...newDues].map(Number)',
  },
  {
    name: 'a retry that was accepted stays parked',
    file: settle,
    from: "verdict.next === 'done' && attempt > 1",
    to: "verdict.next === 'done' && attempt > 2",
  },
  {
    name: 'retries that were promised are committed without waiting for the disk',
    file: settle,
    from: '    if (works.every(({ outcomes }) => outcomes.every(isAcceptedAtOnce))) commitAsynchronously(tx)\n',
    to: '    commitAsynchronously(tx)\n',
  },
  {
    name: 'an outcome that could not be recorded counts as recorded',
    file: `${delivery}/outcome-writer.ts`,
    from: 'group[0]?.reject(error)',
    to: 'group[0]?.resolve({ retryDue: null })',
  },
  {
    name: 'the cursor goes to the end of a batch of which a stop sent a part',
    file: step,
    from: 'if (isRetry || outcomes.length === attempts.length) return end',
    to: 'if (isRetry || outcomes.length <= attempts.length) return end',
  },
  {
    name: 'a turn of the dispatcher waits for the queues that it starts',
    file: dispatcher,
    from: '    for (const queue of leased) this.#start(queue)\n    return false\n',
    to: '    for (const queue of leased) this.#start(queue)\n    await this.idle()\n    return false\n',
  },
  {
    name: 'a process renews its heartbeat too rarely',
    file: dispatcher,
    from: 'const heartbeatMs = 1_500',
    to: 'const heartbeatMs = 6_000',
  },
  {
    name: 'what a process held that has ended is free only when its lease is over',
    file: dispatcher,
    from: '    await this.#removeDead()\n',
    to: '',
  },
  {
    name: 'a stop does not wait for what is under way',
    file: dispatcher,
    from: '    await this.idle()\n    releasing',
    to: '    releasing',
  },
  {
    name: 'the attempts of a retry are not counted on',
    file: worker,
    from: 'attempt: retry.attempts + 1',
    to: 'attempt: retry.attempts',
  },
  {
    name: 'a retry comes up to a tenth later instead of earlier',
    file: attempt,
    from: '(1 - 0.1 * jitter)',
    to: '(1 + 0.1 * jitter)',
  },
  {
    name: 'an answer that is not 200 counts as accepted when it is a success',
    file: attempt,
    from: 'response.status === 200',
    to: 'response.status < 300',
  },
  {
    name: 'a full disk is not taken for a refusal of writes',
    file: 'src/platform/database/write-check.ts',
    from: "['25006', '53100', '58030']",
    to: "['25006', '58030']",
  },
  {
    name: 'a failed turn is the last one of its loop',
    file: 'src/platform/loop.ts',
    from: '        restMs = failedMs\n',
    to: '        restMs = failedMs\n        stopped = true\n',
  },
  {
    name: 'each attempt has an id of its own',
    file: `${delivery}/make-attempt.ts`,
    from: '  const body = requestBody(notification, { attempt, sent })\n',
    to: '  notification = { ...notification, id: random.hex(12) }\n  const body = requestBody(notification, { attempt, sent })\n',
  },
]

const root = new URL('../../', import.meta.url)
let count = 0

/** Returns the source of the bug's file with the bug in it. Throws unless `from` occurs there exactly once. */
export function sourceWithBug({ name, file, from, to }: PlantedBug): string {
  const source = readFileSync(new URL(file, root), 'utf8')
  const [before, after, ...more] = source.split(from)
  if (after === undefined || more.length > 0) {
    throw new Error(`"${name}": ${file} must contain this exactly once: ${from}`)
  }
  return `${before}${to}${after}`
}

/**
 * Loads the simulator with a bug in it: a copy of its modules, in which the source of one file is changed as it is
 * loaded. Nothing is written.
 */
export async function loadSimulatorWithBug(
  bug: PlantedBug,
): Promise<typeof import('./simulate.ts')> {
  const file = new URL(bug.file, root)
  const changed = sourceWithBug(bug)
  const mark = `?bug=${++count}`
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      const isOurs = resolved.url.startsWith(root.href) && !resolved.url.includes('/node_modules/')
      const isCopied = context.parentURL?.endsWith(mark) || specifier.endsWith(mark)
      if (!isOurs || !isCopied || resolved.url.endsWith(mark)) return resolved
      return { ...resolved, url: `${resolved.url}${mark}` }
    },
    load(url, context, next) {
      if (url !== `${file.href}${mark}`) return next(url, context)
      return { format: 'module-typescript', source: changed, shortCircuit: true }
    },
  })
  try {
    return await import(`./simulate.ts${mark}`)
  } finally {
    hooks.deregister()
  }
}
