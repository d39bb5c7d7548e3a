import { findApplication, setListened } from '../../identity/store.ts'
import { secondMs } from '../../kernel/clock.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import { requestBody, requestHeaders } from '../attempt.ts'
import { findQueue, lockQueue } from '../queues/store.ts'
import { ensureSecret, withSigningSecrets } from '../signing/commands.ts'
import { signedHeaders } from '../signing/sign.ts'
import { listSecrets } from '../signing/store.ts'
import {
  advanceCursor,
  deleteListener,
  type FannedOutNotification,
  findFannedAt,
  findLastSeqBefore,
  findListener,
  insertListener,
  type Listener,
  listListeners,
  listNotificationsAfter,
  listUnusedListeners,
  setCursor,
  touchListener,
} from './store.ts'

type Tools = Pick<Context, 'audit' | 'db' | 'notificationWaiter' | 'now' | 'random' | 'signals'>
type ListenerKey = Pick<Listener, 'applicationId' | 'name'>

const maxListeners = 20
/** How often a waiting request polls although no signal came. */
const pollMs = secondMs

/** Creates a listener, or returns the one of this name. While an application has listeners, it is notified even without
 * a callback URL. Throws `not_found`, and `bad_request` beyond 20 listeners. */
export async function openListener(
  tools: Tools,
  { applicationId, name }: ListenerKey,
): Promise<{ listener: Listener; isNew: boolean; lastSeq: number }> {
  const { audit, db, now } = tools
  if (!(await findApplication(db, applicationId))) {
    throw new Failure('not_found', `Application not found: ${applicationId}`)
  }
  const at = now()
  return db.transaction(async (tx) => {
    const { lastSeq } = await lockQueue(tx, { applicationId, now: at })
    // Reading notifications signs them, but creates nothing.
    await ensureSecret(tx, tools, applicationId)
    const listeners = await listListeners(tx, applicationId)
    const existing = listeners.find((listener) => listener.name === name)
    audit.relate('application', applicationId)
    if (existing) return { listener: existing, isNew: false, lastSeq }
    if (listeners.length >= maxListeners) {
      throw badField(
        'name',
        `an existing listener: an application has at most ${maxListeners}; delete one first`,
      )
    }
    const fields = { applicationId, name, cursorSeq: lastSeq, dateCreated: at, lastSeen: at }
    // Not the present time: `fanned_at` of the next notification is earlier if the clock of its process is behind.
    const last = { applicationId, seq: lastSeq, since: new Date(0) }
    const listener = { ...fields, cursorAt: (await findFannedAt(tx, last)) ?? new Date(0) }
    audit.change({ before: null, after: { seq: lastSeq } })
    insertListener(tx, listener)
    setListened(tx, { applicationId, isListened: true })
    return { listener, isNew: true, lastSeq }
  })
}

/** Deletes a listener. Throws `not_found`. */
export async function closeListener({ audit, db, now }: Tools, key: ListenerKey): Promise<void> {
  const { applicationId, name } = key
  await db.transaction(async (tx) => {
    await lockQueue(tx, { applicationId, now: now() })
    const listeners = await listListeners(tx, applicationId)
    const listener = listeners.find((existing) => existing.name === name)
    audit.relate('application', applicationId)
    audit.change({ before: listener ? { seq: listener.cursorSeq } : null, after: null })
    if (!(await deleteListener(tx, key))) throw listenerNotFound(key)
    setListened(tx, { applicationId, isListened: listeners.length > 1 })
  })
}

/** Deletes the listeners that were not used since `before`, the limit of history: nothing is kept for them anyway. */
export async function deleteUnusedListeners(tools: Tools, before: Date): Promise<void> {
  for (const key of await listUnusedListeners(tools.db, before)) {
    // Another process may have deleted it meanwhile.
    await closeListener(tools, key).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error
    })
  }
}

/** A notification with the headers and the body of a delivery. */
interface RenderedDelivery {
  notification: FannedOutNotification
  headers: Record<string, string>
  body: string
}

/** The notifications after a listener's cursor. */
interface ListenBatch {
  deliveries: RenderedDelivery[]
  /** How many notifications before them are no longer kept. */
  skipped: number
  /** The `seq` to acknowledge. */
  upTo: number
}

/** `isListening`: the caller acts for the listener. Others only look: nothing is signed or saved for them. */
type BatchInput = ListenerKey & { limit: number; isListening: boolean }

/** Returns the notifications after a listener's cursor. Waits for one up to `waitMs`, or until the client has gone.
 * Throws `not_found`, and `too_many_requests` when too many requests wait. */
