import { ok, type Route, route } from '../http/route.ts'
import { Failure } from '../kernel/failure.ts'
import { SomeOf, Strict } from '../kernel/schema.ts'
import { parts } from '../orders/view.ts'
import type { Context } from '../platform/context.ts'
import type { Database } from '../platform/database/database.ts'
import type { Signals } from '../platform/database/signals.ts'
import { readFaults, saveFaults } from './store.ts'

const faultsSet = 'faults'

/**
 * What this sandbox pretends to be out of reach, as all processes agree on through the database. A
 * signal is believed at once, so that whoever sets faults meets them with the next request; then the
 * table is asked, because signals of two processes may cross.
 */
export async function followFaults(db: Database, signals: Signals): Promise<Context['faults']> {
  let faults: ReadonlySet<string> = new Set(await readFaults(db))
  let asked = 0
  const ask = () => {
    const mine = ++asked
    readFaults(db).then(
      (names) => {
        if (mine === asked) faults = new Set(names)
      },
      () => {},
    )
  }
  signals.on(faultsSet, (payload) => {
    faults = new Set(payload === '' ? [] : payload.split(','))
    ask()
  })
  signals.on('reset', ask)
  return () => faults
}

const Faults = Strict({
  order_parts: SomeOf(parts, { description: 'parts of orders that cannot be had' }),
})

const getFaults = route({
  method: 'GET',
  url: '/operator/faults',
  scope: 'operator',
  tag: 'Operator: sandbox',
  summary: 'What is pretended to be out of reach',
  answers: { 200: Faults },
  async handle({ db, config }) {
    return ok({ order_parts: config.mode === 'sandbox' ? await readFaults(db) : [] })
  },
})

const putFaults = route({
  method: 'PUT',
  url: '/operator/faults',
  scope: 'operator',
  tag: 'Operator: sandbox',
  summary: 'Pretend that parts of orders are out of reach',
  description:
    'In sandbox mode only: orders are answered with 206 and without these parts (contract 4.3) until they are set anew; an empty list ends it.',
  body: Faults,
  answers: { 200: Faults },
  async handle({ db, config }, { body }) {
    if (config.mode !== 'sandbox') throw new Failure('sandbox_only')
    const names = body.order_parts.toSorted()
    await db.transaction(async (tx) => {
      await saveFaults(tx, names)
      tx.publish(faultsSet, names.join())
    })
    return ok({ order_parts: names })
  },
})

export const faultRoutes: Route[] = [getFaults, putFaults]
