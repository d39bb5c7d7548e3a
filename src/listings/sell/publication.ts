import type { Vertical } from '../../catalog/verticals.ts'
import { isClassified, type Publication, plainListing, type SaleTerm } from '../listing.ts'
import { withSaid } from './attributes.ts'
import { type ItemBody, publicationFields, type SaidTerm } from './bodies.ts'
import { isEmptied, nameOf, trimmed } from './values.ts'

const plain: Publication = plainListing.publication
const names = Object.keys(publicationFields) as (keyof typeof publicationFields)[]

/** How an item is published when this is said of it: what is not said stays, and null, or a blank text, puts a
 * field back to what it is where nobody says anything. */
export function publicationOf(
  body: ItemBody,
  { before = plain, vertical }: { before: Publication | undefined; vertical: Vertical },
): Publication {
  const said = names
    .filter((name) => body[name] !== undefined)
    .map((name) => {
      const value = body[name]
      return [name, (typeof value === 'string' ? trimmed(value) : value) ?? plain[name]]
    })
  const { sale_terms: terms = [] } = body
  const publication: Publication = { ...before, ...Object.fromEntries(said) }
  const { accepts_platformpay: accepts } = publication
  return {
    ...publication,
    accepts_platformpay: accepts === !isClassified({ vertical }) ? null : accepts,
    sale_terms: withSaid(before.sale_terms, terms, termsOf(terms)),
  }
}

/** Terms of sale, each once: of two that have the same id the last counts. */
function termsOf(said: readonly SaidTerm[]): SaleTerm[] {
  const terms = said
    .filter((term) => !isEmptied(term))
    .map((term) => ({
      id: term.id,
      name: trimmed(term.name) ?? null,
      value_id: term.value_id || null,
      value_name: nameOf(term) || null,
      value_struct: term.value_struct ?? null,
    }))
  return [...new Map(terms.map((term) => [term.id, term])).values()]
}
