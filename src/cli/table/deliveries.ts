import { topics } from '../../kernel/topics.ts'
import { attemptOutcomes } from '../../notifications/attempt.ts'
import { anyTokenServerOptions, operatorServerOptions } from '../client/client.ts'
import { type Command, command } from '../frame/command.ts'

const section = 'Notifications'
const queueArguments = {
  application: { kind: 'count', as: 'ID', says: 'Number of the application.' },
} as const
const resource = {
  kind: 'text',
  as: 'RESOURCE',
  says: 'The resource as notifications name it: `/orders/123`.',
} as const
const replayId = {
  replay: { kind: 'text', as: 'REPLAY', says: 'The id that `feria replay list` shows.' },
} as const
const topic = { kind: 'choice', of: topics, as: 'TOPIC', says: 'Only this topic.' } as const
const user = { kind: 'count', as: 'ID', says: 'Only this user.' } as const
const ofApplication = {
  application: {
    kind: 'count',
    as: 'ID',
    says: 'The application. Default: the one of --token; in a sandbox, the demo application.',
  },
  ...anyTokenServerOptions,
} as const
const watch = {
  kind: 'flag',
  says: 'Follow the replay until it ends. Ctrl-C stops watching; the replay goes on.',
} as const
const deliveries = () => import('../deliveries/deliveries.ts')
const replays = () => import('../deliveries/replay.ts')

