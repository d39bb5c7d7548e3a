import { Type } from 'typebox'
import { ok, type Route, route } from '../http/route.ts'
import { type Clock, dayMs, hourMs, minuteMs, parseTimestamp, secondMs } from '../kernel/clock.ts'
import { badField, Failure } from '../kernel/failure.ts'
import { Strict, Timestamp } from '../kernel/schema.ts'
import type { Context } from '../platform/context.ts'
import type { Database } from '../platform/database/database.ts'
import { clockMoved, type Signals, worldReplaced } from '../platform/database/signals.ts'
import { advanceClock, readClock } from './store.ts'

/** A century: further than any test needs, and dates stay within what PostgreSQL and ISO 8601 hold. */
const furthestMs = 36_525 * dayMs

/**
 * The sandbox's clock: the machine's, moved ahead by what all processes agree on through the
 * database. It never runs backwards, so nothing that has happened lies in the future; another world
 * that is loaded brings its own time along.
 */
export async function followClock(db: Database, signals: Signals): Promise<Clock> {
  let aheadMs = await readClock(db)
  signals.on(clockMoved, (payload) => {
    aheadMs = Math.max(aheadMs, Number(payload))
  })
  signals.on('reset', () => {
    readClock(db).then(
      (read) => {
        aheadMs = Math.max(aheadMs, read)
      },
      () => {},
    )
  })
  signals.on(worldReplaced, (payload) => {
    aheadMs = Number(payload)
  })
  return () => new Date(Date.now() + aheadMs)
}

/** How far a clock that shows this moment is ahead of the machine's, in milliseconds. */
export function aheadAt(moment: Date): number {
  return moment.getTime() - Date.now()
}

const Answer = Type.Object({
  now: Timestamp,
  ahead_seconds: Type.Number({ description: "how far ahead of the machine's clock" }),
})

const getClock = route({
  method: 'GET',
  url: '/operator/clock',
  scope: 'operator',
  tag: 'Operator: sandbox',
  summary: 'What time it is here',
  answers: { 200: Answer },
  async handle({ db, now, config }) {
    const aheadMs = config.mode === 'sandbox' ? await readClock(db) : 0
    return ok({ now: now().toISOString(), ahead_seconds: aheadMs / secondMs })
  },
})

const postClock = route({
  method: 'POST',
  url: '/operator/clock',
  scope: 'operator',
  tag: 'Operator: sandbox',
  summary: 'Move the clock ahead: what falls due meanwhile happens at once',
  description:
    'In sandbox mode only. `advance` is a number with its unit (`90s`, `30m`, `12h`, `5d`); `to` is a moment that has not come yet. One of the two.',
  body: Strict({
    advance: Type.Optional(Type.String({ maxLength: 12 })),
    to: Type.Optional(Timestamp),
  }),
  answers: { 200: Answer },
  async handle({ db, now, config }, { body }) {
    if (config.mode !== 'sandbox') throw new Failure('sandbox_only')
    const aheadMs = await moveClock({ db }, stepMs(body, now()))
    return ok({ now: now().toISOString(), ahead_seconds: aheadMs / secondMs })
  },
})

/** Moves every process's clock; returns how far ahead of the machine's it is now. */
export async function moveClock({ db }: Pick<Context, 'db'>, byMs: number): Promise<number> {
  return db.transaction(async (tx) => {
    const aheadMs = await advanceClock(tx, byMs)
    if (aheadMs > furthestMs) throw badField('advance', 'less than a century in all')
    tx.publish(clockMoved, String(aheadMs))
    return aheadMs
  })
}

const units: Record<string, number> = { s: secondMs, m: minuteMs, h: hourMs, d: dayMs }

function stepMs(body: { advance?: string; to?: string }, now: Date): number {
  if ((body.advance === undefined) === (body.to === undefined)) {
    throw badField('advance', 'this field or to, one of the two')
  }
  if (body.advance !== undefined) {
    const found = /^(\d{1,9})([smhd])$/.exec(body.advance)
    const unit = units[found?.[2] ?? '']
    if (!found || !unit)
      throw badField('advance', 'a number and its unit, such as 90s, 30m, 12h or 5d')
    return Number(found[1]) * unit
  }
  const to = parseTimestamp(body.to ?? '')
  if (!to || to <= now) throw badField('to', `a moment after ${now.toISOString()}`)
  return to.getTime() - now.getTime()
}

export const clockRoutes: Route[] = [getClock, postClock]
