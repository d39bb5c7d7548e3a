import { readConfig } from '../../platform/config.ts'
import { demoApplication } from '../../sandbox/demo/demo-data.ts'
import {
  applicationOfToken,
  type Json,
  openClient,
  type ServerOptions,
  withQuery,
} from '../client/client.ts'
import { CommandFailure, UsageFailure } from '../frame/failure.ts'
import { alignColumns, type Output } from '../frame/output.ts'

/** The application: given, that of the access token, or the demo application. */
export type ApplicationOptions = ServerOptions & { application?: number }

/** Returns the id of the application. Throws `UsageFailure` if none is given and the server may have no demo data. */
export function applicationOf({ application, token, server }: ApplicationOptions): number {
  const id = application ?? applicationOfToken(token)
  if (id !== undefined) return id
  if (server === undefined && readConfig(process.env).mode === 'sandbox') return demoApplication.id
  throw new UsageFailure('--application is missing. feria applications list shows the ids.')
}

type ListDeliveriesOptions = ApplicationOptions & {
  topic?: string
  resource?: string
  user?: number
  outcome?: string
  since?: string
  until?: string
  missed?: true
  limit?: number
}

const defaultLimit = 20
const maximumPageSize = 1_000

/** `feria deliveries list`: prints the feed, newest first. */
export async function listDeliveriesCommand(
  options: ListDeliveriesOptions,
  out: Output,
): Promise<undefined> {
  const { topic, resource, user, outcome, since, until, limit = defaultLimit } = options
  const filters = { topic, resource, user_id: user, outcome, from: since, to: until }
  let remaining = limit
  let isFirstPage = true
  for await (const { messages, notes } of pagesOf(options, filters, limit)) {
    for (const note of isFirstPage && !out.isJson ? (notes ?? []) : []) {
      out.printNote(`${note.at}  ${note.kind}  ${JSON.stringify(note.details)}`)
    }
    isFirstPage = false
    const page: Json[] = messages.slice(0, remaining)
    remaining -= page.length
    for (const delivery of page) out.printResult(delivery, () => lineOf(delivery))
    if (remaining === 0) return
  }
  if (remaining === limit) out.printNote('No delivery matches.')
}

/** Yields the pages of the feed. An empty page may be followed by others: only the cursor tells the end. */
async function* pagesOf(
  options: ListDeliveriesOptions,
  filters: Record<string, string | number | undefined>,
  limit: number,
): AsyncGenerator<Json> {
  const client = openClient(options)
  const feed = options.missed ? '/missed_feeds' : '/myfeeds'
  const id = applicationOf(options)
  const isOperator = client.prefix === '/operator'
  const path = isOperator ? `/operator/applications/${id}${feed}` : feed
  const query = { ...filters, ...(isOperator ? {} : { app_id: id }) }
  let cursor: string | undefined
  do {
    const page = { ...query, limit: Math.min(limit, maximumPageSize), cursor }
    const answer: Json = await client.call('GET', withQuery(path, page))
    yield answer
    cursor = answer.next_cursor ?? undefined
  } while (cursor !== undefined)
}

function lineOf({ sent, topic, resource, attempts, outcome, response }: Json): string {
  const result = response.http_code ?? outcome
  const attempt = attempts > 1 ? `  attempt ${attempts}` : ''
  return `${sent}  ${topic.padEnd(14)}  ${resource}  ${result}  ${response.req_time} ms${attempt}`
}

type ShowDeliveryOptions = ApplicationOptions & { resource: string; topic?: string }

/** `feria deliveries show RESOURCE`: prints the newest delivery of a resource, with request and answer. */
export async function showDeliveryCommand(
  options: ShowDeliveryOptions,
  out: Output,
): Promise<undefined> {
  const { resource, topic } = options
  for await (const { messages } of pagesOf(options, { resource, topic }, 1)) {
    const [delivery] = messages
    if (delivery) return out.printResult(delivery, () => detailLines(delivery))
  }
  throw new CommandFailure(
    `${resource} has no deliveries. To see why, run: feria deliveries explain ${resource}`,
  )
}

/** Renders a delivery with its request and its response. */
function detailLines(delivery: Json): string[] {
  const { request, response } = delivery
  const headerLines = (headers: object) =>
    Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)
  return [
    lineOf(delivery),
    `notification ${delivery._id} of user ${delivery.user_id}, received ${delivery.received}`,
    '',
    `POST ${request.url}`,
    ...headerLines(request.headers),
    `  ${request.data}`,
    '',
    response.http_code === null
      ? `no answer (${delivery.outcome})`
      : `answered ${response.http_code}`,
    ...headerLines(response.headers),
    ...(response.body ? [`  ${response.body}`] : []),
  ]
}

type ExplainDeliveryOptions = ApplicationOptions & {
  resource: string
  topic?: string
  user?: number
}

/** `feria deliveries explain RESOURCE`: prints why notifications of a resource did or did not arrive. */
export async function explainDeliveryCommand(
  options: ExplainDeliveryOptions,
  out: Output,
): Promise<undefined> {
  const { resource, topic, user } = options
  const client = openClient(options)
  const path = `${client.prefix}/applications/${applicationOf(options)}/notifications/explain`
  const query = { resource, topic, user_id: user }
  const answer = await client.call('GET', withQuery(path, query))
  out.printResult(answer, () =>
    alignColumns(
      answer.explained.map(({ received, topic, outcome, says }: Json) => [
        received ?? '-',
        topic ?? '-',
        outcome,
        says,
      ]),
    ),
  )
}

type QueueOptions = ServerOptions & { application: number }

const queuePath = (id: number) => `/operator/applications/${id}/queue`

/** `feria deliveries queue ID`: prints the delivery queue of an application. */
export async function showQueueCommand(
  { application, ...options }: QueueOptions,
  out: Output,
): Promise<undefined> {
  printQueue(await openClient(options).call('GET', queuePath(application)), out)
}

/** `feria deliveries pause ID`. */
export async function pauseQueueCommand(
  { application, ...options }: QueueOptions,
  out: Output,
): Promise<undefined> {
  const body = { state: 'paused' }
  printQueue(await openClient(options).call('PATCH', queuePath(application), { body }), out)
}

/** `feria deliveries resume ID [--with …]`. */
export async function resumeQueueCommand(
  { application, with: resume, ...options }: QueueOptions & { with?: string },
  out: Output,
): Promise<undefined> {
  const body = { state: 'open', ...(resume === undefined ? {} : { resume }) }
  printQueue(await openClient(options).call('PATCH', queuePath(application), { body }), out)
}

/** Prints the state, backlog and limits of a delivery queue. */
function printQueue(queue: Json, out: Output): void {
  const rate = queue.rate_per_second === null ? '' : `, ${queue.rate_per_second} a second`
  out.printResult(queue, () => [
    `application ${queue.application_id}: ${queue.state}, ${queue.health}`,
    ...alignColumns([
      ['  callback', queue.callback_url ?? 'none'],
      ['  waiting', `${queue.waiting} for the first attempt`],
      [
        '  parked',
        `${queue.parked} for a retry${queue.retry_due ? `, next ${queue.retry_due}` : ''}`,
      ],
      ['  lost', String(queue.lost)],
      ['  in flight', `up to ${queue.in_flight}${rate}`],
      ...(queue.failing_since ? [['  failing since', queue.failing_since]] : []),
      ...queue.notes.map((note: Json) => [`  ${note.kind}`, note.at]),
    ]),
  ])
}
