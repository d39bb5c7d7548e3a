import type { Context } from '../../platform/context.ts'
import { execute } from './execute.ts'
import { stepOffsetsMs } from './scenario/pace.ts'
import { type SimulatedSale, saleStartMs, simulateSale } from './scenario/simulated-sale.ts'
import {
  changeSimulationState,
  findOpenSimulation,
  listDueSales,
  type SaleProgress,
  type SaleResourceIds,
  type Simulation,
  saveSaleProgress,
  saveSaleStart,
  tryLockSimulationRun,
} from './store.ts'

/** Limits of one turn. */
const tickLimits = { begun: 50, steps: 50 }

/**
 * Runs one turn of the open simulation: begins the sales whose time has come and executes the steps that are due. Returns
 * whether more may be due at once. One process at a time runs turns. Each step is saved after it, so a crash repeats the
 * last one. Repeated orders, payments, shipments, claims and ratings are recognized; a question or message may be doubled.
 */
export async function runSimulationTick(ctx: Context): Promise<boolean> {
  const { db } = ctx
  if (!(await findOpenSimulation(db))) return false
  return db.transaction(async (tx) => {
    if (!(await tryLockSimulationRun(tx))) return false
    const open = await findOpenSimulation(db)
    if (!open) return false
    const beganAll = await beginDueSales(ctx, open)
    const tookAll = await executeDueSteps(ctx, open)
    if (beganAll && tookAll) await endIfOver(ctx, open.id)
    return !beganAll || !tookAll
  })
}

/** Returns the number of sales of a simulation; null without an end. */
export function totalSalesOf({ minutes, perMinute }: Simulation['input']): number | null {
  return minutes === null ? null : Math.ceil(minutes * perMinute)
}

/** Begins the sales whose time has come. Returns false if the turn limit left some. */
async function beginDueSales(ctx: Context, { id, state, input, begun, dateCreated }: Simulation) {
  if (state !== 'running') return true
  const total = totalSalesOf(input) ?? Number.POSITIVE_INFINITY
  const now = ctx.now().getTime()
  const beginningOf = (number: number) => dateCreated.getTime() + saleStartMs(input, number)
  let number = begun
  for (; number < total && beginningOf(number) <= now; number++) {
    if (number - begun === tickLimits.begun) return false
    const begunAt = new Date(beginningOf(number))
    const resourceIds = await drawIds(ctx)
    const sale = { number, step: 0, dueAt: begunAt, begunAt, made: resourceIds }
    await ctx.db.transaction((tx) => saveSaleStart(tx, { id, sale }))
  }
  return true
}

/** Draws the ids of a sale in advance, so that a repeated step uses the same ones. */
async function drawIds({ ids }: Context): Promise<SaleResourceIds> {
  const [packId, shipmentId, claimId] = await Promise.all([
    ids.next('order'),
    ids.next('shipment'),
    ids.next('claim'),
  ])
  return { packId, shipmentId, claimId, orders: {}, payments: {}, ratings: {} }
}

/** Executes the steps that are due. Returns false if further steps may be due. */
async function executeDueSteps(ctx: Context, simulation: Simulation): Promise<boolean> {
  const { id, input, counts: before } = simulation
  const counts = { ...before }
  const due = await listDueSales(ctx.db, { id, now: ctx.now(), limit: tickLimits.steps })
  for (const dueSale of due) {
    const sale = cachedSaleOf(input, dueSale.number)
    const step = sale.steps[dueSale.step]
    if (!step) throw new Error(`sale ${dueSale.number} has no step ${dueSale.step}`)
    const result = await execute(ctx, { simulationId: id, sale, progress: dueSale }, step)
    for (const name of result.counted) counts[name] = (counts[name] ?? 0) + 1
    const next = { ...dueSale, made: result.made, step: dueSale.step + 1 }
    const isOver = result.isOver || next.step === sale.steps.length
    const dueAt = isOver ? next.dueAt : dueAtOf(sale, next, input)
    const progress = { id, sale: { ...next, dueAt }, isOver, counts }
    if (!(await ctx.db.transaction((tx) => saveSaleProgress(tx, progress)))) return true
  }
  // After a step, the next one may be due already.
  return due.length === 0
}

function dueAtOf(
  sale: SimulatedSale,
  { begunAt, step }: SaleProgress,
  { pace }: Simulation['input'],
): Date {
  return new Date(begunAt.getTime() + (stepOffsetsMs(sale, pace)[step] ?? 0))
}

/** Ends a simulation after its last sale, or marks it as finishing once all sales have begun. */
async function endIfOver(ctx: Context, id: string): Promise<void> {
  const open = await findOpenSimulation(ctx.db)
  if (open?.id !== id) return
  const total = totalSalesOf(open.input)
  if (total === null || open.begun < total) return
  const to = open.open === 0 ? 'finished' : 'finishing'
  if (to === open.state) return
  await changeSimulationState(ctx.db, { id, from: ['running', 'finishing'], to, now: ctx.now() })
}

const cacheSize = 2_000
const cachedSales = new Map<string, SimulatedSale>()

/** Returns the sale of a number from the cache, or generates it again. */
function cachedSaleOf(input: Simulation['input'], number: number): SimulatedSale {
  const key = `${input.seed} ${input.sites.join()} ${number}`
  const sale = cachedSales.get(key) ?? simulateSale(input, number)
  if (cachedSales.size >= cacheSize) cachedSales.clear()
  cachedSales.set(key, sale)
  return sale
}
