import { Type } from 'typebox'
import { created, ok, type Route, route } from '../../http/route.ts'
import { allSites } from '../../http/site-rule.ts'
import { timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { DistinctListOf, Id, OrNull, StrictObject, Timestamp } from '../../kernel/schema.ts'
import { demoSites } from '../demo/ids.ts'
import { startSimulation, stopSimulation } from './commands.ts'
import { simulationCounts } from './scenario/action.ts'
import { paces } from './scenario/pace.ts'
import { findSimulation, listSimulations, type Simulation, simulationStates } from './store.ts'
import { totalSalesOf } from './tick.ts'

const tag = 'Operator: sandbox'
const url = '/operator/sandbox/simulations'

const PerMinute = Type.Number({
  exclusiveMinimum: 0,
  maximum: 10_000,
  description: 'Sales that begin per minute of the sandbox clock',
})
const Minutes = Type.Number({
  exclusiveMinimum: 0,
  maximum: 525_600,
  description: 'Minutes for which sales begin. Null, the default: until you stop it',
})
const Seed = Type.Integer({
  minimum: 0,
  maximum: 2 ** 31 - 1,
  description: 'Decides what happens. Default: 1',
})
const Sites = DistinctListOf(demoSites, {
  minItems: 1,
  description: 'Sites on which sales happen. Default: all of these',
})
const Pace = Type.Enum([...paces], {
  description: 'How long a sale takes: minutes (`quick`, the default) or days (`real`)',
})
const ForApplication = Type.Integer({
  ...Id,
  description:
    'Application that the simulated sellers authorize, so that it is notified. Default: the demo application',
})
const SimulationId = Type.String({
  pattern: '^[0-9a-f]{16}$',
  description: '`id` of the simulation, from the answer that started it',
})
const defaultSeed = 1

const SimulationAnswer = Type.Object({
  id: SimulationId,
  state: Type.Enum([...simulationStates], {
    description:
      '`running` begins sales, `finishing` only ends those that have begun, `finished` has ended by itself, `stopped` was stopped',
  }),
  orders_per_minute: PerMinute,
  minutes: OrNull(Minutes),
  seed: Seed,
  sites: Sites,
  pace: Pace,
  application_id: ForApplication,
  begun: Type.Integer({ description: 'sales that have begun' }),
  total: OrNull(Type.Integer({ description: 'sales that will begin in all; null without an end' })),
  open: Type.Integer({ description: 'sales that have begun and are not finished' }),
  told: Type.Object(Object.fromEntries(simulationCounts.map((name) => [name, Type.Integer()])), {
    description:
      'How many of each the simulation made so far. `changes` counts later changes of orders, such as cancellations, `restocked` items whose stock was filled up, `refused` steps that were not possible.',
  }),
  date_created: Timestamp,
  date_ended: OrNull({ ...Timestamp, description: 'When it ended. Null before' }),
})

const EndedSimulationAnswer = Type.Object({
  ...SimulationAnswer.properties,
  state: Type.Enum(['stopped', 'finished'], {
    description: '`stopped`, or `finished` if it had ended by itself',
  }),
  date_ended: { ...Timestamp, description: 'When it ended' },
})

/** Renders a simulation. Its counts are called `told`, an older name of the interface. */
function view({ input, counts, ...simulation }: Simulation): object {
  const { id, state, applicationId, begun, open, dateCreated, dateEnded } = simulation
  const { perMinute, minutes, seed, sites, pace } = input
  return {
    id,
    state,
    orders_per_minute: perMinute,
    minutes,
    seed,
    sites,
    pace,
    application_id: applicationId,
    begun,
    total: totalSalesOf(input),
    open,
    told: Object.fromEntries(simulationCounts.map((name) => [name, counts[name] ?? 0])),
    date_created: timestamp(dateCreated),
    date_ended: timestamp(dateEnded),
  }
}

const postSimulation = route({
  method: 'POST',
  url,
  scope: 'operator',
  permission: 'sandbox:write',
  sites: allSites,
  audits: 'simulation',
  tag,
  summary: 'Start a simulation',
  description:
    'Simulates believable traffic: questions, checkouts, payments, shipments, messages, claims, cancellations and ratings. Sales begin at `orders_per_minute` by the clock of the sandbox, for `minutes` or until you stop it. The same `seed` and `sites` give the same events. With `pace` `quick` a sale takes minutes, with `real` it takes days. The simulation survives restarts. Only sandboxes accept it (`sandbox_only`), one at a time (409 `simulation_open`). An unknown application answers 404 `not_found`.',
  refuses: {
    sandbox_only: '',
    not_found: 'Application not found: 3486171129139063',
    simulation_open: 'a5a5a5a5a5a5a5a5',
  },
  body: StrictObject({
    orders_per_minute: PerMinute,
    minutes: Type.Optional(OrNull(Minutes)),
    seed: Type.Optional(Seed),
    sites: Type.Optional(Sites),
    pace: Type.Optional(Pace),
    application_id: Type.Optional(ForApplication),
  }),
  answers: { 201: SimulationAnswer },
  async handle(ctx, { body }) {
    if (ctx.config.mode !== 'sandbox') throw new Failure('sandbox_only')
    const input = {
      perMinute: body.orders_per_minute,
      minutes: body.minutes ?? null,
      seed: body.seed ?? defaultSeed,
      // In a fixed order, so that the same sites give the same events.
      sites: demoSites.filter((site) => body.sites?.includes(site) ?? true),
      pace: body.pace ?? 'quick',
    }
    return created(view(await startSimulation(ctx, { input, applicationId: body.application_id })))
  },
})

const getSimulations = route({
  method: 'GET',
  url,
  scope: 'operator',
  permission: 'sandbox:read',
  sites: allSites,
  tag,
  summary: 'List simulations',
  description:
    'Returns the newest 100 simulations, newest first. Outside a sandbox the answer is 403 `sandbox_only`.',
  refuses: { sandbox_only: '' },
  answers: { 200: Type.Object({ simulations: Type.Array(SimulationAnswer) }) },
  async handle({ db, config }) {
    if (config.mode !== 'sandbox') throw new Failure('sandbox_only')
    return ok({ simulations: (await listSimulations(db, 100)).map(view) })
  },
})

const getSimulation = route({
  method: 'GET',
  url: `${url}/:simulation_id`,
  scope: 'operator',
  permission: 'sandbox:read',
  sites: allSites,
  tag,
  summary: 'Get a simulation',
  description:
    'Returns the state of a simulation, its progress, and in `told` what it did. An unknown id answers 404 `not_found`. Outside a sandbox the answer is 403 `sandbox_only`.',
  refuses: {
    sandbox_only: '',
    not_found: 'Simulation not found: a5a5a5a5a5a5a5a5',
  },
  params: Type.Object({ simulation_id: SimulationId }),
  answers: { 200: SimulationAnswer },
  async handle({ db, config }, { params: { simulation_id: id } }) {
    if (config.mode !== 'sandbox') throw new Failure('sandbox_only')
    const simulation = await findSimulation(db, id)
    if (!simulation) throw new Failure('not_found', `Simulation not found: ${id}`)
    return ok(view(simulation))
  },
})

const postStop = route({
  method: 'POST',
  url: `${url}/:simulation_id/stop`,
  scope: 'operator',
  permission: 'sandbox:write',
  sites: allSites,
  audits: 'simulation',
  tag,
  summary: 'Stop a simulation',
  description:
    'Ends a simulation: no more sales begin, and unfinished ones do not go on. Everything that it made stays. Does nothing if the simulation has ended. An unknown id answers 404 `not_found`. Outside a sandbox the answer is 403 `sandbox_only`.',
  refuses: {
    sandbox_only: '',
    not_found: 'Simulation not found: a5a5a5a5a5a5a5a5',
  },
  params: Type.Object({ simulation_id: SimulationId }),
  answers: { 200: EndedSimulationAnswer },
  async handle(ctx, { params: { simulation_id: id } }) {
    if (ctx.config.mode !== 'sandbox') throw new Failure('sandbox_only')
    return ok(view(await stopSimulation(ctx, id)))
  },
})

export const simulationRoutes: Route[] = [postSimulation, getSimulations, getSimulation, postStop]
