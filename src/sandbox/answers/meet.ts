import type { Database, Db } from '../../platform/database/database.ts'
import type { Signals } from '../../platform/database/signals.ts'
import type { Interfere } from '../../platform/interference/interference.ts'
import { type AnswerFault, fits, interferenceOf, isMet } from './fault.ts'
import { countMet, countSeen, listAnswerFaults } from './store.ts'

export const answerFaultsSet = 'answer-faults'

/**
 * Meets requests with the faults that are set, as all processes agree on through the database. What is
 * known is forgotten whenever somebody sets one, and read again by the next request, so that whoever
 * sets a fault meets it with the request after. Requests are counted in the database: which of them is
 * met follows from the seed and the count, whichever processes they come to.
 */
export function followAnswerFaults(db: Database, signals: Signals): Interfere {
  let known: Promise<readonly AnswerFault[]> | undefined
  for (const channel of [answerFaultsSet, 'reset']) {
    signals.on(channel, () => {
      known = undefined
    })
  }
  const faults = () => {
    known ??= listAnswerFaults(db)
    const asked = known
    // A database out of reach pretends nothing; the next request asks again.
    return asked.catch(() => {
      if (known === asked) known = undefined
      return []
    })
  }
  return async (request) => {
    const fitting = (await faults()).filter((fault) => fits(fault, request))
    if (fitting.length === 0) return undefined
    const met = await Promise.all(fitting.map((fault) => meets(db, fault)))
    return interferenceOf(fitting.filter((_, index) => met[index]))
  }
}

async function meets(db: Db, fault: AnswerFault): Promise<boolean> {
  const number = await countSeen(db, fault.name)
  if (number === undefined || !isMet(fault, number)) return false
  return countMet(db, fault)
}
