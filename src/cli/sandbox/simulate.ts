import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestBody, ResponseBody } from 'feria/client'
import {
  type ApiClient,
  openClient,
  type ServerOptions,
  ServerUnavailable,
} from '../client/client.ts'
import { exitCodes } from '../frame/failure.ts'
import { alignColumns, type Output } from '../frame/output.ts'

const path = '/operator/sandbox/simulations'
const stopPath = `${path}/{simulation_id}/stop` as const
const pollMs = 500

type Simulation = ResponseBody<'/operator/sandbox/simulations/{simulation_id}', 'get'>
type SimulationInput = RequestBody<'/operator/sandbox/simulations', 'post'>

type SimulateOptions = ServerOptions & {
  'orders-per-minute': number
  minutes?: number
  seed?: number
  sites?: NonNullable<SimulationInput['sites']>
  pace?: NonNullable<SimulationInput['pace']>
  application?: number
  detach?: true
}

/** `feria sandbox simulate`: starts a simulation and follows it. Ctrl-C stops the simulation. */
export async function simulateCommand(
  { minutes, seed, sites, pace, application, detach, ...options }: SimulateOptions,
  out: Output,
): Promise<number | undefined> {
  const client = openClient(options)
  const simulation = await client.call('POST', path, {
    body: {
      orders_per_minute: options['orders-per-minute'],
      minutes,
      seed,
      sites,
      pace,
      application_id: application,
    },
  })
  if (detach) return printSimulation(simulation, out)
  const sales = simulation.total === null ? 'until it is stopped' : `${simulation.total} sales`
  out.printNote(`simulation ${simulation.id}: ${sales}, seed ${simulation.seed}. Ctrl-C stops it.`)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())
  return watch(client, { id: simulation.id, out, stop: stop.signal })
}

/** `feria sandbox status`: prints the newest simulation. */
export async function simulationStatusCommand(
  options: ServerOptions,
  out: Output,
): Promise<undefined> {
  const { simulations } = await openClient(options).call('GET', path)
  const [newest] = simulations
  if (!newest)
    return out.printResult(
      null,
      () => 'There are no simulations. Start one: feria sandbox simulate',
    )
  printSimulation(newest, out)
}

/** `feria sandbox stop`: stops the simulation that runs, or that only finishes its open sales. A sandbox has at most
 * one. Without one, it says so and exits with 0. */
export async function stopSimulationCommand(
  options: ServerOptions,
  out: Output,
): Promise<undefined> {
  const client = openClient(options)
  const { simulations } = await client.call('GET', path)
  const open = simulations.find(({ state }) => state === 'running' || state === 'finishing')
  if (!open) return out.printResult(null, () => 'No simulation is running.')
  printSimulation(await client.call('POST', stopPath, { path: { simulation_id: open.id } }), out)
}

/** Follows a simulation until it ends, across restarts of the server. Returns the exit code. */
async function watch(
  client: ApiClient,
  { id, out, stop }: { id: string; out: Output; stop: AbortSignal },
): Promise<number> {
  const progress = out.progress({ unit: 'sales' })
  const simulationPath = { path: { simulation_id: id } }
  let shownState = ''
  for (;;) {
    if (stop.aborted) {
      progress.end()
      printSimulation(await client.call('POST', stopPath, simulationPath), out)
      return exitCodes.interrupted
    }
    const simulation = await client
      .call('GET', `${path}/{simulation_id}`, simulationPath)
      .catch((error: unknown) => {
        if (!(error instanceof ServerUnavailable)) throw error
        return undefined
      })
    if (simulation) {
      const { state, begun, total, told: counts } = simulation
      progress.update(begun, total ?? undefined)
      const currentState = JSON.stringify([state, begun, counts])
      const isOver = state === 'finished' || state === 'stopped'
      if (out.isJson && shownState !== currentState && !isOver)
        out.printResult(simulation, () => [])
      shownState = currentState
      if (isOver) {
        progress.end()
        printSimulation(simulation, out)
        return exitCodes.done
      }
    }
    await sleep(pollMs, undefined, { signal: stop }).catch(() => {})
  }
}

/** Prints a simulation. `told` counts what it did, by name: orders, messages and so on. */
function printSimulation(simulation: Simulation, out: Output): undefined {
  const { id, state, begun, total, open, told } = simulation
  const counts = Object.entries(told).filter(([, count]) => count !== 0)
  out.printResult(simulation, () => [
    `simulation ${id}: ${state}, ${begun}${total === null ? '' : ` of ${total}`} sales begun, ${open} open`,
    ...alignColumns(counts.map(([name, count]) => [`  ${name}`, String(count)])),
  ])
}
