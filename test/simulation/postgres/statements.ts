import { postgresError, type StatementView } from './server.ts'
import type { QueueTable, TableRows } from './tables.ts'

/** Does what a statement does, with the values of its parameters in their order. A method, so that each may say
 * which those are. */
type StatementModel = { run(view: StatementView, values: readonly unknown[]): object[] }['run']

type ChangeKey = TableRows['waiting_changes']

const isDue = (moment: Date | null, now: Date) => moment !== null && moment <= now
const latest = (...moments: readonly (Date | undefined)[]) =>
  new Date(Math.max(...moments.flatMap((moment) => (moment ? [moment.getTime()] : []))))
const dateOf = (text: string | null) => (text === null ? null : new Date(text))
const sameChange = (one: ChangeKey) => (other: ChangeKey) =>
  one.id === other.id && one.recorded_at.getTime() === other.recorded_at.getTime()

/** Keys as `unnest` makes them of four lists, in the order of the primary key. */
function keysOf(lists: readonly unknown[]): ChangeKey[] {
  const [slots, sellers, ids, ats] = lists as [number[], number[], string[], Date[]]
  return ids
    .map((id, index) => ({
      slot: slots[index] ?? 0,
      seller_id: sellers[index] ?? 0,
      id,
      recorded_at: ats[index] ?? new Date(0),
    }))
    .sort((a, b) => a.recorded_at.getTime() - b.recorded_at.getTime() || (a.id < b.id ? -1 : 1))
}

const keyText = (key: ChangeKey) =>
  `${key.recorded_at.getTime()} ${key.seller_id} ${key.slot} ${key.id}`

function* chunksOf(values: readonly unknown[], size: number): Generator<readonly unknown[]> {
  for (let from = 0; from < values.length; from += size) yield values.slice(from, from + size)
}

function changeView({
  seller_id,
  id,
  topic,
  resource,
  user_ids,
  recorded_at,
}: TableRows['changes']) {
  const userIds = user_ids.map(String)
  return { sellerId: seller_id, id, topic, resource, userIds, at: recorded_at }
}

function notificationView(row: TableRows['notifications'] | TableRows['unaccepted']) {
  const { application_id: applicationId, seq, id, user_id: userId, topic, resource, received } = row
  return { applicationId, seq, id, userId, topic, resource, received }
}

/** The newest notification of a lane that was filed then or later. */
function newestOf(view: StatementView, applicationId: number, since: Date) {
  let newest: TableRows['notifications'] | undefined
  for (const notification of view.all('notifications')) {
    if (notification.application_id !== applicationId || notification.fanned_at < since) continue
    if (!newest || notification.seq > newest.seq) newest = notification
  }
  return newest
}

function waitingView({ application_id, fence, cursor_at }: QueueTable) {
  return { applicationId: application_id, leaseEpoch: fence, cursorAt: cursor_at }
}

/** How far a queue has come that somebody held: what was sent since then tells it. */
function reachedSeq(view: StatementView, lane: QueueTable, since: Date): number {
  if (lane.holder === null) return lane.cursor_seq
  let reached = lane.cursor_seq
  for (const { application_id, seq, sent } of view.all('attempts')) {
    if (application_id === lane.application_id && sent >= since) {
      reached = Math.max(reached, seq)
    }
  }
  return reached
}

function queueOf(view: StatementView, id: number, fence: number): QueueTable | undefined {
  const lane = view.find('lanes', `${id}`)
  return lane?.fence === fence ? lane : undefined
}

function leasedQueue(
  view: StatementView,
  id: number,
  fence: number,
  holder: string,
): QueueTable | undefined {
  const lane = queueOf(view, id, fence)
  return lane?.holder === holder ? lane : undefined
}

/** A table that is cut by day takes no row of a day that it has no part for. */
function checkPart(view: StatementView, table: string, at: Date): void {
  const part = `${table}_${at.toISOString().slice(0, 10).replaceAll('-', '')}`
  if (!view.find('parts', part))
    throw postgresError('23514', `no partition of ${table} for ${part}`)
}

const noRows: StatementModel = () => []

