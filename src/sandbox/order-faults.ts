import { ok, type Route, route } from '../http/route.ts'
import { allSites } from '../http/site-rule.ts'
import { Failure } from '../kernel/failure.ts'
import { DistinctListOf, StrictObject } from '../kernel/schema.ts'
import { orderPartNames } from '../orders/view.ts'
import type { Context } from '../platform/context.ts'
import type { Database } from '../platform/database/database.ts'
import type { Signals } from '../platform/database/signals.ts'
import { readOrderFaults, saveOrderFaults } from './store.ts'
import { versionedOrderFaults } from './versioned-faults.ts'

const orderFaultsChanged = 'faults'

/**
 * Returns a function that returns the simulated outages, the same in every process. The payload of a signal takes effect
 * at once, so that the next request meets a new fault. The table is read afterwards, because signals may cross.
 */
export async function followOrderFaults(
  db: Database,
  signals: Signals,
): Promise<Context['faults']> {
  let faults: ReadonlySet<string> = new Set(await readOrderFaults(db))
  let latestRead = 0
  const readAgain = () => {
    const thisRead = ++latestRead
    readOrderFaults(db).then(
      (names) => {
        if (thisRead === latestRead) faults = new Set(names)
      },
      () => {},
    )
  }
  signals.on(orderFaultsChanged, (payload) => {
    faults = new Set(payload === '' ? [] : payload.split(','))
    readAgain()
  })
  signals.on('reset', readAgain)
  return () => faults
}

const Faults = StrictObject({
  order_parts: DistinctListOf(orderPartNames, {
    description: 'Parts that orders lack. Empty: none',
  }),
})

const getFaults = route({
  method: 'GET',
  url: '/operator/faults',
  scope: 'operator',
  permission: 'sandbox:read',
  sites: allSites,
  versioned: versionedOrderFaults,
  tag: 'Operator: sandbox',
  summary: 'List the simulated missing parts of orders',
  description: 'Returns the parts that orders lack at the moment. Empty in production.',
  answers: { 200: Faults },
  async handle({ db, config }) {
    const names = config.mode === 'sandbox' ? await readOrderFaults(db) : []
    return { ...ok({ order_parts: names }), state: names }
  },
})

const putFaults = route({
  method: 'PUT',
  url: '/operator/faults',
  scope: 'operator',
  permission: 'sandbox:write',
  sites: allSites,
  audits: 'fault',
  versioned: versionedOrderFaults,
  tag: 'Operator: sandbox',
  summary: 'Simulate missing parts of orders',
  description:
    'Orders are answered with 206 and without these parts, and `X-Content-Missing` names them. The list replaces the one before; an empty list ends the fault. Only sandboxes accept it (`sandbox_only`).',
  refuses: { sandbox_only: '' },
  body: Faults,
  answers: { 200: Faults },
  async handle({ audit, db, config }, { body }) {
    if (config.mode !== 'sandbox') throw new Failure('sandbox_only')
    const names = body.order_parts.toSorted()
    await db.transaction(async (tx) => {
      const before = await readOrderFaults(tx)
      audit.change({ before: { order_parts: before }, after: { order_parts: names } })
      await saveOrderFaults(tx, names)
      tx.publish(orderFaultsChanged, names.join())
    })
    return { ...ok({ order_parts: names }), state: names }
  },
})

export const faultRoutes: Route[] = [getFaults, putFaults]
