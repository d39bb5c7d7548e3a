import { hash } from 'node:crypto'
import { badField } from '../../../kernel/failure.ts'
import type { SiteId } from '../../../kernel/sites.ts'
import { isSamePhrase, parsePhrase, phraseProblem, synonymLimits } from '../words/synonyms.ts'

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
  const phrases = words.map((word, index) => {
    const problem = phraseProblem(word)
    if (problem) throw badField(`words[${index}]`, problem)
    return parsePhrase(word)
  })
  for (const [index, phrase] of phrases.entries()) {
    const same = phrases.slice(0, index).find((other) => isSamePhrase(phrase, other))
    if (!same) continue
    const expected = `another word, the search reads it as “${same.text}” already`
    throw badField(`words[${index}]`, expected)
  }
  // A plural may end in -es where the singular has no ending, so that -e counts as none.
  const identities = phrases.map(
    ({ key, endings }) =>
      `${key} ${endings.map((ending) => (ending === 'e' ? '' : ending)).join()}`,
  )
  const content = JSON.stringify([change.siteId, change.action, identities.toSorted()])
  return { ...change, words, id: hash('sha256', content).slice(0, 16) }
}