/** Commands for deliveries, replays and listening. */
export const notificationCommands: readonly Command[] = [
  command({
    name: 'deliveries list',
    section,
    summary: 'List deliveries with their outcome, newest first.',
    details:
      'Reads page after page until --limit is reached. With --json, prints one delivery per line.',
    options: {
      topic,
      resource: { ...resource, says: 'Only this resource, exactly as notifications name it.' },
      user,
      outcome: {
        kind: 'choice',
        of: attemptOutcomes,
        as: 'OUTCOME',
        says: 'Only deliveries whose latest attempt had this outcome.',
      },
      since: { kind: 'moment', says: 'Only `received` at or after this time.' },
      until: { kind: 'moment', says: 'Only `received` up to this time.' },
      missed: { kind: 'flag', says: 'Only deliveries that were not accepted.' },
      limit: { kind: 'count', to: 1_000_000, says: 'At most this many. Default: 20.' },
      ...ofApplication,
    },
    examples: ['feria deliveries list --application 77 --missed --topic orders_v2'],
    load: async () => (await deliveries()).listDeliveriesCommand,
  }),
  command({
    name: 'deliveries show',
    section,
    summary: 'Show the newest delivery of a resource: the request and its answer.',
    words: { resource },
    options: { topic, ...ofApplication },
    examples: ['feria deliveries show /orders/1000 --application 77'],
    load: async () => (await deliveries()).showDeliveryCommand,
  }),
  command({
    name: 'deliveries explain',
    section,
    summary: 'Explain why a notification did or did not arrive.',
    words: { resource },
    options: { topic, user, ...ofApplication },
    examples: ['feria deliveries explain /orders/1000 --application 77'],
    load: async () => (await deliveries()).explainDeliveryCommand,
  }),
  command({
    name: 'deliveries export',
    section,
    summary: 'Export a delivery as a file for tests: body, headers and secret.',
    details:
      'Exports the latest attempt as JSON, byte for byte. docs/sandbox.md shows how to replay it in a test. In production the file is signed with a secret that signs nothing else.',
    words: {
      delivery: {
        kind: 'text',
        as: 'ID',
        says: 'The id of the notification, `_id` in the feed.',
        optional: true,
      },
    },
    options: {
      application: {
        kind: 'count',
        as: 'ID',
        says: 'The application that it was sent to.',
        required: true,
      },
      resource: { ...resource, says: 'Instead of ID: the newest delivery of this resource.' },
      topic,
      'sign-with': {
        kind: 'choice',
        of: ['application', 'fixture'],
        says: 'The secret that signed it, or one that is safe to commit to a repository.',
      },
      out: { kind: 'file', says: 'Write to this file.' },
      ...operatorServerOptions,
    },
    examples: [
      'feria deliveries export --application 77 --resource /orders/1000 --sign-with fixture --out order.json',
    ],
    load: async () => (await import('../deliveries/export.ts')).exportDeliveryCommand,
  }),
  command({
    name: 'deliveries queue',
    formerName: 'deliveries lane',
    section,
    summary: 'Show the delivery queue of an application.',
    words: queueArguments,
    options: operatorServerOptions,
    load: async () => (await deliveries()).showQueueCommand,
  }),
  command({
    name: 'deliveries pause',
    section,
    summary: 'Pause the delivery queue of an application.',
    words: queueArguments,
    options: operatorServerOptions,
    load: async () => (await deliveries()).pauseQueueCommand,
  }),
  command({
    name: 'deliveries resume',
    section,
    summary: 'Resume a delivery queue that is paused or disabled.',
    words: queueArguments,
    options: {
      with: {
        kind: 'choice',
        of: ['catch_up', 'latest', 'skip'],
        says: 'What to send: all that waits, the newest of each topic and resource, or only new events. Default: catch_up.',
      },
      ...operatorServerOptions,
    },
    examples: ['feria deliveries resume 77 --with latest'],
    load: async () => (await deliveries()).resumeQueueCommand,
  }),
  command({
    name: 'replay start',
    section,
    summary: 'Send notifications of the past again.',
    details:
      'Starts a job on the server, beside the live deliveries. It survives restarts, and goes on when this program ends.',
    options: {
      since: { kind: 'moment', says: 'Only `received` at or after this time.', required: true },
      until: { kind: 'moment', says: 'Only `received` up to this time. Default: now.' },
      topics: { kind: 'choices', of: topics, says: 'Only these topics.' },
      'failed-only': { kind: 'flag', says: 'Only notifications not accepted yet, or lost.' },
      rate: { kind: 'count', to: 1_000, says: 'Notifications per second. Default: 50.' },
      'dry-run': { kind: 'flag', says: 'Count the notifications and send none.' },
      watch,
      ...ofApplication,
    },
    examples: [
      'feria replay start --application 77 --since 2026-03-10T12:00:00Z --failed-only --dry-run',
      'feria replay start --application 77 --since 2026-03-10T12:00:00Z --failed-only --watch',
    ],
    load: async () => (await replays()).startReplayCommand,
  }),
  command({
    name: 'replay list',
    section,
    summary: 'List the replays of an application, newest first.',
    options: ofApplication,
    load: async () => (await replays()).listReplaysCommand,
  }),
  command({
    name: 'replay status',
    section,
    summary: 'Show the progress of a replay.',
    details:
      'With --watch and --json, prints a line at each step. Exits with 1 when the replay was cancelled.',
    words: replayId,
    options: { watch, ...ofApplication },
    load: async () => (await replays()).showReplayCommand,
  }),
  ...(['pause', 'resume', 'cancel'] as const).map((verb) =>
    command({
      name: `replay ${verb}`,
      section,
      summary: {
        pause: 'Pause a replay. Requests in flight are still sent.',
        resume: 'Resume a replay from where it stopped.',
        cancel: 'Cancel a replay for good.',
      }[verb],
      words: replayId,
      options: ofApplication,
      load: async () => {
        const { changeReplayStateCommand: orderReplay } = await replays()
        const state = ({ pause: 'paused', resume: 'running', cancel: 'cancelled' } as const)[verb]
        return (options, out) => orderReplay({ ...options, state }, out)
      },
    }),
  ),
  command({
    name: 'listen',
    section,
    summary: 'Print notifications, and forward them to an address on this machine.',
    details:
      'The server keeps a position for each name, so nothing is lost while this program, the server or the address is down. With --json, prints one notification per line. See docs/sandbox.md.',
    options: {
      'forward-to': {
        kind: 'address',
        says: 'The address to forward to. Without it, they are only printed.',
      },
      application: {
        kind: 'count',
        as: 'ID',
        says: 'The application. Default: the one of --token, else the demo application.',
      },
      topics: {
        kind: 'choices',
        of: topics,
        says: 'Only these topics. Others count as delivered.',
      },
      name: {
        kind: 'text',
        as: 'NAME',
        says: 'The name under which the server keeps the position. Default: `cli`.',
      },
      since: { kind: 'moment', says: 'Start again from this time.' },
      ...anyTokenServerOptions,
    },
    examples: ['feria listen', 'feria listen --forward-to http://127.0.0.1:3000/callback'],
    stopsItself: true,
    load: async () => (await import('../deliveries/listen.ts')).listenCommand,
  }),
]