export async function waitForNotifications(
  tools: Tools,
  { waitMs, signal, ...input }: BatchInput & { waitMs: number; signal: AbortSignal },
): Promise<ListenBatch> {
  const arrivals = tools.notificationWaiter
  const end = performance.now() + waitMs
  let leave: (() => void) | undefined
  try {
    for (;;) {
      const batch = await readBatch(tools, input)
      if (batch.deliveries.length > 0 || batch.skipped > 0) return batch
      const leftMs = end - performance.now()
      if (leftMs <= 0 || arrivals.isClosing || signal.aborted) return batch
      leave ??= arrivals.enter(input.applicationId)
      await arrivals.wait(Math.min(leftMs, pollMs), signal)
    }
  } finally {
    leave?.()
  }
}

/** Reads up to `limit` notifications after the listener's cursor, rendered as deliveries. `skipped` counts those
 * that are no longer stored. Throws `not_found`. */
async function readBatch(
  tools: Tools,
  { limit, isListening, ...key }: BatchInput,
): Promise<ListenBatch> {
  const { db, now } = tools
  const listener = isListening
    ? await touchListener(db, { ...key, now: now() })
    : await findListener(db, key)
  if (!listener) throw listenerNotFound(key)
  const queue = await findQueue(db, key.applicationId)
  const lastSeq = queue?.lastSeq ?? 0
  if (lastSeq <= listener.cursorSeq) return { deliveries: [], skipped: 0, upTo: listener.cursorSeq }
  const notifications = await listNotificationsAfter(db, listener, limit)
  const firstSeq = notifications[0]?.seq ?? lastSeq + 1
  const secrets = isListening ? await loadSecrets(tools, key.applicationId) : []
  const heard = renderDeliveries(notifications, { sent: now(), secrets })
  return {
    deliveries: heard,
    skipped: firstSeq - listener.cursorSeq - 1,
    upTo: notifications.at(-1)?.seq ?? lastSeq,
  }
}

/** Renders notifications as their first delivery would be sent now, with a body and headers. A listener that an earlier
 * version opened may have no secret yet: then nothing signs until it is opened again or acknowledges. */
function renderDeliveries(
  notifications: readonly FannedOutNotification[],
  { sent, secrets }: { sent: Date; secrets: readonly string[] },
): RenderedDelivery[] {
  return notifications.map((notification) => {
    const body = requestBody(notification, { attempt: 1, sent })
    const { id, seq } = notification
    const signed = signedHeaders({ id, seq, sent, body }, secrets)
    return { notification, body, headers: { ...requestHeaders(body), ...signed } }
  })
}

async function loadSecrets({ db, now }: Tools, applicationId: number): Promise<string[]> {
  const secrets = await listSecrets(db, { applicationId, now: now() })
  return secrets.map(({ secret }) => secret)
}

/** Moves the cursor of a listener forward to `seq`. Throws `not_found`, and `bad_request` beyond the newest
 * notification. */
export async function acknowledgeNotifications(
  tools: Tools,
  { seq, ...key }: ListenerKey & { seq: number },
): Promise<Listener> {
  const { audit, db, now } = tools
  const acknowledged = await db.transaction(async (tx) => {
    const listener = await touchListener(tx, { ...key, now: now() })
    if (!listener) throw listenerNotFound(key)
    const queue = await findQueue(tx, key.applicationId)
    const lastSeq = queue?.lastSeq ?? 0
    if (seq > lastSeq) throw badField('seq', `a number up to ${lastSeq}, the newest notification`)
    audit.relate('application', key.applicationId)
    audit.change({
      before: { seq: listener.cursorSeq },
      after: { seq: Math.max(seq, listener.cursorSeq) },
    })
    if (seq <= listener.cursorSeq) return listener
    const cursorAt =
      (await findFannedAt(tx, { ...key, seq, since: listener.cursorAt })) ?? listener.cursorAt
    const moved = { ...listener, cursorSeq: seq, cursorAt }
    await advanceCursor(tx, moved)
    return moved
  })
  const { applicationId } = key
  const secrets = await loadSecrets(tools, applicationId)
  await withSigningSecrets(tools, { applicationId, target: { secrets } })
  return acknowledged
}

/** Moves the cursor of a listener, back or forward, before the first notification fanned out at `since` or later.
 * Throws `not_found`, and `bad_request` for a time in the future. */
export async function rewindListener(
  { audit, db, now }: Tools,
  { since, ...key }: ListenerKey & { since: Date },
): Promise<Listener> {
  const at = now()
  return db.transaction(async (tx) => {
    const listener = await touchListener(tx, { ...key, now: at })
    if (!listener) throw listenerNotFound(key)
    if (since > at) throw badField('since', 'a time in the past')
    const cursorSeq = await findLastSeqBefore(tx, { ...key, since })
    const moved = { ...listener, cursorSeq, cursorAt: since }
    audit.relate('application', key.applicationId)
    audit.change({ before: { seq: listener.cursorSeq }, after: { seq: cursorSeq } })
    await setCursor(tx, moved)
    return moved
  })
}

function listenerNotFound({ name }: ListenerKey): Failure {
  return new Failure('not_found', `Listener not found: ${name}`)
}
