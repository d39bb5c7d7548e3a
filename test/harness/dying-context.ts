import type { Context } from '../../src/platform/context.ts'
import { override } from './override.ts'

const dead = () => Promise.reject(new Error('the process is killed'))

/**
 * Returns the context of a process that dies at its n-th transaction of a kind, before or after the commit. Nothing that
 * it does later reaches the database. `bulk` counts transactions that copy rows.
 */
export function dyingContext(
  ctx: Context,
  { at, moment, kind = 'transaction' }: { at: number; moment: 'before' | 'after'; kind?: Kind },
): Context {
  const { db } = ctx
  const counts = { transaction: 0, bulk: 0 }
  let isDead = false
  /** Returns `begin`, which begins a transaction, so that it dies in the one that is asked for. */
  function mortal<Tx>(counted: Kind, begin: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>) {
    return async <T>(work: (tx: Tx) => T | Promise<T>): Promise<T> => {
      if (isDead) return dead()
      isDead = counted === kind && ++counts[counted] === at
      if (!isDead) return begin(async (tx) => work(tx))
      if (moment === 'after') {
        await begin(async (tx) => work(tx))
        return dead()
      }
      // The statements were sent, and are never committed.
      return begin(async (tx) => {
        await work(tx)
        return dead()
      })
    }
  }
  return {
    ...ctx,
    db: override(db, {
      rows: (statement) => (isDead ? dead() : db.rows(statement)),
      row: (statement) => (isDead ? dead() : db.row(statement)),
      transaction: mortal('transaction', (work) => db.transaction(work)),
      bulk: mortal('bulk', (work) => db.bulk(work)),
    }),
  }
}

type Kind = 'transaction' | 'bulk'
