import { topics } from '../../kernel/topics.ts'
import { parts } from '../../orders/view.ts'
import { faultKinds } from '../../sandbox/receivers/fault.ts'
import { sceneNames, stageSites } from '../../sandbox/scenes/names.ts'
import { toServer } from '../client.ts'
import { type Command, command } from '../frame/command.ts'

const section = 'Sandbox'
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
        of: [...sceneNames, 'list'],
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
    details: 'The clock never goes back, so that nothing that has happened lies in the future.',
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
    summary: 'What is pretended: parts of orders out of reach, faults of receivers.',
    options: toServer,
    load: async () => (await faults()).listFaults,
  }),
  command({
    name: 'faults set',
    section,
    summary: 'Pretend that parts of orders are out of reach, or that receivers fail.',
    details:
      'With --parts orders are answered with 206 and without these parts. With --kind notifications come late, twice, in another order or not at all; it takes the place of the one for the same application, topic and kind.',
    options: {
      parts: { kind: 'choices', of: parts, says: 'These parts of orders, and no others.' },
      kind: {
        kind: 'choice',
        of: faultKinds,
        as: 'KIND',
        says: 'What happens on the way to receivers.',
      },
      share: {
        kind: 'share',
        says: 'To which part of the requests; to all unless said otherwise.',
      },
      application,
      topic: { kind: 'choice', of: topics, as: 'TOPIC', says: 'Of this topic only.' },
      'delay-ms': { kind: 'count', from: 0, to: 60_000, says: 'Of `delay` and `reorder`.' },
      status: { kind: 'count', from: 200, to: 599, says: 'Of `status`: what is answered.' },
      seed: { kind: 'count', from: 0, to: 2 ** 31 - 1, says: 'What chance follows from.' },
      ...toServer,
    },
    examples: [
      'feria faults set --parts buyer,shipping',
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
      application,
      kind: { kind: 'choice', of: faultKinds, as: 'KIND', says: 'Of this kind only.' },
      ...toServer,
    },
    load: async () => (await faults()).clearFaults,
  }),
]
