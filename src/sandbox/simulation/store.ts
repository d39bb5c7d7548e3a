import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { DemoSite } from '../demo/ids.ts'
import type { SimulationCount } from './scenario/action.ts'
import type { Pace } from './scenario/pace.ts'

/** The input of a simulation. */
export interface SimulationInput {
  perMinute: number
  /** Null: until it is stopped. */
  minutes: number | null
  seed: number
  sites: readonly DemoSite[]
  pace: Pace
}

export const simulationStates = ['running', 'finishing', 'finished', 'stopped'] as const
export type SimulationState = (typeof simulationStates)[number]

/** The states of a simulation that has not ended. */
export const openSimulationStates = ['running', 'finishing'] as const satisfies SimulationState[]

export interface Simulation {
  id: string
  state: SimulationState
  input: SimulationInput
  applicationId: number
  /** The number of sales that have begun. */
  begun: number
  counts: Partial<Record<SimulationCount, number>>
  dateCreated: Date
  dateEnded: Date | null
  /** The number of sales that have begun and not ended. */
  open: number
}

/** Ids of what a simulated sale has made so far. */
export interface SaleResourceIds {
  packId: number
  shipmentId: number
  claimId: number
  questionId?: number
  /** By the index of the order. */
  orders: Record<string, number>
  /** By the indexes of order and payment: `0/1`. */
  payments: Record<string, number>
  /** By the index of the order and the role of the author: `0/sale`. */
  ratings: Record<string, number>
}

/** The progress of a simulated sale. */
export interface SaleProgress {
  number: number
  /** The index of the next step. */
  step: number
  dueAt: Date
  begunAt: Date
  made: SaleResourceIds
}

type SimulationRow = Omit<Simulation, 'input' | 'counts'> & { asked: string; told: string }

const simulationOf = ({ asked, told, ...row }: SimulationRow): Simulation => ({
  ...row,
  input: JSON.parse(asked),
  counts: JSON.parse(told),
})

const columns = sql`id, state, asked, application_id as "applicationId", begun, told,
  date_created as "dateCreated", date_ended as "dateEnded",
  (select count(*) from sandbox_stories where simulation_id = id) as open`

export async function insertSimulation(tx: Tx, simulation: Simulation): Promise<void> {
  const { id, state, input, applicationId, begun, counts, dateCreated } = simulation
  await tx.rows(sql`
    insert into sandbox_simulations (id, state, asked, application_id, begun, told, date_created)
    values (${id}, ${state}, ${JSON.stringify(input)}, ${applicationId}, ${begun},
      ${JSON.stringify(counts)}, ${dateCreated})`)
}

/** Lists simulations, newest first. */
export async function listSimulations(db: Db, limit: number): Promise<Simulation[]> {
  const rows = await db.rows<SimulationRow>(sql`
    select ${columns} from sandbox_simulations order by date_created desc, id limit ${limit}`)
  return rows.map(simulationOf)
}

export async function findSimulation(db: Db, id: string): Promise<Simulation | undefined> {
  const row = await db.row<SimulationRow>(
    sql`select ${columns} from sandbox_simulations where id = ${id}`,
  )
  return row && simulationOf(row)
}

/** Finds the simulation that has not ended. There is at most one. */
export async function findOpenSimulation(db: Db): Promise<Simulation | undefined> {
  const row = await db.row<SimulationRow>(sql`
    select ${columns} from sandbox_simulations where state in ('running', 'finishing')`)
  return row && simulationOf(row)
}

/** Locks the execution of simulations until the transaction ends. Returns false if another process holds the lock. */
export async function tryLockSimulationRun(tx: Tx): Promise<boolean> {
  const row = await tx.row<{ held: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtext('simulation')) as held`)
  return row?.held ?? false
}

/** Blocks the start of other simulations until the transaction ends. */
export async function lockSimulations(tx: Tx): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtext('simulations'))`)
}

/** Changes the state. Returns false if the simulation was in none of the states `from`. */
export async function changeSimulationState(
  db: Db,
  move: { id: string; from: readonly SimulationState[]; to: SimulationState; now: Date },
): Promise<boolean> {
  const endedAt = move.to === 'finishing' ? null : move.now
  const rows = await db.rows(sql`
    update sandbox_simulations set state = ${move.to}, date_ended = ${endedAt}
    where id = ${move.id} and state = any(${move.from}::text[]) returning id`)
  return rows.length > 0
}

/** Deletes the unfinished sales of a simulation. */
export async function deleteUnfinishedSales(tx: Tx, simulationId: string): Promise<void> {
  await tx.rows(sql`delete from sandbox_stories where simulation_id = ${simulationId}`)
}

/** Saves that the next sale has begun. Idempotent. */
export async function saveSaleStart(
  tx: Tx,
  { id, sale }: { id: string; sale: SaleProgress },
): Promise<void> {
  tx.write(sql`
    insert into sandbox_stories (simulation_id, number, step, due_at, begun_at, made)
    select id, ${sale.number}, ${sale.step}, ${sale.dueAt}, ${sale.begunAt},
      ${JSON.stringify(sale.made)}
    from sandbox_simulations where id = ${id} and state = 'running'
    on conflict (simulation_id, number) do nothing`)
  await tx.rows(sql`
    update sandbox_simulations set begun = ${sale.number + 1} where id = ${id}`)
}

/** Lists the sales whose next step is due, earliest first. */
export async function listDueSales(
  db: Db,
  { id, now, limit }: { id: string; now: Date; limit: number },
): Promise<SaleProgress[]> {
  const rows = await db.rows<Omit<SaleProgress, 'made'> & { made: string }>(sql`
    select number, step, due_at as "dueAt", begun_at as "begunAt", made from sandbox_stories
    where simulation_id = ${id} and due_at <= ${now} order by due_at, number limit ${limit}`)
  return rows.map(({ made, ...row }) => ({ ...row, made: JSON.parse(made) }))
}

/** Saves the progress of a sale after a step, or deletes the sale after its last one. Returns whether the simulation
 * still runs. */
export async function saveSaleProgress(
  tx: Tx,
  progress: { id: string; sale: SaleProgress; isOver: boolean; counts: Simulation['counts'] },
): Promise<boolean> {
  const { id, sale, isOver, counts } = progress
  const { number, step, dueAt, made } = sale
  if (isOver) {
    tx.write(sql`
      delete from sandbox_stories where simulation_id = ${id} and number = ${number}`)
  } else {
    tx.write(sql`
      update sandbox_stories set step = ${step}, due_at = ${dueAt}, made = ${JSON.stringify(made)}
      where simulation_id = ${id} and number = ${number}`)
  }
  const row = await tx.row<{ state: SimulationState }>(sql`
    update sandbox_simulations set told = ${JSON.stringify(counts)} where id = ${id} returning state`)
  return row?.state === 'running' || row?.state === 'finishing'
}
