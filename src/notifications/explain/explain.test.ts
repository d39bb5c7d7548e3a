import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import {
  type AttemptSummary,
  type Explanation,
  type ExplanationReason,
  explainNotified,
  explainUnnotified,
  explanationText,
  type NotificationSettings,
  type NotifiedChange,
  noQueue,
  type QueuePosition,
  type UnnotifiedChange,
} from './explain.ts'

const at = (hour: number) => new Date(Date.UTC(2026, 2, 10, hour))
const settings: NotificationSettings = {
  topics: ['orders_v2'],
  callbackUrl: 'https://integrator.example/callback',
  isListened: false,
  lastUpdated: at(1),
}
const queue: QueuePosition = { ...noQueue, cursorSeq: 10, lastSeq: 20 }
const failed: AttemptSummary = { attempt: 2, sent: at(6), outcome: 'timeout', httpCode: null }
const good: AttemptSummary = { attempt: 3, sent: at(7), outcome: 'accepted', httpCode: 200 }
const nothing = { latest: null, accepted: null, due: undefined, passedInto: undefined }

const notifiedChange = (seq: number, facts: Partial<NotifiedChange> = {}): NotifiedChange => ({
  ...nothing,
  ...facts,
  notification: {
    applicationId: 1,
    seq,
    id: 'a',
    userId: 7,
    topic: 'orders_v2',
    resource: '/orders/1',
    received: at(5),
  },
})

const disabled: QueuePosition = { ...queue, state: 'disabled', stateSince: at(3) }
const paused: QueuePosition = { ...queue, state: 'paused', stateSince: at(4) }
const failing: QueuePosition = { ...queue, failingSince: at(2) }
const noCallback: NotificationSettings = { ...settings, callbackUrl: null }

const notifiedCases: [
  what: string,
  notifiedChange: NotifiedChange,
  verdict: Explanation,
  now?: object,
][] = [
  [
    'accepted',
    notifiedChange(5, { latest: good, accepted: good }),
    { reason: 'delivered', attempt: good },
  ],
  [
    'accepted, and a replay of it was not',
    notifiedChange(5, { latest: failed, accepted: good }),
    { reason: 'delivered', attempt: good },
  ],
  [
    'accepted by a replay, though passed over',
    notifiedChange(5, { latest: good, accepted: good, passedInto: 'b' }),
    { reason: 'delivered', attempt: good },
  ],
  [
    'to be tried again',
    notifiedChange(5, { latest: failed, due: at(18) }),
    { reason: 'parked', until: at(18), attempt: failed },
  ],
  [
    'to be tried again, while the lane is paused',
    notifiedChange(5, { latest: failed, due: at(18) }),
    { reason: 'parked', until: at(18), attempt: failed },
    { queue: paused },
  ],
  [
    'given up',
    notifiedChange(5, { latest: failed, due: null }),
    { reason: 'lost', attempt: failed },
  ],
  [
    'given up, and forgotten',
    notifiedChange(5, { latest: failed }),
    { reason: 'lost', attempt: failed },
  ],
  ['passed over', notifiedChange(5, { passedInto: 'b' }), { reason: 'coalesced', into: 'b' }],
  ['left out', notifiedChange(5, { passedInto: null }), { reason: 'skipped' }],
  ['left out by a jump of the cursor', notifiedChange(10), { reason: 'skipped' }],
  ['the next to be sent', notifiedChange(11), { reason: 'waiting', behind: 0 }],
  ['behind others', notifiedChange(20), { reason: 'waiting', behind: 9 }],
  [
    'paused',
    notifiedChange(12),
    { reason: 'lane_paused', since: at(4), behind: 1 },
    { queue: paused },
  ],
  [
    'disabled',
    notifiedChange(12),
    { reason: 'lane_disabled', since: at(3), behind: 1 },
    { queue: disabled },
  ],
  [
    'failing',
    notifiedChange(12),
    { reason: 'lane_failing', since: at(2), behind: 1 },
    { queue: failing },
  ],
  [
    'paused while failing',
    notifiedChange(12),
    { reason: 'lane_paused', since: at(4), behind: 1 },
    { queue: { ...paused, failingSince: at(2) } },
  ],
  [
    'the callback is gone',
    notifiedChange(12),
    { reason: 'no_callback', behind: 1 },
    { settings: noCallback, queue: disabled },
  ],
]

