import { median, requestsPerSecond } from './measure.ts'

export interface BenchRequest {
  path: string
  token?: string
  /** JSON; a POST where there is one. */
  body?: string
}

/** A server, and what it is asked next. */
export interface LoadTarget {
  address: string
  next(): BenchRequest
}

export interface ComparisonLoad {
  name: string
  connections: number
  /** How long each side is loaded in each round. */
  seconds: number
  rounds: number
  /** See `RequestLoad`. */
  staysAwake?: boolean
  floor: LoadTarget
  program: LoadTarget
  /** What floor and program are called in the lines. */
  names?: readonly [floor: string, program: string]
  /** Runs between rounds. */
  settle?: () => Promise<void>
}

/**
 * Loads floor and program in turn, after a first round that only warms both up (round 0). Answers a second of
 * each, and what the program does of the floor's: medians of the rounds.
 */
export async function compareInTurn(load: ComparisonLoad): Promise<{
  floor: number
  program: number
  ratio: number
}> {
  const { name, connections, seconds, rounds, staysAwake = false } = load
  const [floorName, programName] = load.names ?? ['floor', 'program']
  const measured: [number, number][] = []
  // Rounds of a second are those of a smoke run: their figures mean little, so nothing is warmed up.
  for (let round = seconds > 1 ? 0 : 1; round <= rounds; round++) {
    const time = round === 0 ? Math.min(3, seconds) : seconds
    const perSecond = ({ address, next }: LoadTarget) =>
      requestsPerSecond(address, { connections, seconds: time, staysAwake, next })
    const [floor, program] = [await perSecond(load.floor), await perSecond(load.program)]
    await load.settle?.()
    if (round === 0) continue
    measured.push([floor, program])
    const [one, other] = [Math.round(floor), Math.round(program)]
    process.stdout.write(
      `${name}, round ${round}: ${floorName} ${one}/s, ${programName} ${other}/s\n`,
    )
  }
  return {
    floor: median(measured.map(([each]) => each)),
    program: median(measured.map(([, each]) => each)),
    ratio: median(measured.map(([one, other]) => other / one)),
  }
}
