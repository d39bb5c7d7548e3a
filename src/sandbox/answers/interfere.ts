import type { Database, Db } from '../../platform/database/database.ts'
import type { Signals } from '../../platform/database/signals.ts'
import type { FindSimulatedFaults } from '../../platform/simulated-faults.ts'
import { type AnswerFault, affectsRequestNumber, interferenceOf, matchesRequest } from './fault.ts'
import { countAffectedRequest, countMatchedRequest, listAnswerFaults } from './store.ts'

export const answerFaultsChanged = 'answer-faults'

/**
 * Returns a function that applies the answer faults to requests. The cached faults are dropped when somebody sets one, so
 * that the next request meets it. The database counts requests, so a seed gives the same result over all processes.
 */
export function followAnswerFaults(db: Database, signals: Signals): FindSimulatedFaults {
  let cached: Promise<readonly AnswerFault[]> | undefined
  for (const channel of [answerFaultsChanged, 'reset']) {
    signals.on(channel, () => {
      cached = undefined
    })
  }
  const faults = () => {
    cached ??= listAnswerFaults(db)
    const pendingRead = cached
    // Without the database there are no faults. The next request reads them again.
    return pendingRead.catch(() => {
      if (cached === pendingRead) cached = undefined
      return []
    })
  }
  return async (request) => {
    const matching = (await faults()).filter((fault) => matchesRequest(fault, request))
    if (matching.length === 0) return undefined
    const isAffected = await Promise.all(matching.map((fault) => affectsRequest(db, fault)))
    return interferenceOf(matching.filter((_, index) => isAffected[index]))
  }
}

async function affectsRequest(db: Db, fault: AnswerFault): Promise<boolean> {
  const number = await countMatchedRequest(db, fault.name)
  if (number === undefined || !affectsRequestNumber(fault, number)) return false
  return countAffectedRequest(db, fault)
}