for (const [what, facts, verdict, now] of notifiedCases) {
  test(`a notification is explained: ${what}`, () => {
    assert.deepEqual(explainNotified(facts, { settings, queue, ...now }), verdict)
  })
}

const unnotified = (facts: Partial<UnnotifiedChange> = {}): UnnotifiedChange => ({
  topic: 'orders_v2',
  resource: '/orders/1',
  at: at(5),
  isTaken: true,
  authorised: [{ userId: 7, since: at(0) }],
  ...facts,
})
const late = [
  { userId: 8, since: at(9) },
  { userId: 7, since: at(8) },
]

const unnotifiedCases: [
  what: string,
  unnotified: UnnotifiedChange,
  verdict: Explanation,
  now?: object,
][] = [
  ['nobody authorised', unnotified({ authorised: [] }), { reason: 'not_authorised' }],
  [
    'authorised only afterwards',
    unnotified({ authorised: late }),
    { reason: 'not_authorised', since: at(8) },
  ],
  ['another topic', unnotified({ topic: 'items' }), { reason: 'not_subscribed' }],
  [
    'another topic, not fanned out yet',
    unnotified({ topic: 'items', isTaken: false }),
    { reason: 'not_subscribed' },
  ],
  ['no callback', unnotified(), { reason: 'no_callback' }, { settings: noCallback }],
  [
    'all fits by now',
    unnotified(),
    { reason: 'settings_changed', since: at(9) },
    { settings: { ...settings, lastUpdated: at(9) } },
  ],
  ['not fanned out yet', unnotified({ isTaken: false }), { reason: 'waiting', behind: 10 }],
  [
    'not fanned out yet, authorised meanwhile',
    unnotified({ isTaken: false, authorised: late }),
    { reason: 'waiting', behind: 10 },
  ],
  [
    'not fanned out yet, and the lane is disabled',
    unnotified({ isTaken: false }),
    { reason: 'lane_disabled', since: at(3), behind: 10 },
    { queue: disabled },
  ],
  [
    'not fanned out yet, followed from elsewhere',
    unnotified({ isTaken: false }),
    { reason: 'no_callback', behind: 10 },
    { settings: { ...noCallback, isListened: true } },
  ],
]

for (const [what, facts, verdict, now] of unnotifiedCases) {
  test(`a change without a notification is explained: ${what}`, () => {
    assert.deepEqual(explainUnnotified(facts, { settings, queue, ...now }), verdict)
  })
}

contract(
  'notifications',
  'the tables above come to every reason, and each has words of its own',
  () => {
    const reasons: Record<ExplanationReason, true> = {
      not_authorised: true,
      not_subscribed: true,
      no_callback: true,
      settings_changed: true,
      coalesced: true,
      skipped: true,
      waiting: true,
      lane_paused: true,
      lane_disabled: true,
      lane_failing: true,
      parked: true,
      delivered: true,
      lost: true,
      no_change_known: true,
    }
    const verdicts = [...notifiedCases, ...unnotifiedCases].map(([, , verdict]) => verdict)
    const reached = new Set<ExplanationReason>([
      'no_change_known',
      ...verdicts.map(({ reason }) => reason),
    ])
    assert.deepEqual([...reached].sort(), Object.keys(reasons).sort())
    const says = [...reached].map((reason) => explanationText({ reason }))
    assert.equal(new Set(says).size, says.length)
    assert.match(explanationText({ reason: 'not_authorised', since: at(8) }), /only afterwards/)
  },
)
