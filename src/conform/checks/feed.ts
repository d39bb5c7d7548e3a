import type { ResponseBody } from 'feria/client'
import { feedShape, refusal } from './bodies.ts'
import type { ConformCheck } from './check.ts'
import { eachIs, hasLength, keysInOrder, responsePasses, someIs, sorted, valueIs } from './rules.ts'

/** A feed with at least one entry, which another rule of the checks demands. */
type Feed = ResponseBody<'/myfeeds', 'get'> & {
  messages: [ResponseBody<'/myfeeds', 'get'>['messages'][number]]
}

const section = '4.5'
const feeds = 'GET /myfeeds?app_id={application}'
// The contract does not require `_id`, and notifications sent before an upgrade may lack it.
const sentKeys = [
  '_id?',
  'resource',
  'user_id',
  'topic',
  'application_id',
  'attempts',
  'sent',
  'received',
]

/** Checks of the feed and of the notifications in it. */
export const feedChecks: readonly ConformCheck[] = [
  { section, says: 'the feed of an application is read', ask: feeds, gives: 200, body: feedShape },
  {
    section: '8',
    says: 'the feed has at most ten entries by default',
    ask: feeds,
    gives: 200,
    holds: [hasLength('messages', { most: 10 })],
  },
  {
    section,
    says: 'limit sets the number of entries',
    ask: `${feeds}&limit=1`,
    gives: 200,
    body: feedShape,
    holds: [hasLength('messages', { most: 1 })],
  },
  { section, says: 'offset skips entries', ask: `${feeds}&offset=1`, gives: 200, body: feedShape },
  ...['orders_v2', 'items', 'messages'].map(
    (topic): ConformCheck => ({
      section,
      says: `the feed is filtered by the topic ${topic}`,
      ask: `${feeds}&topic=${topic}`,
      gives: 200,
      body: feedShape,
      holds: [eachIs('messages', 'topic', topic)],
    }),
  ),
  {
    section,
    open: true,
    says: 'the feed has the newest entries first',
    ask: feeds,
    gives: 200,
    // Simultaneous events are notified in any order.
    holds: [sorted('messages', 'received', 'descending', { slackMs: 10_000 })],
  },
  {
    section,
    open: true,
    says: 'the feed of missed notifications is read',
    gives: 200,
    body: feedShape,
    ask: 'GET /missed_feeds?app_id={application}',
  },
  {
    section,
    open: true,
    says: 'the feed without app_id is refused',
    ask: 'GET /myfeeds',
    gives: 400,
    body: refusal,
  },
  {
    section: '5.2',
    says: 'the feed accepts the token in the query',
    as: 'nobody',
    ask: `${feeds}&access_token={token}`,
    gives: 200,
    body: feedShape,
  },
  {
    section: '6.2',
    writes: true,
    patient: true,
    says: 'the application of the receiver is notified of a message',
    ask: `${feeds}&topic=messages&limit=50`,
    gives: 200,
    holds: [
      responsePasses('resources that are bare ids', isBare),
      hasLength('messages', { least: 1 }),
    ],
  },
  {
    ...{
      section: '6.2',
      writes: true,
      patient: true,
      says: 'the notification of a sale names its path',
      gives: 200,
    },
    ask: `${feeds}&topic=orders_v2&limit=50`,
    holds: [someIs('messages', 'resource', '/orders/{free_pack}')],
  },
  {
    ...{
      section: '6.1',
      writes: true,
      patient: true,
      says: 'a sent notification has its fields in order',
    },
    ask: `${feeds}&topic=orders_v2&limit=1`,
    gives: 200,
    holds: [
      ...[hasLength('messages', { least: 1 }), keysInOrder('messages[0].request.data', sentKeys)],
      responsePasses(
        'an _id, where there is one, to be that of the entry',
        ({ messages }: Feed) => {
          const { _id } = JSON.parse(messages[0].request.data)
          return _id === undefined || _id === messages[0]._id
        },
      ),
      responsePasses('content-length to be the bytes that were sent', ({ messages }: Feed) => {
        const { data, headers } = messages[0].request
        return Number(headers['content-length']) === Buffer.byteLength(data)
      }),
      valueIs('messages[0].request.headers.content-type', /^application\/json/),
    ],
  },
]

function isBare({ messages }: Feed): boolean {
  return messages.every(({ resource }) => /^[0-9a-f]{32}$/.test(resource))
}
