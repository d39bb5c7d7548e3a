import { topics } from '../../kernel/topics.ts'
import { orderPartNames } from '../../orders/view.ts'
import { answerFaultKinds } from '../../sandbox/answers/fault.ts'
import { demoSites } from '../../sandbox/demo/ids.ts'
import { receiverFaultKinds } from '../../sandbox/receivers/fault.ts'
import { paces } from '../../sandbox/simulation/scenario/pace.ts'
import { triggerNames, triggerSites } from '../../sandbox/triggers/names.ts'
import { operatorServerOptions } from '../client/client.ts'
import { type Command, command } from '../frame/command.ts'

const section = 'Sandbox'
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const snapshotName = {
  name: { kind: 'text', as: 'NAME', says: 'The name: lowercase letters, digits, - and _.' },
} as const
const simulations = () => import('../sandbox/simulate.ts')
const snapshots = () => import('../sandbox/snapshots.ts')
const clock = () => import('../sandbox/clock.ts')
const faults = () => import('../sandbox/faults.ts')
const application = { kind: 'count', as: 'ID', says: 'Only this application.' } as const

/** Commands for sandboxes. A server in production refuses them. */
export const sandboxCommands: readonly Command[] = [
  command({
    name: 'seed',
    section,
    summary: 'Add demo orders to the database of the settings.',
    details:
      'Adds thousands of orders a second, after those that exist. An interrupted run leaves only complete orders.',
    options: {
      orders: { kind: 'count', to: 5_000_000, says: 'The number of orders.', required: true },
      seed: {
        kind: 'count',
        to: 2 ** 31 - 1,
        says: 'The seed of the random numbers. Default: 1.',
      },
    },
    examples: ['feria seed --orders 100000'],
    stopsItself: true,
    load: async () => (await import('../sandbox/seed.ts')).seedCommand,
  }),
  command({
    name: 'trigger',
    section,
    summary: 'Make an event of a topic happen, or play a scenario.',
    words: {
      topic: {
        kind: 'choice',
        of: [...triggerNames, 'list'],
        as: 'TOPIC',
        says: 'The topic or scenario. `list` shows what each one does.',
      },
    },
    options: {
      application: {
        kind: 'count',
        as: 'ID',
        says: 'The application to notify. Default: the demo application.',
      },
      site: {
        kind: 'choice',
        of: triggerSites,
        as: 'SITE',
        says: 'The site. Default: MLA, or the only site where it can happen.',
      },
      ...operatorServerOptions,
    },
    examples: ['feria trigger orders_v2', 'feria trigger fraud_after_payment --site MLB'],
    load: async () => (await import('../sandbox/trigger.ts')).triggerCommand,
  }),
  command({
    name: 'sandbox simulate',
    section,
    summary: 'Simulate traffic: checkouts, payments, shipments, messages, claims.',
    details:
      'Starts a job on the server, which follows the clock of the sandbox and survives restarts. Shows its progress and, in the end, what it did. Ctrl-C stops it. The demo sellers authorize the application.',
    options: {
      'orders-per-minute': {
        kind: 'count',
        to: 10_000,
        says: 'The number of sales that begin per minute.',
        required: true,
      },
      minutes: {
        kind: 'count',
        to: 525_600,
        says: 'How long it runs. Default: until it is stopped.',
      },
      seed: {
        kind: 'count',
        from: 0,
        to: 2 ** 31 - 1,
        says: 'The seed of the random numbers. Default: 1.',
      },
      sites: { kind: 'choices', of: demoSites, says: 'Only these sites.' },
      pace: {
        kind: 'choice',
        of: paces,
        says: 'Whether a sale takes minutes or days. Default: quick.',
      },
      application: {
        kind: 'count',
        as: 'ID',
        says: 'The application to notify. Default: the demo application.',
      },
      detach: { kind: 'flag', says: 'Start it and return at once.' },
      ...operatorServerOptions,
    },
    examples: ['feria sandbox simulate --orders-per-minute 6 --minutes 10 --sites MLA,MLB'],
    stopsItself: true,
    load: async () => (await simulations()).simulateCommand,
  }),
  command({
    name: 'sandbox status',
    section,
    summary: 'Show the progress of the simulation, and what it did.',
    options: operatorServerOptions,
    load: async () => (await simulations()).simulationStatusCommand,
  }),
  command({
    name: 'sandbox stop',
    section,
    summary: 'Stop the simulation where it is.',
    options: operatorServerOptions,
    load: async () => (await simulations()).stopSimulationCommand,
  }),
  command({
    name: 'snapshot save',
    section,
    summary: 'Save the whole sandbox. Replaces a snapshot of the same name.',
    words: snapshotName,
    options: operatorServerOptions,
    examples: ['feria snapshot save before-the-sale'],
    load: async () => (await snapshots()).saveSnapshotCommand,
  }),
  command({
    name: 'snapshot load',
    section,
    summary: 'Go back to a snapshot. All that came after it is lost.',
    words: snapshotName,
    options: operatorServerOptions,
    load: async () => (await snapshots()).loadSnapshotCommand,
  }),
  command({
    name: 'snapshot list',
    section,
    summary: 'List snapshots.',
    options: operatorServerOptions,
    load: async () => (await snapshots()).listSnapshotsCommand,
  }),
  command({
    name: 'snapshot delete',
    section,
    summary: 'Delete a snapshot.',
    words: snapshotName,
    options: operatorServerOptions,
    load: async () => (await snapshots()).deleteSnapshotCommand,
  }),
  command({
    name: 'clock show',
    section,
    summary: 'Show the time of the sandbox.',
    options: operatorServerOptions,
    load: async () => (await clock()).showClockCommand,
  }),
  command({
    name: 'clock advance',
    section,
    summary: 'Move the clock ahead. What falls due happens at once.',
    details:
      'The clock only moves ahead, so that no past event lies in the future. The one exception is loading a snapshot: it sets the clock to the time of the snapshot.',
    words: {
      step: {
        kind: 'text',
        as: 'STEP',
        says: 'A number with its unit: `90s`, `30m`, `12h`, `5d`.',
      },
    },
    options: operatorServerOptions,
    examples: ['feria clock advance 12h'],
    load: async () => (await clock()).advanceClockCommand,
  }),
  command({
    name: 'clock set',
    section,
    summary: 'Move the clock ahead to a time in the future.',
    words: { time: { kind: 'moment', says: 'The time to move to.' } },
    options: operatorServerOptions,
    examples: ['feria clock set 2030-01-01T00:00:00Z'],
    load: async () => (await clock()).setClockCommand,
  }),
  command({
    name: 'faults list',
    section,
    summary: 'List the simulated faults of orders, answers and receivers.',
    options: operatorServerOptions,
    load: async () => (await faults()).listFaultsCommand,
  }),
  command({
    name: 'faults set',
    section,
    summary: 'Simulate answers that are late, refused or partial, or receivers that fail.',
    details:
      'The kinds slow, reset, conflict, limit, failure and parts change answers of the interface. Answers are then late, cut off, refused with 409, 429 or --status, or orders lack --parts (only GET /orders/{order_id}). Use --name (default: the kind) to replace or clear such a fault.\nThe other kinds change deliveries: notifications come late, twice, out of order or not at all. Such a fault replaces the one of the same application, topic and kind.\nWith --parts alone, all orders are answered with 206 and without these parts.',
    options: {
      parts: { kind: 'choices', of: orderPartNames, says: 'The parts of orders that are missing.' },
      kind: {
        kind: 'choice',
        of: [...answerFaultKinds, ...receiverFaultKinds],
        as: 'KIND',
        says: 'The fault of answers or of receivers.',
      },
      share: {
        kind: 'share',
        says: 'The share of requests that it affects. Default: all.',
      },
      application,
      topic: { kind: 'choice', of: topics, as: 'TOPIC', says: 'Only this topic.' },
      'delay-ms': {
        kind: 'count',
        from: 0,
        to: 60_000,
        says: 'The delay of `slow`, `delay` and `reorder`.',
      },
      status: {
        kind: 'count',
        from: 200,
        to: 599,
        says: 'The status of `failure` (500, 502, 503, 504) and `status`.',
      },
      name: {
        kind: 'text',
        as: 'NAME',
        says: 'The name of a fault of answers. Default: its kind.',
      },
      method: { kind: 'choice', of: methods, as: 'METHOD', says: 'Answers: only this method.' },
      path: {
        kind: 'text',
        as: 'PATH',
        says: 'Answers: an operation, `/orders/{order_id}`, or a path where `*` matches anything.',
      },
      times: { kind: 'count', to: 1_000_000_000, says: 'Answers: at most this many times.' },
      'retry-after': {
        kind: 'count',
        from: 0,
        to: 86_400,
        says: '`Retry-After` of `limit`, in seconds.',
      },
      after: {
        kind: 'flag',
        says: 'With `reset`, `conflict`, `failure`: execute the request, then lose its answer.',
      },
      seed: { kind: 'count', from: 0, to: 2 ** 31 - 1, says: 'The seed of the random numbers.' },
      ...operatorServerOptions,
    },
    examples: [
      'feria faults set --kind limit --retry-after 5 --path "/orders/{order_id}" --share 0.2 --seed 7',
      'feria faults set --kind parts --parts buyer,shipping --application 77',
      'feria faults set --kind status --status 503 --share 0.3 --application 77',
    ],
    load: async () => (await faults()).setFaultsCommand,
  }),
  command({
    name: 'faults clear',
    section,
    summary: 'Clear all simulated faults, or the given ones.',
    options: {
      orders: { kind: 'flag', says: 'Only faults of orders.' },
      receivers: { kind: 'flag', says: 'Only faults of receivers.' },
      answers: { kind: 'flag', says: 'Only faults of answers.' },
      name: { kind: 'text', as: 'NAME', says: 'Only the fault of answers with this name.' },
      application,
      kind: {
        kind: 'choice',
        of: receiverFaultKinds,
        as: 'KIND',
        says: 'Only faults of receivers of this kind.',
      },
      ...operatorServerOptions,
    },
    load: async () => (await faults()).clearFaultsCommand,
  }),
]