/** By the words with which a statement begins, or a pattern. The first that fits counts. */
const statementModels: readonly [begins: string | RegExp, runner: StatementModel][] = [
  [
    'set local',
    () => {
      return []
    },
  ],
  // Recorded changes.
  [
    'insert into changes',
    (view, values) => {
      for (const [slot, seller_id, id, topic, resource, user_ids, recorded_at] of chunksOf(
        values,
        7,
      )) {
        view.insert('changes', {
          slot,
          seller_id,
          id,
          topic,
          resource,
          user_ids,
          recorded_at,
        } as unknown as TableRows['changes'])
      }
      return []
    },
  ],
  [
    'insert into waiting_changes',
    (view, values) => {
      for (const [slot, seller_id, id, recorded_at] of chunksOf(values, 4)) {
        view.insert('waiting_changes', { slot, seller_id, id, recorded_at } as unknown as ChangeKey)
      }
      return []
    },
  ],
  [
    /^select c\.seller_id .* from waiting_changes w join changes c/,
    (view, [since, limit]: readonly [Date | string, number]) =>
      [...view.all('waiting_changes')]
        .filter(({ recorded_at }) => typeof since === 'string' || recorded_at >= since)
        .flatMap((key) => view.find('changes', keyText(key)) ?? [])
        .sort((a, b) => a.recorded_at.getTime() - b.recorded_at.getTime())
        .slice(0, limit)
        .map(changeView),
  ],
  [
    /^select seller_id .* from changes c where slot = any/,
    (view, values) => {
      const [among, since, until] = values as [number[], Date, Date]
      const limit = values.at(-1) as unknown as number
      return [...view.all('changes')]
        .filter(
          (change) =>
            among.includes(change.slot) &&
            change.recorded_at >= since &&
            change.recorded_at < until &&
            !view.find('taken_changes', keyText(change)) &&
            !view.find('waiting_changes', keyText(change)),
        )
        .sort((a, b) => a.recorded_at.getTime() - b.recorded_at.getTime())
        .slice(0, limit)
        .map(changeView)
    },
  ],
  [
    'insert into taken_changes',
    (view, values) =>
      keysOf(values).flatMap((key) => {
        view.lock('taken_changes', key)
        if (view.find('taken_changes', keyText(key))) return []
        view.insert('taken_changes', key)
        return [{ id: key.id }]
      }),
  ],
  [
    'delete from waiting_changes w using',
    (view, values) => {
      for (const key of keysOf(values)) {
        if ([...view.all('waiting_changes')].some(sameChange(key))) {
          view.remove('waiting_changes', key)
        }
      }
      return []
    },
  ],
  [
    'select pg_try_advisory_xact_lock',
    (view) => [{ isAlone: !view.server.tryLock('changes are taken', view.transaction) }],
  ],
  [
    'insert into fan_out_mark',
    (view, [, swept_at, swept_to]: readonly [Date, Date, Date]) => {
      const mark = { id: 1, swept_at, swept_to }
      view.lock('fan_out_mark', mark)
      if (!view.find('fan_out_mark', '1')) view.insert('fan_out_mark', mark)
      return []
    },
  ],
  [
    'select swept_at',
    (view, [before, now]: readonly [Date, Date]) => {
      const mark = view.find('fan_out_mark', '1')
      if (!mark || !(mark.swept_at <= before || mark.swept_at > now)) return []
      if (view.server.tryLock('fan_out_mark 1', view.transaction)) return []
      return [{ scannedAt: mark.swept_at, scannedTo: mark.swept_to }]
    },
  ],
  [
    'update fan_out_mark',
    (view, [, swept_at, swept_to]: readonly [Date, Date, Date]) => {
      const mark = view.find('fan_out_mark', '1')
      if (mark) view.update('fan_out_mark', mark, { swept_at, swept_to })
      return []
    },
  ],
  [
    'select min(recorded_at)',
    (view) => {
      const moments = [...view.all('changes')].map(({ recorded_at }) => recorded_at.getTime())
      return [{ oldest: moments.length > 0 ? new Date(Math.min(...moments)) : null }]
    },
  ],
  // Who is to be notified, and where.
  [
    'select a.user_id as "userId", a.application_id',
    (view, [users]: readonly [number[]]) =>
      [...view.all('authorizations')].flatMap(({ user_id: userId, application_id }) => {
        const application = view.find('applications', `${application_id}`)
        if (!users.includes(userId) || !application?.callback_url) return []
        return [{ userId, applicationId: application_id, topics: application.topics }]
      }),
  ],
  [
    'select a.callback_url',
    (view, values) => {
      const id = values.at(-1)
      const application = view.find('applications', `${id}`)
      if (!application) return []
      const secrets = [...view.all('signing_secrets')]
        .filter(({ application_id }) => application_id === id)
        .map(({ secret }) => secret)
      const { fence, holder } = view.find('lanes', `${id}`) ?? { fence: null, holder: null }
      return [{ callbackUrl: application.callback_url, leaseEpoch: fence, holder, secrets }]
    },
  ],
  // Parts by day.
  [
    'select pg_advisory_xact_lock',
    (view, [name]: readonly [string]) => {
      view.lockNamed(`advisory ${name}`)
      return [{}]
    },
  ],
  [
    'select c.relname as part',
    (view, [name]: readonly [string]) =>
      [...view.all('parts')]
        .filter(({ table }) => table === name)
        .map(({ part }) => ({ part }))
        .sort((a, b) => (a.part < b.part ? -1 : 1)),
  ],
  ['create table', noRows],
  ['alter table', noRows],
  // Notifications.
  [
    'insert into lanes (',
    (view, [now, , never, ids]: readonly [Date, Date, Date, number[]]) => {
      for (const id of ids.toSorted((a, b) => a - b)) {
        view.lockNamed(`lanes ${id}`)
        const lane = view.find('lanes', `${id}`)
        if (!lane) {
          const moments = { last_at: now, cursor_at: now, rests_until: never }
          view.insert('lanes', { ...newQueue, ...moments, application_id: id })
        } else if (!lane.is_waiting) view.update('lanes', lane, { is_waiting: true })
      }
      return []
    },
  ],
  [
    'select l.application_id as "applicationId", greatest(l.last_seq, newest.seq)',
    // Of many applications, or twice the id of one.
    (view, [now, old, idOrIds]: readonly [Date, Date, number | number[]]) =>
      [idOrIds].flat().flatMap((id) => {
        const lane = view.find('lanes', `${id}`)
        if (!lane) return []
        const newest = newestOf(view, id, lane.last_at)
        const seq = Math.max(lane.last_seq, newest?.seq ?? 0)
        const fannedAt = latest(lane.last_at, newest?.fanned_at, now)
        return [{ applicationId: id, seq, fannedAt, isOld: lane.last_at < old }]
      }),
  ],
  [
    'update lanes set last_seq = reached.seq',
    (view, [ids, seqs, ats]: readonly [number[], number[], Date[]]) => {
      for (const [index, id] of ids.entries()) {
        const lane = view.find('lanes', `${id}`)
        const [last_seq = 0, last_at = new Date(0)] = [seqs[index], ats[index]]
        if (lane) view.update('lanes', lane, { last_seq, last_at })
      }
      return []
    },
  ],
  [
    'insert into notifications',
    (view, [json]: readonly [string]) => {
      for (const row of JSON.parse(json)) {
        const fanned_at = new Date(row.fannedAt)
        checkPart(view, 'notifications', fanned_at)
        view.insert('notifications', { ...notificationOf(row), fanned_at })
      }
      return []
    },
  ],
  // Processes and the lanes that they hold.
  [
    'insert into holders',
    (view, [id, alive_until, has_lock]: readonly [string, Date, boolean]) => {
      const row = { id, alive_until, has_lock }
      view.lock('holders', row)
      const holder = view.find('holders', id)
      if (holder) view.update('holders', holder, row)
      else view.insert('holders', row)
      return []
    },
  ],
  [
    'select id from holders where has_lock',
    (view, [now, beating]: readonly [Date, string[]]) =>
      [...view.all('holders')]
        .filter(({ id, has_lock, alive_until }) => {
          const lives = alive_until > now || beating.includes(id)
          return has_lock && lives && !view.server.isLocked(id)
        })
        .map(({ id }) => ({ id }))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
  ],
  [
    'select id as holder, alive_until as "aliveUntil", has_lock',
    (view) =>
      [...view.all('holders')]
        .map(({ id: holder, alive_until: aliveUntil, has_lock }) => {
          return { holder, aliveUntil, isConnected: has_lock && view.server.isLocked(holder) }
        })
        .sort((a, b) => (a.holder < b.holder ? -1 : 1)),
  ],
  [
    'delete from holders where id = any',
    (view, [ids]: readonly [string[]]) => {
      for (const row of view.all('holders')) if (ids.includes(row.id)) view.remove('holders', row)
      return []
    },
  ],
  [
    'delete from holders where id =',
    (view, [id, before]: readonly [string, Date]) => {
      for (const row of view.all('holders')) {
        if (row.id === id || row.alive_until < before) view.remove('holders', row)
      }
      return []
    },
  ],
  [
    'select l.application_id as "applicationId", l.fence as "leaseEpoch", l.cursor_at as "cursorAt" from lanes l',
    (
      view,
      [self, now, beating, silent, , paced, failing, , limit]: readonly [
        string,
        Date,
        string[],
        string[],
        Date,
        Date,
        Date,
        Date,
        number,
      ],
    ) =>
      [...view.all('lanes')]
        .filter((lane) => {
          const holder = lane.holder === null ? undefined : view.find('holders', lane.holder)
          const isHeld =
            holder &&
            holder.id !== self &&
            (holder.alive_until > now || beating.includes(holder.id)) &&
            !silent.includes(holder.id)
          return (
            (lane.rests_until <= now ||
              lane.rests_until > (lane.failures === 0 ? paced : failing)) &&
            lane.state === 'open' &&
            view.find('applications', `${lane.application_id}`)?.callback_url &&
            (lane.is_waiting || isDue(lane.retry_due, now)) &&
            !isHeld
          )
        })
        .sort((a, b) => a.rests_until.getTime() - b.rests_until.getTime())
        .slice(0, limit)
        .map(waitingView),
  ],
  [
    'select application_id as "applicationId", fence as "leaseEpoch", cursor_at as "cursorAt" from lanes where holder',
    (view, [self]: readonly [string]) =>
      [...view.all('lanes')]
        .filter(({ holder }) => holder === self)
        .sort((a, b) => a.application_id - b.application_id)
        .map(waitingView),
  ],
  [
    'update lanes set fence = fence + 1, holder = $1, cursor_seq',
    (view, values) => {
      const [holder, id, since, , , , fence] = values as [
        string,
        number,
        Date,
        number,
        Date,
        number,
        number,
      ]
      const lane = queueOf(view, id, fence)
      if (lane?.state !== 'open') return []
      const reached = reachedSeq(view, lane, since)
      const last_seq = Math.max(lane.last_seq, reached)
      const claimed = { fence: fence + 1, holder, cursor_seq: reached, last_seq }
      const lease = view.update('lanes', lane, claimed)
      return [
        {
          applicationId: id,
          leaseEpoch: lease.fence,
          holder,
          cursorSeq: lease.cursor_seq,
          cursorAt: lease.cursor_at,
          retryDue: lease.retry_due,
          failures: lease.failures,
          failingSince: lease.failing_since,
          inFlight: lease.in_flight,
          ratePerSecond: lease.rate_per_second,
          coalesces: lease.coalesces,
          latestUpTo: lease.latest_up_to,
          restsUntil: lease.rests_until,
        },
      ]
    },
  ],
  [
    'select application_id from lanes',
    (view, [id, fence, holder]: readonly [number, number, string]) => {
      const lane = leasedQueue(view, id, fence, holder)
      if (!lane) return []
      view.lock('lanes', lane)
      return [{ application_id: id }]
    },
  ],
  [
    'select greatest(l.last_seq, newest.seq) as seq',
    (view, [reached, id, cursorAt]: readonly [number, number, Date]) => {
      const lane = view.find('lanes', `${id}`)
      if (!lane) return []
      const newest = newestOf(view, id, lane.last_at < cursorAt ? lane.last_at : cursorAt)
      const seq = Math.max(lane.last_seq, newest?.seq ?? 0)
      const isWaiting = newest !== undefined && newest.seq > reached
      return [{ seq, at: latest(lane.last_at, newest?.fanned_at), isWaiting }]
    },
  ],
  [
    'update lanes set fence = fence + 1, holder = null, rests_until = $1, failures',
    (view, values) => {
      const [rests_until, failures, failing_since, is_waiting, last_seq, last_at, ...rest] =
        values as [Date, number, Date | null, boolean, number, Date, ...unknown[]]
      const [cursor_seq, cursor_at, id] = rest as [number, Date, number]
      const lane = view.find('lanes', `${id}`)
      if (!lane) return []
      view.update('lanes', lane, {
        ...{
          fence: lane.fence + 1,
          holder: null,
          rests_until,
          failures,
          failing_since,
          is_waiting,
        },
        last_seq,
        last_at,
        cursor_seq,
        cursor_at,
      })
      return []
    },
  ],
  [
    "update lanes set state = 'disabled'",
    (view, values) => {
      const [at, , cursor_seq, , id, fence, holder] = values as [
        Date,
        Date,
        number,
        number,
        number,
        number,
        string,
      ]
      const lane = leasedQueue(view, id, fence, holder)
      if (!lane) return []
      const last_seq = Math.max(lane.last_seq, cursor_seq)
      const freed = { fence: fence + 1, holder: null, rests_until: at, cursor_seq, last_seq }
      view.update('lanes', lane, { state: 'disabled', ...freed })
      return [{ application_id: id }]
    },
  ],
  [
    'insert into lane_notes',
    (view, [application_id, id, , kind]: readonly [number, string, Date, string]) => {
      view.insert('lane_notes', { application_id, id, kind })
      return []
    },
  ],
  // Batches.
  [
    /^select application_id .* from unaccepted where/,
    (view, [id, retryDue, now, limit]: readonly [number, Date | null, Date, number]) =>
      [...view.all('unaccepted')]
        .filter(({ application_id, due }) => {
          return application_id === id && retryDue && due && due >= retryDue && due <= now
        })
        .sort((a, b) => (a.due?.getTime() ?? 0) - (b.due?.getTime() ?? 0))
        .slice(0, limit)
        .map((row) => ({ ...notificationView(row), attempts: row.attempts })),
  ],
  [
    /^select application_id .* null::bigint as "intoSeq"/,
    (view, [id, cursor, cursorAt, limit]: readonly [number, number, Date, number]) =>
      [...view.all('notifications')]
        .filter(({ application_id, seq, fanned_at }) => {
          return application_id === id && seq > cursor && fanned_at >= cursorAt
        })
        .sort((a, b) => a.seq - b.seq)
        .slice(0, limit)
        .map((row) => ({
          ...notificationView(row),
          fannedAt: row.fanned_at,
          intoSeq: null,
          isPassedOver: false,
        })),
  ],
  // Outcomes.
  [
    'update lanes set cursor_seq',
    (view, values) => {
      const [cursor_seq, cursor_at, , failures, failing_since, id, fence, holder] = values as [
        number,
        Date,
        number,
        number,
        Date | null,
        number,
        number,
        string,
      ]
      const lane = leasedQueue(view, id, fence, holder)
      if (!lane) return []
      const last_seq = Math.max(lane.last_seq, cursor_seq)
      view.update('lanes', lane, { cursor_seq, cursor_at, last_seq, failures, failing_since })
      return [{ application_id: id }]
    },
  ],
  [
    'insert into attempts',
    (view, [json]: readonly [string]) => {
      for (const { application_id, seq, attempt, sent: text, outcome } of JSON.parse(json)) {
        const sent = new Date(text)
        checkPart(view, 'attempts', sent)
        view.insert('attempts', { application_id, seq, attempt, sent, outcome })
      }
      return []
    },
  ],
  [
    'delete from unaccepted',
    (view, [id, seqs]: readonly [number, number[]]) => {
      for (const row of view.all('unaccepted')) {
        if (row.application_id === id && seqs.includes(row.seq)) view.remove('unaccepted', row)
      }
      return []
    },
  ],
  [
    'insert into unaccepted',
    (view, [json]: readonly [string]) => {
      for (const failed of JSON.parse(json)) {
        const { attempts } = failed
        const row = { ...notificationOf(failed), attempts, due: dateOf(failed.due) }
        view.lock('unaccepted', row)
        const before = view.find('unaccepted', `${row.application_id} ${row.seq}`)
        if (before) view.update('unaccepted', before, { attempts, due: row.due })
        else view.insert('unaccepted', row)
      }
      return []
    },
  ],
  [
    'select min(due)',
    (view, [id, from]: readonly [number, Date]) => {
      const dues = [...view.all('unaccepted')].flatMap(({ application_id, due }) =>
        application_id === id && due && due >= from ? [due.getTime()] : [],
      )
      return [{ due: dues.length > 0 ? new Date(Math.min(...dues)) : null }]
    },
  ],
  [
    'update lanes set retry_due',
    (view, [due, id]: readonly [Date | null, number]) => {
      const lane = view.find('lanes', `${id}`)
      if (lane && lane.retry_due?.getTime() !== due?.getTime()) {
        view.update('lanes', lane, { retry_due: due })
      }
      return []
    },
  ],
  // Whether writes are taken.
  ['select from write_probe for update', noRows],
  ['insert into write_probe', noRows],
  ['delete from write_probe', noRows],
  // Signals.
  [
    'listen feria',
    (view) => {
      view.session.isListening = true
      return []
    },
  ],
  [
    'select pg_notify',
    (view, [, payload]: readonly [string, string]) => {
      view.transaction.notices.push(payload)
      return [{}]
    },
  ],
  ['select 1', () => [{ '?column?': 1 }]],
  [
    'select pg_advisory_lock_shared',
    (view, [name]: readonly [string]) => {
      view.session.locks.add(name)
      return [{}]
    },
  ],
]

