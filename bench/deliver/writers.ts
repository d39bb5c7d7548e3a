import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { monotonicMs } from './clock.ts'

/** An item whose price sellers' programs change. */
export interface Item {
  id: string
  token: string
}

/** What came of the changes that were due. */
export interface Written {
  /** When each change of an item was acknowledged, on `monotonicMs`, by the item's id. */
  acknowledged: Map<string, number[]>
  /** Items of which a change was refused or its answer lost, so that it may have happened. */
  unsure: Set<string>
  /** How long each answer took, in milliseconds. */
  answerMs: number[]
  /** Changes that were not begun: their item's last one was under way, or too many were. */
  notBegun: number
  seconds: number
}

const connections = 200
const mostUnderWay = 500

/**
 * Changes prices at a steady rate, one item after the other: each change begins when it is due, however the one
 * before fared. `from` is the first price; no price comes twice, for a change to the same price is none. Two changes of one item never overlap, so that the first notification of it is that of the first.
 */
export async function changePrices(
  address: string,
  of: { items: readonly Item[]; from: number; perSecond: number; seconds: number },
): Promise<Written> {
  const { items, from, perSecond, seconds } = of
  const pool = new Pool(address, { connections })
  const written: Written = {
    ...{ acknowledged: new Map(), unsure: new Set(), answerMs: [], notBegun: 0, seconds },
  }
  const busy = new Set<string>()
  const under = new Set<Promise<void>>()
  const change = async ({ id, token }: Item, n: number) => {
    const began = monotonicMs()
    try {
      const { statusCode, body } = await pool.request({
        ...{ method: 'PUT', path: `/items/${id}`, body: JSON.stringify({ price: from + n }) },
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      })
      const at = monotonicMs()
      await body.dump()
      if (statusCode !== 200) throw new Error(`${statusCode}`)
      written.answerMs.push(at - began)
      const times = written.acknowledged.get(id)
      if (times) times.push(at)
      else written.acknowledged.set(id, [at])
    } catch {
      written.unsure.add(id)
    } finally {
      busy.delete(id)
    }
  }
  const beganAt = monotonicMs()
  for (let n = 0; n < perSecond * seconds; n++) {
    const wait = beganAt + (n / perSecond) * 1_000 - monotonicMs()
    if (wait > 1) await pause(wait)
    const item = items[n % items.length] as Item
    if (busy.has(item.id) || under.size >= mostUnderWay) {
      written.notBegun++
      continue
    }
    busy.add(item.id)
    const one = change(item, n).finally(() => under.delete(one))
    under.add(one)
  }
  await Promise.all(under)
  await pool.close()
  return written
}
