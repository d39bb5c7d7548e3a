import { findApplication, saveListened } from '../../identity/store.ts'
import { secondMs } from '../../kernel/clock.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import { requestBody, requestHeaders } from '../attempt.ts'
import { findQueue, lockQueue } from '../queues/store.ts'
import { withSecret } from '../signing/commands.ts'
import { signedHeaders } from '../signing/sign.ts'
import { listSecrets } from '../signing/store.ts'
import { arrivalsOf } from './arrivals.ts'
import {
  deleteListener,
  type Filed,
  findFiledAt,
  findLastBefore,
  insertListener,
  type Listener,
  listAfter,
  listListeners,
  listUnseen,
  meetListener,
  moveCursor,
  setCursor,
} from './store.ts'

type Tools = Pick<Context, 'db' | 'now' | 'random' | 'signals'>
type Named = Pick<Listener, 'applicationId' | 'name'>

const mostListeners = 20
/** How often who waits looks although nothing was heard. */
const lookMs = secondMs

/** Begins to listen from now on, or goes on where a listener of this name stopped. From the first one
 * on, the application is told of what happens although it may have no callback. */
export async function openListener(
  { db, now }: Tools,
  { applicationId, name }: Named,
): Promise<{ listener: Listener; isNew: boolean; lastSeq: number }> {
  if (!(await findApplication(db, applicationId))) {
    throw new Failure('not_found', `Application not found: ${applicationId}`)
  }
  const at = now()
  return db.transaction(async (tx) => {
    const { lastSeq } = await lockQueue(tx, { applicationId, now: at })
    const listeners = await listListeners(tx, applicationId)
    const known = listeners.find((each) => each.name === name)
    if (known) return { listener: known, isNew: false, lastSeq }
    if (listeners.length >= mostListeners) {
      throw badField('name', `one of the ${mostListeners} listeners that an application may have`)
    }
    const made = { applicationId, name, cursorSeq: lastSeq, dateCreated: at, lastSeen: at }
    // A clock that is behind would file what comes next under an earlier moment.
    const last = { applicationId, seq: lastSeq, since: new Date(0) }
    const listener = { ...made, cursorAt: (await findFiledAt(tx, last)) ?? new Date(0) }
    insertListener(tx, listener)
    saveListened(tx, { applicationId, isListened: true })
    return { listener, isNew: true, lastSeq }
  })
}

export async function closeListener({ db, now }: Tools, named: Named): Promise<void> {
  const { applicationId } = named
  await db.transaction(async (tx) => {
    await lockQueue(tx, { applicationId, now: now() })
    if (!(await deleteListener(tx, named))) throw unknown(named)
    const rest = await listListeners(tx, applicationId)
    saveListened(tx, { applicationId, isListened: rest.length > 0 })
  })
}

/** One turn: closes the listeners that nobody has come back to since `before`; what they have not heard
 * is no longer kept anyway. */
export async function forgetListeners(tools: Tools, before: Date): Promise<void> {
  for (const named of await listUnseen(tools.db, before)) {
    // Somebody may have closed it meanwhile.
    await closeListener(tools, named).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error
    })
  }
}

/** One notification as a delivery would have it. */
export interface Heard {
  filed: Filed
  headers: Record<string, string>
  body: string
}

/** What follows a listener's cursor. */
interface Hearing {
  heard: Heard[]
  /** Those in between that are no longer kept. */
  skipped: number
  /** The number to acknowledge. */
  upTo: number
}

type PageInput = Named & { limit: number }

/** Returns what follows a listener's cursor; waits up to `waitMs` for something to follow it, or until the
 * client has gone. Throws `too_many_requests` when too many wait already. */
export async function listen(
  tools: Tools,
  { waitMs, gone, ...page }: PageInput & { waitMs: number; gone: AbortSignal },
): Promise<Hearing> {
  const arrivals = arrivalsOf(tools.signals)
  const end = performance.now() + waitMs
  let leave: (() => void) | undefined
  try {
    for (;;) {
      const hearing = await hear(tools, page)
      if (hearing.heard.length > 0 || hearing.skipped > 0) return hearing
      const leftMs = end - performance.now()
      if (leftMs <= 0 || arrivals.isClosing || gone.aborted) return hearing
      leave ??= arrivals.enter(page.applicationId)
      await arrivals.wait(Math.min(leftMs, lookMs), gone)
    }
  } finally {
    leave?.()
  }
}

async function hear(tools: Tools, { limit, ...named }: PageInput): Promise<Hearing> {
  const { db, now } = tools
  const listener = await meetListener(db, { ...named, now: now() })
  if (!listener) throw unknown(named)
  const queue = await findQueue(db, named.applicationId)
  const lastSeq = queue?.lastSeq ?? 0
  if (lastSeq <= listener.cursorSeq) return { heard: [], skipped: 0, upTo: listener.cursorSeq }
  const filed = await listAfter(db, listener, limit)
  const first = filed[0]?.seq ?? lastSeq + 1
  const heard = await asDelivered(tools, named.applicationId, filed)
  return { heard, skipped: first - listener.cursorSeq - 1, upTo: filed.at(-1)?.seq ?? lastSeq }
}

async function asDelivered(
  tools: Tools,
  applicationId: number,
  filed: readonly Filed[],
): Promise<Heard[]> {
  if (filed.length === 0) return []
  const sent = tools.now()
  const known = await listSecrets(tools.db, { applicationId, now: sent })
  const target = { secrets: known.map(({ secret }) => secret) }
  const { secrets } = await withSecret(tools, { applicationId, target })
  return filed.map((each) => {
    const body = requestBody(each, { attempt: 1, sent })
    const { id, seq } = each
    const signed = signedHeaders({ id, seq, sent, body }, secrets)
    return { filed: each, body, headers: { ...requestHeaders(body), ...signed } }
  })
}

/** Notes that everything up to this number has arrived. */
export async function acknowledge(
  { db, now }: Tools,
  { seq, ...named }: Named & { seq: number },
): Promise<Listener> {
  const listener = await meetListener(db, { ...named, now: now() })
  if (!listener) throw unknown(named)
  const queue = await findQueue(db, named.applicationId)
  const lastSeq = queue?.lastSeq ?? 0
  if (seq > lastSeq) throw badField('seq', `a number up to ${lastSeq}, which is the last there is`)
  if (seq <= listener.cursorSeq) return listener
  const cursorAt =
    (await findFiledAt(db, { ...named, seq, since: listener.cursorAt })) ?? listener.cursorAt
  const moved = { ...listener, cursorSeq: seq, cursorAt }
  await moveCursor(db, moved)
  return moved
}

/** Goes back, or ahead, to what was filed at this moment or later. */
export async function rewind(
  { db, now }: Tools,
  { since, ...named }: Named & { since: Date },
): Promise<Listener> {
  const at = now()
  const listener = await meetListener(db, { ...named, now: at })
  if (!listener) throw unknown(named)
  if (since > at) throw badField('since', 'a moment that has been')
  const cursorSeq = await findLastBefore(db, { ...named, since })
  const moved = { ...listener, cursorSeq, cursorAt: since }
  await setCursor(db, moved)
  return moved
}

function unknown({ name }: Named): Failure {
  return new Failure('not_found', `Listener not found: ${name}`)
}
