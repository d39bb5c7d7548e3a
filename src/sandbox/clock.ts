import { Type } from 'typebox'
import { ok, type Route, route } from '../http/route.ts'
import { allSites } from '../http/site-rule.ts'
import { type Clock, dayMs, hourMs, minuteMs, parseTimestamp, secondMs } from '../kernel/clock.ts'
import { badField, Failure } from '../kernel/failure.ts'
import { StrictObject, Timestamp } from '../kernel/schema.ts'
import type { Context } from '../platform/context.ts'
import type { Database } from '../platform/database/database.ts'
import {
  clockMovedChannel,
  databaseReplacedChannel,
  type Signals,
} from '../platform/database/signals.ts'
import { advanceClockOffset, readClockOffset } from './store.ts'

/** A century is more than any test needs, and keeps dates within the range of PostgreSQL and ISO 8601. */
const maximumAheadMs = 36_525 * dayMs

/**
 * Returns the sandbox clock: the machine's clock plus the offset in the database, the same in every process. It never
 * moves backwards, so no past event lies in the future. Only loading a snapshot sets it back.
 */
export async function followClock(db: Database, signals: Signals): Promise<Clock> {
  let aheadMs = await readClockOffset(db)
  signals.on(clockMovedChannel, (payload) => {
    aheadMs = Math.max(aheadMs, Number(payload))
  })
  signals.on('reset', () => {
    readClockOffset(db).then(
      (storedMs) => {
        aheadMs = Math.max(aheadMs, storedMs)
      },
      () => {},
    )
  })
  signals.on(databaseReplacedChannel, (payload) => {
    aheadMs = Number(payload)
  })
  return () => new Date(Date.now() + aheadMs)
}

/** Returns the offset from the machine's clock, in milliseconds, at which a clock shows `moment`. */
export function clockOffsetAt(moment: Date): number {
  return moment.getTime() - Date.now()
}

const Answer = Type.Object({
  now: Timestamp,
  ahead_seconds: Type.Number({
    description: "seconds ahead of the machine's clock; negative if behind",
  }),
})

const getClock = route({
  method: 'GET',
  url: '/operator/clock',
  scope: 'operator',
  permission: 'sandbox:read',
  sites: allSites,
  tag: 'Operator: sandbox',
  summary: 'Get the clock',
  description:
    "Returns the time of the server and its distance from the machine's clock. In production the distance is 0.",
  answers: { 200: Answer },
  async handle({ db, now, config }) {
    const aheadMs = config.mode === 'sandbox' ? await readClockOffset(db) : 0
    return ok({ now: now().toISOString(), ahead_seconds: aheadMs / secondMs })
  },
})

const postClock = route({
  method: 'POST',
  url: '/operator/clock',
  scope: 'operator',
  permission: 'sandbox:write',
  sites: allSites,
  audits: 'clock',
  tag: 'Operator: sandbox',
  summary: 'Move the clock ahead',
  description:
    'Moves the clock of every process, and what falls due meanwhile happens at once. Send either `advance`, a number with its unit (`90s`, `30m`, `12h`, `5d`), or `to`, a time in the future. Only sandboxes accept it (`sandbox_only`). Anything else answers 400 `bad_request`.',
  refuses: {
    sandbox_only: '',
    bad_request: 'advance: expected a number and its unit, such as 90s, 30m, 12h or 5d',
  },
  body: StrictObject({
    advance: Type.Optional(
      Type.String({
        maxLength: 12,
        description: 'How far to move: a number with `s`, `m`, `h` or `d`',
        examples: ['30m'],
      }),
    ),
    to: Type.Optional({ ...Timestamp, description: 'The new time. It must be in the future' }),
  }),
  answers: { 200: Answer },
  async handle({ audit, db, now, config }, { body }) {
    if (config.mode !== 'sandbox') throw new Failure('sandbox_only')
    const before = now()
    const stepped = stepMs(body, before)
    audit.change({
      before: { now: before.toISOString() },
      after: { now: new Date(before.getTime() + stepped).toISOString() },
    })
    const aheadMs = await moveClock({ db }, stepped)
    return ok({ now: now().toISOString(), ahead_seconds: aheadMs / secondMs })
  },
})

/** Advances the stored clock by `byMs`, which must not be negative, and notifies every process on commit. Processes
 * follow within moments. Returns the whole offset from the machine's clock in milliseconds. Throws `bad_request` if it
 * exceeds a century. Only for sandboxes: callers check the mode. */
export async function moveClock({ db }: Pick<Context, 'db'>, byMs: number): Promise<number> {
  return db.transaction(async (tx) => {
    const aheadMs = await advanceClockOffset(tx, byMs)
    if (aheadMs > maximumAheadMs) throw badField('advance', 'less than a century in all')
    tx.publish(clockMovedChannel, String(aheadMs))
    return aheadMs
  })
}

const units: Record<string, number> = { s: secondMs, m: minuteMs, h: hourMs, d: dayMs }

/** Returns by how many milliseconds a body moves the clock, from either `advance` or `to`. Throws `bad_request`. */
function stepMs(body: { advance?: string; to?: string }, now: Date): number {
  if ((body.advance === undefined) === (body.to === undefined)) {
    throw badField('advance', 'either this field or to, not both')
  }
  if (body.advance !== undefined) {
    const match = /^(\d{1,9})([smhd])$/.exec(body.advance)
    const unit = units[match?.[2] ?? '']
    if (!match || !unit)
      throw badField('advance', 'a number and its unit, such as 90s, 30m, 12h or 5d')
    return Number(match[1]) * unit
  }
  const to = parseTimestamp(body.to ?? '')
  if (!to || to <= now) throw badField('to', `a moment after ${now.toISOString()}`)
  return to.getTime() - now.getTime()
}

export const clockRoutes: Route[] = [getClock, postClock]
