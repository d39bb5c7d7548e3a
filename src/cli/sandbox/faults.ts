import type { RequestBody, ResponseBody } from 'feria/client'
import { answerFaultKinds } from '../../sandbox/answers/fault.ts'
import { demoApplication } from '../../sandbox/demo/ids.ts'
import { openClient, type ServerOptions } from '../client/client.ts'
import { UsageFailure } from '../frame/failure.ts'
import { alignColumns, type Output } from '../frame/output.ts'

const orderFaultsPath = '/operator/faults'
const receiverFaultsPath = '/operator/sandbox/receiver-faults'
const answerFaultsPath = '/operator/sandbox/answer-faults'
const answerFaultPath = `${answerFaultsPath}/{name}` as const

type AnswerFaultBody = RequestBody<typeof answerFaultPath, 'put'>
type ReceiverFaultBody = RequestBody<typeof receiverFaultsPath, 'put'>
type AnswerFault = ResponseBody<typeof answerFaultPath, 'put'>
type ReceiverFault = ResponseBody<typeof receiverFaultsPath, 'put'>

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
    ...alignColumns(faults.receivers.map((fault) => ['', ...receiverFaultCells(fault)])),
    `faults of answers: ${faults.answers.length === 0 ? 'none' : ''}`.trimEnd(),
    ...alignColumns(faults.answers.map((fault) => ['', ...answerFaultCells(fault)])),
  ])
}

type SetOptions = ServerOptions & {
  parts?: NonNullable<AnswerFaultBody['parts']>
  kind?: AnswerFaultBody['kind'] | ReceiverFaultBody['kind']
  share?: number
  application?: number
  topic?: NonNullable<ReceiverFaultBody['topic']>
  'delay-ms'?: number
  status?: number
  seed?: number
  name?: string
  method?: NonNullable<AnswerFaultBody['method']>
  path?: string
  times?: number
  'retry-after'?: number
  after?: true
}

/** `feria faults set`: sets a fault of answers or receivers (`--kind`), or missing parts of all orders (`--parts`). */
export async function setFaultsCommand(options: SetOptions, out: Output): Promise<undefined> {
  const { kind, ...others } = options
  if (isAnswerFaultKind(kind)) return setAnswerFault({ kind, ...others }, out)
  const answerOptions = ['name', 'method', 'path', 'times', 'retry-after', 'after'] as const
  const extra = answerOptions.find((name) => options[name] !== undefined)
  if (extra)
    throw new UsageFailure(`--${extra} works only with --kind ${answerFaultKinds.join(', ')}.`)
  return setOtherFaults({ ...others, ...(kind === undefined ? {} : { kind }) }, out)
}

function isAnswerFaultKind(kind: SetOptions['kind']): kind is AnswerFaultBody['kind'] {
  return answerFaultKinds.some((answerFaultKind) => answerFaultKind === kind)
}

/** Sets a fault of answers. Its name is the kind unless one is given. */
async function setAnswerFault(
  {
    kind,
    name = kind,
    application,
    method,
    path,
    times,
    share,
    seed,
    ...options
  }: SetOptions & { kind: AnswerFaultBody['kind'] },
  out: Output,
): Promise<undefined> {
  if (options.topic !== undefined)
    throw new UsageFailure('--topic works only with faults of receivers.')
  const body = {
    kind,
    application_id: application,
    method,
    path,
    times,
    share,
    seed,
    // The server names the statuses that it takes.
    status: options.status as Exclude<AnswerFaultBody['status'], undefined>,
    retry_after: options['retry-after'],
    delay_ms: options['delay-ms'],
    parts: options.parts,
    after: options.after,
  }
  const answer = await openClient(options).call('PUT', answerFaultPath, { path: { name }, body })
  out.printResult(answer, () => answerFaultCells(answer).join('  '))
}

/** Sets missing parts of orders, or a fault of receivers. Throws `UsageFailure` for options of the other one. */
async function setOtherFaults(
  {
    parts,
    kind,
    share,
    application,
    topic,
    status,
    seed,
    ...options
  }: SetOptions & { kind?: ReceiverFaultBody['kind'] },
  out: Output,
): Promise<undefined> {
  const eitherOr = 'Give either --parts (of orders) or --kind (of answers or receivers).'
  if (parts !== undefined && kind !== undefined) throw new UsageFailure(eitherOr)
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
  if (kind === undefined) throw new UsageFailure(eitherOr)
  const body = {
    kind,
    share: share ?? 1,
    application_id: application,
    topic,
    delay_ms: delayMs,
    status,
    seed,
  }
  const answer = await client.call('PUT', receiverFaultsPath, { body })
  out.printResult(answer, () => receiverFaultCells(answer).join('  '))
  await warnWithoutCallback(client, application, out)
}

/** Prints a note if the application has no callback URL: faults of receivers do not affect listeners. */
async function warnWithoutCallback(
  client: ReturnType<typeof openClient>,
  application: number | undefined,
  out: Output,
): Promise<void> {
  const id = application ?? demoApplication.id
  const path = { id }
  const { callback_url: callback } = await client
    .call('GET', '/operator/applications/{id}', { path })
    // The fault is set already, and any application may be registered later.
    .catch(() => ({ callback_url: undefined }))
  if (callback !== null) return
  out.printNote(
    `Application ${id} has no callback URL. Faults of receivers do not affect \`feria listen\`. Set a callback URL to meet them.`,
  )
}

type ClearOptions = ServerOptions & {
  orders?: true
  receivers?: true
  answers?: true
  name?: string
  application?: number
  kind?: ReceiverFaultBody['kind']
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
    await client.call('DELETE', answerFaultPath, { path: { name } })
    return out.printResult({ name }, () => `cleared: ${name}`)
  }
  const clearsAll = !(orders || receivers || answers || isNarrowed)
  const clearsOrders = orders || clearsAll
  const clearsReceivers = receivers || isNarrowed || clearsAll
  const clearsAnswers = answers || clearsAll
  if (clearsOrders) await client.call('PUT', orderFaultsPath, { body: { order_parts: [] } })
  if (clearsReceivers) {
    const query = { application_id: application, kind }
    await client.call('DELETE', receiverFaultsPath, { query })
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
}: ReceiverFault): string[] {
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
}: AnswerFault): string[] {
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
