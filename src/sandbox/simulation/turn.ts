import type { Context } from '../../platform/context.ts'
import { execute } from './execute.ts'
import { dueAfter } from './scenario/pace.ts'
import { beginsAfter, type SimulatedSale, simulateSale } from './scenario/simulated-sale.ts'
import {
  findOpen,
  holdPlay,
  listDue,
  type MadeSoFar,
  moveSimulation,
  type Simulation,
  saveBegun,
  saveStep,
  type Unfolding,
} from './store.ts'

/** So much is done in one turn. */
const most = { begun: 50, steps: 50 }

/**
 * One turn of the simulation that is under way: stories whose time has come begin, and those whose next
 * step is due take it. Returns whether there may be more at once. One process plays at a time; each step
 * is written down behind it, so that after a crash the one that was under way is taken again: orders,
 * payments, shipments, claims and ratings know it again, a question or a message may be there twice.
 */
export async function simulateOnce(ctx: Context): Promise<boolean> {
  const { db } = ctx
  if (!(await findOpen(db))) return false
  return db.transaction(async (tx) => {
    if (!(await holdPlay(tx))) return false
    const open = await findOpen(db)
    if (!open) return false
    const beganAll = await begin(ctx, open)
    const tookAll = await takeSteps(ctx, open)
    if (beganAll && tookAll) await endIfOver(ctx, open.id)
    return !beganAll || !tookAll
  })
}

/** How many stories a simulation has in all; null for no end. */
export function storiesOf({ minutes, perMinute }: Simulation['asked']): number | null {
  return minutes === null ? null : Math.ceil(minutes * perMinute)
}

/** Returns whether nothing more is to begin now. */
async function begin(ctx: Context, { id, state, asked, begun, dateCreated }: Simulation) {
  if (state !== 'running') return true
  const total = storiesOf(asked) ?? Number.POSITIVE_INFINITY
  const now = ctx.now().getTime()
  const beginningOf = (number: number) => dateCreated.getTime() + beginsAfter(asked, number)
  let number = begun
  for (; number < total && beginningOf(number) <= now; number++) {
    if (number - begun === most.begun) return false
    const begunAt = new Date(beginningOf(number))
    const made = await namedFor(ctx)
    const story = { number, step: 0, dueAt: begunAt, begunAt, made }
    await ctx.db.transaction((tx) => saveBegun(tx, { id, story }))
  }
  return true
}

/** Numbers that are drawn before they are needed, so that a step that is taken again names the same. */
async function namedFor({ ids }: Context): Promise<MadeSoFar> {
  const [packId, shipmentId, claimId] = await Promise.all([
    ids.next('order'),
    ids.next('shipment'),
    ids.next('claim'),
  ])
  return { packId, shipmentId, claimId, orders: {}, payments: {}, ratings: {} }
}

/** Returns whether nothing more is due now. */
async function takeSteps(ctx: Context, simulation: Simulation): Promise<boolean> {
  const { id, asked, told: before } = simulation
  const told = { ...before }
  const due = await listDue(ctx.db, { id, now: ctx.now(), limit: most.steps })
  for (const unfolding of due) {
    const story = remembered(asked, unfolding.number)
    const step = story.steps[unfolding.step]
    if (!step) throw new Error(`story ${unfolding.number} has no step ${unfolding.step}`)
    const performed = await execute(ctx, { simulationId: id, story, unfolding }, step)
    for (const each of performed.counted) told[each] = (told[each] ?? 0) + 1
    const next = { ...unfolding, made: performed.made, step: unfolding.step + 1 }
    const isOver = performed.isOver || next.step === story.steps.length
    const dueAt = isOver ? next.dueAt : dueAtOf(story, next, asked)
    const after = { id, story: { ...next, dueAt }, isOver, told }
    if (!(await ctx.db.transaction((tx) => saveStep(tx, after)))) return true
  }
  // A step that was taken may have made the next one due.
  return due.length === 0
}

function dueAtOf(
  story: SimulatedSale,
  { begunAt, step }: Unfolding,
  { pace }: Simulation['asked'],
): Date {
  return new Date(begunAt.getTime() + (dueAfter(story, pace)[step] ?? 0))
}

/** Ends a simulation of which nothing is left to begin or to go on. */
async function endIfOver(ctx: Context, id: string): Promise<void> {
  const open = await findOpen(ctx.db)
  if (open?.id !== id) return
  const total = storiesOf(open.asked)
  if (total === null || open.begun < total) return
  const to = open.open === 0 ? 'finished' : 'finishing'
  if (to === open.state) return
  await moveSimulation(ctx.db, { id, from: ['running', 'finishing'], to, now: ctx.now() })
}

const mostRemembered = 2_000
const stories = new Map<string, SimulatedSale>()

/** A story is made anew from its number whenever it is not at hand. */
function remembered(asked: Simulation['asked'], number: number): SimulatedSale {
  const key = `${asked.seed} ${asked.sites.join()} ${number}`
  const known = stories.get(key) ?? simulateSale(asked, number)
  if (stories.size >= mostRemembered) stories.clear()
  stories.set(key, known)
  return known
}
