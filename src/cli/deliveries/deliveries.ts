import type { QueryOf, RequestBody, ResponseBody } from 'feria/client'
import { readConfig } from '../../platform/config.ts'
import { demoApplication } from '../../sandbox/demo/ids.ts'
import { applicationOfToken, openClient, type ServerOptions } from '../client/client.ts'
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

type FeedQuery = QueryOf<'/myfeeds'>
type FeedPage = ResponseBody<'/myfeeds', 'get'>
type Delivery = FeedPage['messages'][number]

type ListDeliveriesOptions = ApplicationOptions & {
  topic?: string
  resource?: string
  user?: number
  outcome?: NonNullable<FeedQuery['outcome']>
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
    const page = messages.slice(0, remaining)
    remaining -= page.length
    for (const delivery of page) out.printResult(delivery, () => lineOf(delivery))
    if (remaining === 0) return
  }
  if (remaining === limit) out.printNote('No delivery matches.')
}

type FeedFilters = { [Name in keyof FeedQuery]: FeedQuery[Name] | undefined }

/** Yields the pages of the feed. An empty page may be followed by others: only the cursor tells the end. */
async function* pagesOf(
  options: ListDeliveriesOptions,
  filters: FeedFilters,
  limit: number,
): AsyncGenerator<FeedPage> {
  const client = openClient(options)
  const feed = options.missed ? '/missed_feeds' : '/myfeeds'
  const id = applicationOf(options)
  const read = (query: FeedFilters): Promise<FeedPage> =>
    client.prefix === '/operator'
      ? client.call('GET', `/operator/applications/{application_id}${feed}`, {
          path: { application_id: id },
          query,
        })
      : client.call('GET', feed, { query: { ...query, app_id: id } })
  let cursor: string | undefined
  do {
    const answer = await read({ ...filters, limit: Math.min(limit, maximumPageSize), cursor })
    yield answer
    cursor = answer.next_cursor ?? undefined
  } while (cursor !== undefined)
}

function lineOf({ sent, topic, resource, attempts, outcome, response }: Delivery): string {
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
function detailLines(delivery: Delivery): string[] {
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

type ExplainQuery = QueryOf<'/applications/{application_id}/notifications/explain'>
type ExplainDeliveryOptions = ApplicationOptions & {
  resource: string
  topic?: NonNullable<ExplainQuery['topic']>
  user?: number
}

/** `feria deliveries explain RESOURCE`: prints why notifications of a resource did or did not arrive. */
export async function explainDeliveryCommand(
  options: ExplainDeliveryOptions,
  out: Output,
): Promise<undefined> {
  const { resource, topic, user } = options
  const client = openClient(options)
  const path = `${client.prefix}/applications/{application_id}/notifications/explain` as const
  const answer = await client.call('GET', path, {
    path: { application_id: applicationOf(options) },
    query: { resource, topic, user_id: user },
  })
  out.printResult(answer, () =>
    alignColumns(
      answer.explained.map(({ received, topic, user_id: userId, outcome, says }) => [
        received ?? '-',
        topic ?? '-',
        userId === null ? '-' : String(userId),
        outcome,
        says,
      ]),
    ),
  )
}

type QueueOptions = ServerOptions & { application: number }

const queuePath = '/operator/applications/{application_id}/queue'
type Queue = ResponseBody<typeof queuePath, 'get'>
type QueueBody = RequestBody<typeof queuePath, 'patch'>

/** `feria deliveries queue ID`: prints the delivery queue of an application. */
export async function showQueueCommand(
  { application, ...options }: QueueOptions,
  out: Output,
): Promise<undefined> {
  const path = { application_id: application }
  printQueue(await openClient(options).call('GET', queuePath, { path }), out)
}

/** `feria deliveries pause ID`. */
export async function pauseQueueCommand(
  { application, ...options }: QueueOptions,
  out: Output,
): Promise<undefined> {
  const path = { application_id: application }
  const body = { state: 'paused' } as const
  printQueue(await openClient(options).call('PATCH', queuePath, { path, body }), out)
}

/** `feria deliveries resume ID [--with …]`. */
export async function resumeQueueCommand(
  {
    application,
    with: resume,
    ...options
  }: QueueOptions & { with?: NonNullable<QueueBody['resume']> },
  out: Output,
): Promise<undefined> {
  const path = { application_id: application }
  const body = { state: 'open', resume } as const
  printQueue(await openClient(options).call('PATCH', queuePath, { path, body }), out)
}

/** Prints the state, backlog and limits of a delivery queue. */
function printQueue(queue: Queue, out: Output): void {
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
      ...queue.notes.map((note) => [`  ${note.kind}`, note.at]),
    ]),
  ])
}
