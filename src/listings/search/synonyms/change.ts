import { hash } from 'node:crypto'
import { badField } from '../../../kernel/failure.ts'
import type { SiteId } from '../../../kernel/sites.ts'
import { parsePhrase, phraseProblem, synonymLimits } from '../words/synonyms.ts'

/** What a change does: adds a group of synonyms, or removes a pair. A removal wins over every group. */
export const synonymActions = ['add', 'remove'] as const
type SynonymAction = (typeof synonymActions)[number]

/** Limit of the changes of one site. */
export const maxSynonymChanges = 5_000

/** A change of the operator to the synonyms of a site. */
export interface SynonymChange {
  id: string
  siteId: SiteId
  action: SynonymAction
  /** Words and phrases, as the operator wrote them. */
  words: readonly string[]
  note: string | null
  dateCreated: Date
}

/** Returns the change with its id, which is the same for the same words in any order and spelling. Throws a
 * `bad_request` that names the field. */
export function makeSynonymChange(change: Omit<SynonymChange, 'id'>): SynonymChange {
  const words = change.words.map((word) => word.trim().replace(/\s+/g, ' '))
  const { phrases: most } = synonymLimits
  const limit = change.action === 'remove' ? 2 : most
  if (words.length < 2 || words.length > limit) {
    throw badField('words', limit === 2 ? 'two words, the pair to remove' : `2 to ${most} words`)
  }
  const keys = words.map((word, index) => {
    const problem = phraseProblem(word)
    if (problem) throw badField(`words[${index}]`, problem)
    return parsePhrase(word).key
  })
  const again = keys.findIndex((key, index) => keys.indexOf(key) < index)
  if (again >= 0) {
    const other = words[keys.indexOf(keys[again] as string)]
    throw badField(`words[${again}]`, `another word, the search reads it as “${other}” already`)
  }
  const content = JSON.stringify([change.siteId, change.action, keys.toSorted()])
  return { ...change, words, id: hash('sha256', content).slice(0, 16) }
}
