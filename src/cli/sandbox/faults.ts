import { answerFaultKinds } from '../../sandbox/answers/fault.ts'
import { clientOf, type Json, type ServerOptions, withQuery } from '../client.ts'
import { UsageFailure } from '../failure.ts'
import { columns, type Output } from '../frame/output.ts'

const ofOrders = '/operator/faults'
const ofReceivers = '/operator/sandbox/receiver-faults'
const ofAnswers = '/operator/sandbox/answer-faults'

/** `feria faults list`: all that this sandbox pretends. */
export async function listFaults(options: ServerOptions, out: Output): Promise<undefined> {
  const client = clientOf(options)
  const [orders, receivers, answers] = await Promise.all([
    client.call('GET', ofOrders),
    client.call('GET', ofReceivers),
    client.call('GET', ofAnswers),
  ])
  const told = {
    order_parts: orders.order_parts,
    receivers: receivers.faults,
    answers: answers.faults,
  }
  out.show(told, () => [
    `parts of orders out of reach: ${told.order_parts.join(', ') || 'none'}`,
    `faults of receivers: ${told.receivers.length === 0 ? 'none' : ''}`.trimEnd(),
    ...columns(told.receivers.map((each: Json) => ['', ...wordsOf(each)])),
    `faults of answers: ${told.answers.length === 0 ? 'none' : ''}`.trimEnd(),
    ...columns(told.answers.map((each: Json) => ['', ...answerWords(each)])),
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
  name?: string
  method?: string
  path?: string
  times?: number
  'retry-after'?: number
  after?: true
}

/** `feria faults set`: a fault of answers or of receivers with `--kind`, or parts of all orders with
 * `--parts` alone. */
export async function setFaults(options: Set, out: Output): Promise<undefined> {
  const isOfAnswers = (answerFaultKinds as readonly (string | undefined)[]).includes(options.kind)
  if (isOfAnswers) return setAnswerFault(options, out)
  const own = ['name', 'method', 'path', 'times', 'retry-after', 'after'] as const
  const extra = own.find((name) => options[name] !== undefined)
  if (extra) throw new UsageFailure(`--${extra}: goes with --kind ${answerFaultKinds.join(', ')}`)
  return setOtherFaults(options, out)
}

async function setAnswerFault(
  { kind, name = kind as string, application, method, path, times, share, seed, ...more }: Set,
  out: Output,
): Promise<undefined> {
  if (more.topic !== undefined) throw new UsageFailure('--topic: is of receivers')
  const said = {
    kind,
    application_id: application,
    method,
    path,
    times,
    share,
    seed,
    status: more.status,
    retry_after: more['retry-after'],
    delay_ms: more['delay-ms'],
    parts: more.parts,
    after: more.after,
  }
  const body = Object.fromEntries(Object.entries(said).filter(([, each]) => each !== undefined))
  const url = `${ofAnswers}/${encodeURIComponent(name)}`
  const answer = await clientOf(more).call('PUT', url, { body })
  out.show(answer, () => answerWords(answer).join('  '))
}

async function setOtherFaults(
  { parts, kind, share, application, topic, status, seed, ...more }: Set,
  out: Output,
): Promise<undefined> {
  if ((parts === undefined) === (kind === undefined)) {
    throw new UsageFailure(
      '--parts (of orders) or --kind (of answers or receivers): one of the two',
    )
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
  answers?: true
  name?: string
  application?: number
  kind?: string
}

/** `feria faults clear`: all, or those that are named. */
export async function clearFaults(
  { orders, receivers, answers, name, application, kind, ...options }: Clear,
  out: Output,
): Promise<undefined> {
  const isNarrowed = application !== undefined || kind !== undefined
  if (orders && isNarrowed) {
    throw new UsageFailure('--application and --kind are of receivers: not with --orders')
  }
  const client = clientOf(options)
  if (name !== undefined) {
    await client.call('DELETE', `${ofAnswers}/${encodeURIComponent(name)}`)
    return out.show({ name }, () => `ended: ${name}`)
  }
  const clearsAll = !(orders || receivers || answers || isNarrowed)
  const clearsOrders = orders || clearsAll
  const clearsReceivers = receivers || isNarrowed || clearsAll
  const clearsAnswers = answers || clearsAll
  if (clearsOrders) await client.call('PUT', ofOrders, { body: { order_parts: [] } })
  if (clearsReceivers) {
    await client.call('DELETE', withQuery(ofReceivers, { application_id: application, kind }))
  }
  if (clearsAnswers) await client.call('DELETE', ofAnswers)
  const cleared = [
    ...(clearsOrders ? ['faults of orders'] : []),
    ...(clearsReceivers ? ['faults of receivers'] : []),
    ...(clearsAnswers ? ['faults of answers'] : []),
  ]
  out.show(
    { orders: clearsOrders, receivers: clearsReceivers, answers: clearsAnswers ?? false },
    () => `ended: ${cleared.join(', ')}`,
  )
}

function wordsOf({ application_id, topic, kind, share, seed, delay_ms, status }: Json): string[] {
  return [
    kind,
    percent(share),
    `application ${application_id ?? 'any'}`,
    `topic ${topic ?? 'any'}`,
    `seed ${seed}`,
    ...(delay_ms === undefined ? [] : [`${delay_ms} ms`]),
    ...(status === undefined ? [] : [`status ${status}`]),
  ]
}

function answerWords({ name, kind, share, application_id, method, path, ...of }: Json): string[] {
  return [
    name,
    kind,
    percent(share),
    `application ${application_id ?? 'any'}`,
    `${method ?? 'any method'} ${path ?? 'any path'}`,
    `seed ${of.seed}`,
    ...(of.status === undefined ? [] : [`status ${of.status}`]),
    ...(of.delay_ms === undefined ? [] : [`${of.delay_ms} ms`]),
    ...(of.retry_after === undefined ? [] : [`after ${of.retry_after} s`]),
    ...(of.parts === undefined ? [] : [of.parts.join(',')]),
    `met ${of.met}${of.times === null ? '' : ` of ${of.times}`}`,
  ]
}

function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100} %`
}
