import { type ReceiverBehavior, receiverBehaviors } from './receivers.ts'
import { SimulationRandom } from './seeded-random.ts'

/** Something that goes wrong in a schedule, from then on for so long. */
export type PlannedFault = { at: number; lastsMs: number } & (
  | { kind: 'kill'; process: number; noticedMs: number }
  | { kind: 'stop'; process: number }
  | { kind: 'breaks'; share: number }
  | { kind: 'slow'; slowness: number }
  | { kind: 'frozen' | 'crash' | 'read-only' | 'disk-full' }
)

interface PlannedApplication {
  id: number
  users: readonly number[]
  /** How its receiver answers while things go wrong, one after another. */
  manners: readonly { at: number; manner: ReceiverBehavior }[]
  /** How it answers afterwards. */
  lastManner: ReceiverBehavior
}

export interface PlannedChange {
  at: number
  resources: readonly string[]
  user: number
  /** Which process records it; one that only records when there is no such. */
  process: number
  /** Its transaction is held open for so long before it commits. */
  openMs: number
  isRolledBack: boolean
}

/** What is to happen in one schedule. */
export interface SimulationPlan {
  seed: number
  /** How far the clock of each process is off. */
  skewsMs: readonly number[]
  inFlight: number
  /** How long a receiver is waited for. */
  timeoutMs: number
  applications: readonly PlannedApplication[]
  changes: readonly PlannedChange[]
  faults: readonly PlannedFault[]
  /** When all that goes wrong has ended. */
  endsAt: number
  /** By then everything works again. */
  recoveryMs: number
}

/** What one process that only records is called. */
export const recorderProcess = -1

/** A lease that nobody gives back, and the longest pause before writes are tried again. */
const longRecoveryMs = 6_500
/** What ends in order, or is known to have ended. */
const shortRecoveryMs = 2_000

/** Makes a plan of a seed. */
export function makePlan(seed: number): SimulationPlan {
  const chance = new SimulationRandom(seed * 2_654_435_761)
  const endsAt = chance.between(1_500, 4_000)
  const skewsMs = Array.from({ length: chance.pick([1, 2, 2, 2, 3]) }, () => makeSkew(chance))
  const isCalm = chance.isTrue(0.2)
  const faults = Array.from({ length: isCalm ? chance.below(2) : 1 + chance.below(4) }, () =>
    makeFault(chance, { endsAt, processes: skewsMs.length, isCalm }),
  )
  const applications = Array.from({ length: 2 + chance.below(3) }, (_, index) =>
    makeApplication(chance, { id: 101 + index, endsAt }),
  )
  const changes = Array.from({ length: 3 + chance.below(14) }, (_, index) =>
    makeChange(chance, { index, endsAt, processes: skewsMs.length }),
  )
  const needsLong = faults.some((each) => !isShort(each))
  return {
    seed,
    skewsMs,
    applications,
    changes,
    faults,
    endsAt,
    inFlight: chance.pick([1, 2, 4, 16]),
    timeoutMs: chance.pick([3_000, 3_000, 3_000, 12_000]),
    recoveryMs: needsLong ? longRecoveryMs : shortRecoveryMs,
  }
}

function isShort(fault: PlannedFault): boolean {
  return (
    fault.kind === 'stop' ||
    fault.kind === 'slow' ||
    (fault.kind === 'kill' && fault.noticedMs === 0)
  )
}

/** Clocks that differ by more than this may cost a process its lease: others take it for over. */
export const maxSkewMs = 2_500

function makeSkew(chance: SimulationRandom): number {
  const least = chance.pick([0, 0, 0, 0, 0, 500, 500, maxSkewMs / 2, maxSkewMs / 2, 60_000])
  return Math.round(chance.between(-least, least))
}

const faultKinds = [
  'kill',
  'kill',
  'stop',
  'breaks',
  'breaks',
  'slow',
  'frozen',
  'crash',
  'read-only',
  'disk-full',
] as PlannedFault['kind'][]

function makeFault(
  chance: SimulationRandom,
  { endsAt, processes, isCalm }: { endsAt: number; processes: number; isCalm: boolean },
): PlannedFault {
  const kind = isCalm ? 'stop' : chance.pick(faultKinds)
  const at = chance.between(0, endsAt)
  const process = chance.below(processes)
  const lastsMs = Math.min(endsAt - at, chance.between(100, kind === 'crash' ? 700 : 2_500))
  switch (kind) {
    case 'kill':
      return { at, lastsMs, kind, process, noticedMs: chance.pick([0, 0, chance.below(4_000)]) }
    case 'stop':
      return { at, lastsMs, kind, process }
    case 'breaks':
      return { at, lastsMs, kind, share: chance.pick([0.02, 0.1, 0.3]) }
    case 'slow':
      return { at, lastsMs, kind, slowness: chance.pick([5, 20, 100]) }
    default:
      return { at, lastsMs, kind }
  }
}

/** The first application always accepts, the last one may never. */
function makeApplication(
  chance: SimulationRandom,
  { id, endsAt }: { id: number; endsAt: number },
): PlannedApplication {
  const isFirst = id === 101
  const several = Array.from({ length: isFirst ? 0 : 1 + chance.below(3) }, (_, index) => ({
    at: index === 0 ? 0 : chance.between(0, endsAt),
    manner: chance.pick(receiverBehaviors),
  }))
  const isNeverWell = id === 103 && chance.isTrue(0.6)
  const lastManner = isNeverWell ? chance.pick(['refuses', 'hangs'] as const) : 'accepts'
  // The user of the third has few changes: each of them takes five attempts at a receiver that never accepts.
  const users = id === 103 ? [3] : chance.pick([[1], [1, 2], [2]])
  return { id, users: isFirst ? [1, 2] : users, manners: several, lastManner }
}

function makeChange(
  chance: SimulationRandom,
  { index, endsAt, processes }: { index: number; endsAt: number; processes: number },
): PlannedChange {
  const user = index < 3 && chance.isTrue(0.5) ? 3 : 1 + chance.below(2)
  const count = user === 3 ? 1 : chance.pick([1, 1, 2, 5])
  return {
    at: chance.between(0, endsAt),
    resources: Array.from({ length: count }, (_, each) => `/orders/${index}${each}`),
    user,
    process: chance.isTrue(0.5) ? recorderProcess : chance.below(processes),
    openMs: chance.isTrue(0.25) ? chance.between(50, 1_500) : 0,
    isRolledBack: chance.isTrue(0.1),
  }
}
