import { clientOf, type Json, type ServerOptions, withQuery } from '../client.ts'
import { UsageFailure } from '../failure.ts'
import { columns, type Output } from '../frame/output.ts'

const ofOrders = '/operator/faults'
const ofReceivers = '/operator/sandbox/receiver-faults'

/** `feria faults list`: all that this sandbox pretends. */
export async function listFaults(options: ServerOptions, out: Output): Promise<undefined> {
  const client = clientOf(options)
  const [orders, receivers] = await Promise.all([
    client.call('GET', ofOrders),
    client.call('GET', ofReceivers),
  ])
  const told = { order_parts: orders.order_parts, receivers: receivers.faults }
  out.show(told, () => [
    `parts of orders out of reach: ${told.order_parts.join(', ') || 'none'}`,
    `faults of receivers: ${told.receivers.length === 0 ? 'none' : ''}`.trimEnd(),
    ...columns(told.receivers.map((each: Json) => ['', ...wordsOf(each)])),
  ])
}

type Set = ServerOptions & {
  parts?: readonly string[]
  kind?: string
  share?: number
  application?: number
  topic?: string
  'delay-ms'?: number
  status?: number
  seed?: number
}

/** `feria faults set`: parts of orders with `--parts`, a fault of receivers with `--kind`. */
export async function setFaults(
  { parts, kind, share, application, topic, status, seed, ...more }: Set,
  out: Output,
): Promise<undefined> {
  if ((parts === undefined) === (kind === undefined)) {
    throw new UsageFailure('--parts (of orders) or --kind (of receivers): one of the two')
  }
  const client = clientOf(more)
  const delayMs = more['delay-ms']
  if (parts !== undefined) {
    const others = { share, application, topic, 'delay-ms': delayMs, status, seed }
    const extra = Object.entries(others).find(([, value]) => value !== undefined)
    if (extra) throw new UsageFailure(`--${extra[0]}: goes with --kind only`)
    const answer = await client.call('PUT', ofOrders, { body: { order_parts: parts } })
    return out.show(answer, () => `out of reach: ${answer.order_parts.join(', ')}`)
  }
  const body = {
    kind,
    share: share ?? 1,
    ...(application === undefined ? {} : { application_id: application }),
    ...(topic === undefined ? {} : { topic }),
    ...(delayMs === undefined ? {} : { delay_ms: delayMs }),
    ...(status === undefined ? {} : { status }),
    ...(seed === undefined ? {} : { seed }),
  }
  const answer = await client.call('PUT', ofReceivers, { body })
  out.show(answer, () => wordsOf(answer).join('  '))
}

type Clear = ServerOptions & {
  orders?: true
  receivers?: true
  application?: number
  kind?: string
}

/** `feria faults clear`: all, or those that are named. */
export async function clearFaults(
  { orders, receivers, application, kind, ...options }: Clear,
  out: Output,
): Promise<undefined> {
  const isNarrowed = application !== undefined || kind !== undefined
  if (orders && isNarrowed) {
    throw new UsageFailure('--application and --kind are of receivers: not with --orders')
  }
  const client = clientOf(options)
  const clearsOrders = orders || !(receivers || isNarrowed)
  const clearsReceivers = receivers || isNarrowed || !orders
  if (clearsOrders) await client.call('PUT', ofOrders, { body: { order_parts: [] } })
  if (clearsReceivers) {
    await client.call('DELETE', withQuery(ofReceivers, { application_id: application, kind }))
  }
  const cleared = [
    ...(clearsOrders ? ['faults of orders'] : []),
    ...(clearsReceivers ? ['faults of receivers'] : []),
  ]
  out.show(
    { orders: clearsOrders, receivers: clearsReceivers },
    () => `ended: ${cleared.join(', ')}`,
  )
}

function wordsOf({ application_id, topic, kind, share, seed, delay_ms, status }: Json): string[] {
  return [
    kind,
    `${Math.round(share * 10_000) / 100} %`,
    `application ${application_id ?? 'any'}`,
    `topic ${topic ?? 'any'}`,
    `seed ${seed}`,
    ...(delay_ms === undefined ? [] : [`${delay_ms} ms`]),
    ...(status === undefined ? [] : [`status ${status}`]),
  ]
}
