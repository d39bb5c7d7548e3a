import { topics } from '../../kernel/topics.ts'
import { parts } from '../../orders/view.ts'
import { answerFaultKinds } from '../../sandbox/answers/fault.ts'
import { demoSites } from '../../sandbox/demo/places.ts'
import { faultKinds } from '../../sandbox/receivers/fault.ts'
import { paces } from '../../sandbox/simulation/scenario/pace.ts'
import { stageSites, triggerNames } from '../../sandbox/triggers/names.ts'
import { toServer } from '../client.ts'
import { type Command, command } from '../frame/command.ts'

const section = 'Sandbox'
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const snapshotName = {
  name: { kind: 'text', as: 'NAME', says: 'Small letters, digits, - and _.' },
} as const
const simulations = () => import('../sandbox/simulate.ts')
const snapshots = () => import('../sandbox/snapshots.ts')
const clock = () => import('../sandbox/clock.ts')
const faults = () => import('../sandbox/faults.ts')
const application = { kind: 'count', as: 'ID', says: 'Of this application only.' } as const

/** What is for trying things out; production refuses all of it. */
export const sandbox: readonly Command[] = [
  command({
    name: 'seed',
    section,
    summary: 'Add demo orders to the database of the settings.',
    details:
      'Behind those that are there, thousands a second. A run that is cut short leaves whole orders only.',
    options: {
      orders: { kind: 'count', to: 5_000_000, says: 'How many.', required: true },
      seed: {
        kind: 'count',
        to: 2 ** 31 - 1,
        says: 'What chance follows from; 1 unless said otherwise.',
      },
    },
    examples: ['feria seed --orders 100000'],
    stopsItself: true,
    load: async () => (await import('../seed.ts')).seedCommand,
  }),
  command({
    name: 'trigger',
    section,
    summary: 'Make something happen: what a topic tells of, or a scenario.',
    words: {
      topic: {
        kind: 'choice',
        of: [...triggerNames, 'list'],
        as: 'TOPIC',
        says: 'Which topic or scenario; `list` tells what each would do.',
      },
    },
    options: {
      application: {
        kind: 'count',
        as: 'ID',
        says: 'Who is told; the demo application unless said otherwise.',
      },
      site: {
        kind: 'choice',
        of: stageSites,
        as: 'SITE',
        says: 'Where; MLA unless it happens on one site only.',
      },
      ...toServer,
    },
    examples: ['feria trigger orders_v2', 'feria trigger fraud_after_payment --site MLB'],
    load: async () => (await import('../trigger/trigger.ts')).triggerCommand,
  }),
  command({
    name: 'sandbox simulate',
    section,
    summary: 'Play believable traffic: checkouts, payments, parcels, messages, claims.',
    details:
      'A job of the server’s own, which goes by the sandbox’s clock and survives restarts. Shows how far it is, and in the end what it did; Ctrl-C stops it. The sellers of the demo world let the application act for them.',
    options: {
      'orders-per-minute': {
        kind: 'count',
        to: 10_000,
        says: 'So many sales begin a minute.',
        required: true,
      },
      minutes: {
        kind: 'count',
        to: 525_600,
        says: 'For so long; until it is stopped unless said.',
      },
      seed: {
        kind: 'count',
        from: 0,
        to: 2 ** 31 - 1,
        says: 'What chance follows from; 1 unless said otherwise.',
      },
      sites: { kind: 'choices', of: demoSites, says: 'On these sites only.' },
      pace: {
        kind: 'choice',
        of: paces,
        says: 'Whether a sale is over within minutes, or takes its days; quick unless said otherwise.',
      },
      application: {
        kind: 'count',
        as: 'ID',
        says: 'Who is told; the demo application unless said otherwise.',
      },
      detach: { kind: 'flag', says: 'Only start it.' },
      ...toServer,
    },
    examples: ['feria sandbox simulate --orders-per-minute 6 --minutes 10 --sites MLA,MLB'],
    stopsItself: true,
    load: async () => (await simulations()).simulate,
  }),
  command({
    name: 'sandbox status',
    section,
    summary: 'How far the simulation is, and what it did.',
    options: toServer,
    load: async () => (await simulations()).simulationStatus,
  }),
  command({
    name: 'sandbox stop',
    section,
    summary: 'Stop it where it is.',
    options: toServer,
    load: async () => (await simulations()).stopSimulation,
  }),
  command({
    name: 'snapshot save',
    section,
    summary: 'Keep the whole world as it is now, in the place of the one of the same name.',
    words: snapshotName,
    options: toServer,
    examples: ['feria snapshot save before-the-sale'],
    load: async () => (await snapshots()).saveSnapshot,
  }),
  command({
    name: 'snapshot load',
    section,
    summary: 'Go back to a world that was kept; what has come since is gone.',
    words: snapshotName,
    options: toServer,
    load: async () => (await snapshots()).loadSnapshot,
  }),
  command({
    name: 'snapshot list',
    section,
    summary: 'The worlds that are kept.',
    options: toServer,
    load: async () => (await snapshots()).listSnapshots,
  }),
  command({
    name: 'snapshot delete',
    section,
    summary: 'Keep one no longer.',
    words: snapshotName,
    options: toServer,
    load: async () => (await snapshots()).deleteSnapshot,
  }),
  command({
    name: 'clock show',
    section,
    summary: 'What time it is in there.',
    options: toServer,
    load: async () => (await clock()).showClock,
  }),
  command({
    name: 'clock advance',
    section,
    summary: 'Move the clock ahead: what falls due meanwhile happens at once.',
    details:
      'The clock moves ahead only, so that nothing that has happened lies in the future. Loading a snapshot is the one exception: it sets the clock to the time of the snapshot.',
    words: {
      step: {
        kind: 'text',
        as: 'STEP',
        says: 'A number with its unit: `90s`, `30m`, `12h`, `5d`.',
      },
    },
    options: toServer,
    examples: ['feria clock advance 12h'],
    load: async () => (await clock()).advanceClock,
  }),
  command({
    name: 'clock set',
    section,
    summary: 'Move the clock ahead to a moment that has not come yet.',
    words: { time: { kind: 'moment', says: 'The moment.' } },
    options: toServer,
    examples: ['feria clock set 2030-01-01T00:00:00Z'],
    load: async () => (await clock()).setClock,
  }),
  command({
    name: 'faults list',
    section,
    summary: 'What is pretended: of orders, of answers, of receivers.',
    options: toServer,
    load: async () => (await faults()).listFaults,
  }),
  command({
    name: 'faults set',
    section,
    summary: 'Pretend that answers are late, refused or in part, or that receivers fail.',
    details:
      'With --kind slow, reset, conflict, limit, failure or parts answers of the interface are late, cut, or refused with 409, 429 or --status, or orders lack --parts; --name (its kind unless said) is what it is replaced and ended by. With another --kind notifications come late, twice, in another order or not at all; it takes the place of the one for the same application, topic and kind. With --parts alone all orders are answered with 206 and without these parts.',
    options: {
      parts: { kind: 'choices', of: parts, says: 'These parts of orders.' },
      kind: {
        kind: 'choice',
        of: [...answerFaultKinds, ...faultKinds],
        as: 'KIND',
        says: 'What happens to answers, or on the way to receivers.',
      },
      share: {
        kind: 'share',
        says: 'To which part of the requests; to all unless said otherwise.',
      },
      application,
      topic: { kind: 'choice', of: topics, as: 'TOPIC', says: 'Of this topic only.' },
      'delay-ms': { kind: 'count', from: 0, to: 60_000, says: 'Of `slow`, `delay`, `reorder`.' },
      status: {
        kind: 'count',
        from: 200,
        to: 599,
        says: 'Of `failure` (500, 502, 503, 504) and `status`: what is answered.',
      },
      name: { kind: 'text', as: 'NAME', says: 'Of a fault of answers; its kind unless said.' },
      method: { kind: 'choice', of: methods, as: 'METHOD', says: 'Of answers: of this method.' },
      path: {
        kind: 'text',
        as: 'PATH',
        says: 'Of answers: an operation, `/orders/{order_id}`, or a path in which `*` is anything.',
      },
      times: { kind: 'count', to: 1_000_000_000, says: 'Of answers: at most so often.' },
      'retry-after': { kind: 'count', from: 0, to: 86_400, says: 'Of `limit`, in seconds.' },
      after: {
        kind: 'flag',
        says: 'Of `reset`, `conflict`, `failure`: what was asked is done, its answer lost.',
      },
      seed: { kind: 'count', from: 0, to: 2 ** 31 - 1, says: 'What chance follows from.' },
      ...toServer,
    },
    examples: [
      'feria faults set --kind limit --retry-after 5 --path "/orders/{order_id}" --share 0.2 --seed 7',
      'feria faults set --kind parts --parts buyer,shipping --application 77',
      'feria faults set --kind status --status 503 --share 0.3 --application 77',
    ],
    load: async () => (await faults()).setFaults,
  }),
  command({
    name: 'faults clear',
    section,
    summary: 'End what is pretended: all of it, or what is named.',
    options: {
      orders: { kind: 'flag', says: 'Those of orders.' },
      receivers: { kind: 'flag', says: 'Those of receivers.' },
      answers: { kind: 'flag', says: 'Those of answers.' },
      name: { kind: 'text', as: 'NAME', says: 'The one of answers that has this name.' },
      application,
      kind: { kind: 'choice', of: faultKinds, as: 'KIND', says: 'Of this kind only.' },
      ...toServer,
    },
    load: async () => (await faults()).clearFaults,
  }),
]