const newQueue = {
  last_seq: 0,
  cursor_seq: 0,
  retry_due: null,
  fence: 0,
  holder: null,
  is_waiting: true,
  state: 'open',
  failures: 0,
  failing_since: null,
  in_flight: null,
  rate_per_second: null,
  coalesces: null,
  latest_up_to: 0,
} as const

function notificationOf(row: Record<string, never>): Omit<TableRows['notifications'], 'fanned_at'> {
  const { applicationId, seq, id, userId, topic, resource, received } = row as never as {
    applicationId: number
    seq: number
    id: string
    userId: number
    topic: string
    resource: string
    received: string
  }
  const at = new Date(received)
  return { application_id: applicationId, seq, id, user_id: userId, topic, resource, received: at }
}

const modelsByText = new Map<string, StatementModel>()

/** What a statement does. Throws when the model does not know it: whoever adds a statement to the core tells
 * the model what it does, and the conformance test whether that is so. */
export function statementModelOf(text: string): StatementModel {
  let runner = modelsByText.get(text)
  if (!runner) {
    runner = findModel(text.trim().replaceAll(/\s+/g, ' '))
    modelsByText.set(text, runner)
  }
  return runner
}

function findModel(text: string): StatementModel {
  if (/^set local synchronous_commit = off/.test(text)) return markForgetful
  const created = /^create table (\S+) \(like (\S+)/.exec(text)
  if (created) {
    const [, part = '', table = ''] = created
    return (view) => {
      view.insert('parts', { part, table })
      return []
    }
  }
  const model = statementModels.find(([begins]) =>
    typeof begins === 'string' ? text.startsWith(begins) : begins.test(text),
  )
  if (!model) throw new Error(`The simulated PostgreSQL does not know this statement:\n${text}`)
  return model[1]
}

const markForgetful: StatementModel = ({ transaction }) => {
  transaction.isForgetful = true
  return []
}
