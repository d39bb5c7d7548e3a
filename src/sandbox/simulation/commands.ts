import { tokenScopes } from '../../http/scopes.ts'
import { findApplication, saveAuthorization } from '../../identity/store.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import { demoApplication } from '../demo/ids.ts'
import { prepareDemoUsers } from '../demo/load.ts'
import { demoSellers } from '../demo/users.ts'
import {
  changeSimulationState,
  deleteUnfinishedSales,
  findOpenSimulation,
  findSimulation,
  insertSimulation,
  lockSimulations,
  openSimulationStates,
  type Simulation,
  type SimulationInput,
} from './store.ts'

/** Signal channel: a simulation has started. */
export const simulationsChanged = 'simulations'

/** Starts a simulation. Registers missing demo users and listings, and authorizes the application for the sellers.
 * Throws `simulation_open` while another one runs, and `not_found` without the application. */
export async function startSimulation(
  ctx: Context,
  {
    input,
    applicationId = demoApplication.id,
  }: { input: SimulationInput; applicationId?: number | undefined },
): Promise<Simulation> {
  const { audit, db, now, random } = ctx
  const id = random.hex(8)
  audit.target(id)
  audit.relate('application', applicationId)
  audit.change({ before: null, after: { ...input, application_id: applicationId } })
  await refuseSecond(db)
  await prepareDemoUsers(ctx)
  if (!(await findApplication(db, applicationId))) {
    throw new Failure('not_found', `Application not found: ${applicationId}`)
  }
  const at = now()
  for (const { site, user } of demoSellers()) {
    if (!input.sites.includes(site)) continue
    await saveAuthorization(db, { userId: user.id, applicationId, scopes: tokenScopes }, at)
  }
  const simulation: Simulation = {
    id,
    state: 'running',
    input,
    applicationId,
    begun: 0,
    counts: {},
    dateCreated: at,
    dateEnded: null,
    open: 0,
  }
  await db.transaction(async (tx) => {
    await lockSimulations(tx)
    await refuseSecond(tx)
    await insertSimulation(tx, simulation)
    tx.hint(simulationsChanged)
  })
  return simulation
}

async function refuseSecond(db: Parameters<typeof findOpenSimulation>[0]): Promise<void> {
  const open = await findOpenSimulation(db)
  if (open) throw new Failure('simulation_open', open.id)
}

/** Stops a simulation and drops its unfinished sales. Does nothing if it has ended. Throws `not_found`. */
export async function stopSimulation(
  { audit, db, now }: Pick<Context, 'audit' | 'db' | 'now'>,
  id: string,
): Promise<Simulation> {
  return db.transaction(async (tx) => {
    const before = await findSimulation(tx, id)
    if (
      await changeSimulationState(tx, { id, from: openSimulationStates, to: 'stopped', now: now() })
    ) {
      await deleteUnfinishedSales(tx, id)
    }
    const simulation = await findSimulation(tx, id)
    if (!simulation) throw new Failure('not_found', `Simulation not found: ${id}`)
    audit.change({
      before: before ? { state: before.state } : null,
      after: { state: simulation.state },
    })
    return simulation
  })
}
