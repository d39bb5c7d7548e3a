import { tokenScopes } from '../../http/scopes.ts'
import { findApplication, saveAuthorization } from '../../identity/store.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import { demoSellers } from '../demo/people.ts'
import { demoApplication } from '../demo/world.ts'
import { preparePeople } from '../seed.ts'
import {
  dropStories,
  findOpen,
  findSimulation,
  insertSimulation,
  lockSimulations,
  moveSimulation,
  openSimulationStates,
  type Simulation,
  type SimulationInput,
} from './store.ts'

/** The channel on which is told that there is something to play. */
export const simulationsChanged = 'simulations'

/** Begins to play traffic. The people and listings of the demo world are registered where they are
 * missing, and the sellers let the application act for them. Throws `simulation_open` while there is
 * one. */
export async function startSimulation(
  ctx: Context,
  {
    asked,
    applicationId = demoApplication.id,
  }: { asked: SimulationInput; applicationId?: number | undefined },
): Promise<Simulation> {
  const { db, now, random } = ctx
  await refuseSecond(db)
  await preparePeople(ctx)
  if (!(await findApplication(db, applicationId))) {
    throw new Failure('not_found', `Application not found: ${applicationId}`)
  }
  const at = now()
  for (const { site, user } of demoSellers) {
    if (!asked.sites.includes(site)) continue
    await saveAuthorization(db, { userId: user.id, applicationId, scopes: tokenScopes }, at)
  }
  const simulation: Simulation = {
    id: random.hex(8),
    state: 'running',
    asked,
    applicationId,
    begun: 0,
    told: {},
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

async function refuseSecond(db: Parameters<typeof findOpen>[0]): Promise<void> {
  const open = await findOpen(db)
  if (open) throw new Failure('simulation_open', open.id)
}

/** Ends one where it is: nothing begins any more, and stories are left unfinished. Nothing happens to
 * one that has ended. Throws a `not_found`. */
export async function stopSimulation(
  { db, now }: Pick<Context, 'db' | 'now'>,
  id: string,
): Promise<Simulation> {
  await db.transaction(async (tx) => {
    if (await moveSimulation(tx, { id, from: openSimulationStates, to: 'stopped', now: now() })) {
      await dropStories(tx, id)
    }
  })
  const found = await findSimulation(db, id)
  if (!found) throw new Failure('not_found', `Simulation not found: ${id}`)
  return found
}
