import { topics } from '../../kernel/topics.ts'
import { attemptOutcomes } from '../../notifications/attempt.ts'
import { toServer, toServerAsAnyone } from '../client.ts'
import { type Command, command } from '../frame/command.ts'

const section = 'Notifications'
const queueArguments = {
  application: { kind: 'count', as: 'ID', says: 'Number of the application.' },
} as const
const resource = {
  kind: 'text',
  as: 'RESOURCE',
  says: 'As notifications name it: `/orders/123`.',
} as const
const replayId = {
  replay: { kind: 'text', as: 'REPLAY', says: 'As `feria replay list` shows it.' },
} as const
const topic = { kind: 'choice', of: topics, as: 'TOPIC', says: 'Of this topic only.' } as const
const user = { kind: 'count', as: 'ID', says: 'Of this user only.' } as const
const ofApplication = {
  application: {
    kind: 'count',
    as: 'ID',
    says: 'Whose; else those of the application of --token, in a sandbox of the demo application.',
  },
  ...toServerAsAnyone,
} as const
const watch = {
  kind: 'flag',
  says: 'Follow it to its end; Ctrl-C ends the watching alone.',
} as const
const deliveries = () => import('../deliveries/deliveries.ts')
const replays = () => import('../deliveries/replay.ts')

/** What was sent, what came of it, and sending it once more. */
export const notifications: readonly Command[] = [
  command({
    name: 'deliveries list',
    section,
    summary: 'What was sent, the newest first, and what came of it.',
    details: 'Reads on from page to page until there are --limit of them. With --json one a line.',
    options: {
      topic,
      resource: { ...resource, says: 'Of this resource only, exactly as notifications name it.' },
      user,
      outcome: {
        kind: 'choice',
        of: attemptOutcomes,
        as: 'OUTCOME',
        says: 'Of the latest attempt.',
      },
      since: { kind: 'moment', says: '`received` from here on.' },
      until: { kind: 'moment', says: '`received` up to here.' },
      missed: { kind: 'flag', says: 'Only what was not accepted.' },
      limit: { kind: 'count', to: 1_000_000, says: 'At most so many; 20 unless said otherwise.' },
      ...ofApplication,
    },
    examples: ['feria deliveries list --application 77 --missed --topic orders_v2'],
    load: async () => (await deliveries()).listDeliveries,
  }),
  command({
    name: 'deliveries show',
    section,
    summary: 'The newest one of a resource whole: what was sent, and what was answered.',
    words: { resource },
    options: { topic, ...ofApplication },
    examples: ['feria deliveries show /orders/1000 --application 77'],
    load: async () => (await deliveries()).showDelivery,
  }),
  command({
    name: 'deliveries explain',
    section,
    summary: 'Why a notification did or did not arrive.',
    words: { resource },
    options: { topic, user, ...ofApplication },
    examples: ['feria deliveries explain /orders/1000 --application 77'],
    load: async () => (await deliveries()).explainDelivery,
  }),
  command({
    name: 'deliveries export',
    section,
    summary: 'One of them as a file that a test checks by itself: body, headers, secret.',
    details:
      'The latest attempt, byte for byte, as JSON; docs/sandbox.md tells how a test replays it. In production it is signed with a secret that signs nothing else.',
    words: {
      delivery: {
        kind: 'text',
        as: 'ID',
        says: 'The notification’s, `_id` of the feed.',
        optional: true,
      },
    },
    options: {
      application: {
        kind: 'count',
        as: 'ID',
        says: 'Whose it is.',
        required: true,
      },
      resource: { ...resource, says: 'Instead of ID: the newest one of this resource.' },
      topic,
      'sign-with': {
        kind: 'choice',
        of: ['application', 'fixture'],
        says: 'The application’s own secret, as it was sent, or one that may lie in a repository.',
      },
      out: { kind: 'file', says: 'Into this file.' },
      ...toServer,
    },
    examples: [
      'feria deliveries export --application 77 --resource /orders/1000 --sign-with fixture --out order.json',
    ],
    load: async () => (await import('../deliveries/export.ts')).exportDelivery,
  }),
  command({
    name: 'deliveries lane',
    section,
    summary: 'Where the deliveries of an application stand.',
    words: queueArguments,
    options: toServer,
    load: async () => (await deliveries()).showQueue,
  }),
  command({
    name: 'deliveries pause',
    section,
    summary: 'Let the notifications of an application wait.',
    words: queueArguments,
    options: toServer,
    load: async () => (await deliveries()).pauseQueue,
  }),
  command({
    name: 'deliveries resume',
    section,
    summary: 'Let them go on, also after they were disabled.',
    words: queueArguments,
    options: {
      with: {
        kind: 'choice',
        of: ['catch_up', 'latest', 'skip'],
        says: 'Everything that has waited, the newest of each topic and resource, or only what happens from now on; everything unless said otherwise.',
      },
      ...toServer,
    },
    examples: ['feria deliveries resume 77 --with latest'],
    load: async () => (await deliveries()).resumeQueue,
  }),
  command({
    name: 'replay start',
    section,
    summary: 'Have notifications sent once more.',
    details:
      'A job of the server’s own, beside the live deliveries: it survives restarts, and goes on when this program ends.',
    options: {
      since: { kind: 'moment', says: '`received` from here on.', required: true },
      until: { kind: 'moment', says: '`received` up to here; now unless said otherwise.' },
      topics: { kind: 'choices', of: topics, says: 'Of these topics only.' },
      'failed-only': { kind: 'flag', says: 'Only what has not been accepted yet, or is lost.' },
      rate: { kind: 'count', to: 1_000, says: 'So many a second; 50 unless said otherwise.' },
      'dry-run': { kind: 'flag', says: 'Only count them.' },
      watch,
      ...ofApplication,
    },
    examples: [
      'feria replay start --application 77 --since 2026-03-10T12:00:00Z --failed-only --dry-run',
      'feria replay start --application 77 --since 2026-03-10T12:00:00Z --failed-only --watch',
    ],
    load: async () => (await replays()).startReplay,
  }),
  command({
    name: 'replay list',
    section,
    summary: 'The replays of an application, the newest first.',
    options: ofApplication,
    load: async () => (await replays()).listReplays,
  }),
  command({
    name: 'replay status',
    section,
    summary: 'How far one is.',
    details:
      'With --watch and --json one line whenever it has gone on. One that was cancelled ends with 1.',
    words: replayId,
    options: { watch, ...ofApplication },
    load: async () => (await replays()).showReplay,
  }),
  ...(['pause', 'resume', 'cancel'] as const).map((order) =>
    command({
      name: `replay ${order}`,
      section,
      summary: {
        pause: 'Halt one; what is under way is still sent.',
        resume: 'Let one go on from where it was.',
        cancel: 'End one for good.',
      }[order],
      words: replayId,
      options: ofApplication,
      load: async () => {
        const { orderReplay } = await replays()
        const state = ({ pause: 'paused', resume: 'running', cancel: 'cancelled' } as const)[order]
        return (asked, out) => orderReplay({ ...asked, state }, out)
      },
    }),
  ),
  command({
    name: 'listen',
    section,
    summary: 'Forward notifications to an address of this machine.',
    details:
      'The server keeps how far each name came: nothing is lost while this program, the server or the address is away. docs/sandbox.md tells more. With --json one a line.',
    options: {
      'forward-to': { kind: 'address', says: 'Where to.', required: true },
      application: {
        kind: 'count',
        as: 'ID',
        says: 'Whose; the token’s application, else that of the demo world.',
      },
      topics: { kind: 'choices', of: topics, says: 'Only these; the others count as arrived.' },
      name: {
        kind: 'text',
        as: 'NAME',
        says: 'Under which name the server keeps how far it came; `cli` unless given.',
      },
      since: { kind: 'moment', says: 'Begin again at this moment.' },
      ...toServerAsAnyone,
    },
    examples: ['feria listen --forward-to http://127.0.0.1:3000/callback'],
    stopsItself: true,
    load: async () => (await import('../listen.ts')).listenCommand,
  }),
]
