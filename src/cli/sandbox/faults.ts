import { answerFaultKinds } from '../../sandbox/answers/fault.ts'
import { type Json, openClient, type ServerOptions, withQuery } from '../client/client.ts'
import { UsageFailure } from '../frame/failure.ts'
import { alignColumns, type Output } from '../frame/output.ts'

const orderFaultsPath = '/operator/faults'
const receiverFaultsPath = '/operator/sandbox/receiver-faults'
const answerFaultsPath = '/operator/sandbox/answer-faults'

/** `feria faults list`: prints all simulated faults. */
export async function listFaultsCommand(options: ServerOptions, out: Output): Promise<undefined> {
  const client = openClient(options)
  const [orders, receivers, answers] = await Promise.all([
    client.call('GET', orderFaultsPath),
    client.call('GET', receiverFaultsPath),
    client.call('GET', answerFaultsPath),
  ])
  const faults = {
    order_parts: orders.order_parts,
    receivers: receivers.faults,
    answers: answers.faults,
  }
  out.printResult(faults, () => [
    `missing parts of orders: ${faults.order_parts.join(', ') || 'none'}`,
    `faults of receivers: ${faults.receivers.length === 0 ? 'none' : ''}`.trimEnd(),
    ...alignColumns(faults.receivers.map((fault: Json) => ['', ...receiverFaultCells(fault)])),
    `faults of answers: ${faults.answers.length === 0 ? 'none' : ''}`.trimEnd(),
    ...alignColumns(faults.answers.map((fault: Json) => ['', ...answerFaultCells(fault)])),
  ])
}

type SetOptions = ServerOptions & {
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

/** `feria faults set`: sets a fault of answers or receivers (`--kind`), or missing parts of all orders (`--parts`). */
export async function setFaultsCommand(options: SetOptions, out: Output): Promise<undefined> {
  const isOfAnswers = (answerFaultKinds as readonly (string | undefined)[]).includes(options.kind)
  if (isOfAnswers) return setAnswerFault(options, out)
  const answerOptions = ['name', 'method', 'path', 'times', 'retry-after', 'after'] as const
  const extra = answerOptions.find((name) => options[name] !== undefined)
  if (extra)
    throw new UsageFailure(`--${extra} works only with --kind ${answerFaultKinds.join(', ')}.`)
  return setOtherFaults(options, out)
}

/** Sets a fault of answers. Its name is the kind unless one is given. */
async function setAnswerFault(
  {
    kind,
    name = kind as string,
    application,
    method,
    path,
    times,
    share,
    seed,
    ...options
  }: SetOptions,
  out: Output,
): Promise<undefined> {
  if (options.topic !== undefined)
    throw new UsageFailure('--topic works only with faults of receivers.')
  const fields = {
    kind,
    application_id: application,
    method,
    path,
    times,
    share,
    seed,
    status: options.status,
    retry_after: options['retry-after'],
    delay_ms: options['delay-ms'],
    parts: options.parts,
    after: options.after,
  }
  const body = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const url = `${answerFaultsPath}/${encodeURIComponent(name)}`
  const answer = await openClient(options).call('PUT', url, { body })
  out.printResult(answer, () => answerFaultCells(answer).join('  '))
}

/** Sets missing parts of orders, or a fault of receivers. Throws `UsageFailure` for options of the other one. */
async function setOtherFaults(
  { parts, kind, share, application, topic, status, seed, ...options }: SetOptions,
  out: Output,
): Promise<undefined> {
  if ((parts === undefined) === (kind === undefined)) {
    throw new UsageFailure('Give either --parts (of orders) or --kind (of answers or receivers).')
  }
  const client = openClient(options)
  const delayMs = options['delay-ms']
  if (parts !== undefined) {
    const others = { share, application, topic, 'delay-ms': delayMs, status, seed }
    const extra = Object.entries(others).find(([, value]) => value !== undefined)
    if (extra) throw new UsageFailure(`--${extra[0]} works only with --kind.`)
    const answer = await client.call('PUT', orderFaultsPath, { body: { order_parts: parts } })
    return out.printResult(
      answer,
      () => `missing parts of orders: ${answer.order_parts.join(', ')}`,
    )
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
  const answer = await client.call('PUT', receiverFaultsPath, { body })
  out.printResult(answer, () => receiverFaultCells(answer).join('  '))
}

type ClearOptions = ServerOptions & {
  orders?: true
  receivers?: true
  answers?: true
  name?: string
  application?: number
  kind?: string
}

/** `feria faults clear`: clears all faults, or the given ones. */
export async function clearFaultsCommand(
  { orders, receivers, answers, name, application, kind, ...options }: ClearOptions,
  out: Output,
): Promise<undefined> {
  const isNarrowed = application !== undefined || kind !== undefined
  if (orders && isNarrowed) {
    throw new UsageFailure(
      '--application and --kind are for faults of receivers: do not use them with --orders.',
    )
  }
  const client = openClient(options)
  if (name !== undefined) {
    await client.call('DELETE', `${answerFaultsPath}/${encodeURIComponent(name)}`)
    return out.printResult({ name }, () => `cleared: ${name}`)
  }
  const clearsAll = !(orders || receivers || answers || isNarrowed)
  const clearsOrders = orders || clearsAll
  const clearsReceivers = receivers || isNarrowed || clearsAll
  const clearsAnswers = answers || clearsAll
  if (clearsOrders) await client.call('PUT', orderFaultsPath, { body: { order_parts: [] } })
  if (clearsReceivers) {
    await client.call(
      'DELETE',
      withQuery(receiverFaultsPath, { application_id: application, kind }),
    )
  }
  if (clearsAnswers) await client.call('DELETE', answerFaultsPath)
  const cleared = [
    ...(clearsOrders ? ['faults of orders'] : []),
    ...(clearsReceivers ? ['faults of receivers'] : []),
    ...(clearsAnswers ? ['faults of answers'] : []),
  ]
  out.printResult(
    { orders: clearsOrders, receivers: clearsReceivers, answers: clearsAnswers ?? false },
    () => `cleared: ${cleared.join(', ')}`,
  )
}

/** Returns the columns of a fault of receivers. */
function receiverFaultCells({
  application_id,
  topic,
  kind,
  share,
  seed,
  delay_ms,
  status,
}: Json): string[] {
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

/** Returns the columns of a fault of answers. */
function answerFaultCells({
  name,
  kind,
  share,
  application_id,
  method,
  path,
  ...fault
}: Json): string[] {
  return [
    name,
    kind,
    percent(share),
    `application ${application_id ?? 'any'}`,
    `${method ?? 'any method'} ${path ?? 'any path'}`,
    `seed ${fault.seed}`,
    ...(fault.status === undefined ? [] : [`status ${fault.status}`]),
    ...(fault.delay_ms === undefined ? [] : [`${fault.delay_ms} ms`]),
    ...(fault.retry_after === undefined ? [] : [`after ${fault.retry_after} s`]),
    ...(fault.parts === undefined ? [] : [fault.parts.join(',')]),
    `met ${fault.met}${fault.times === null ? '' : ` of ${fault.times}`}`,
  ]
}

function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100} %`
}
