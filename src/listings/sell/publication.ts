import type { Vertical } from '../../catalog/verticals.ts'
import { isClassified, type Publication, plainListing, type SaleTerm } from '../listing.ts'
import { withSaid } from './attributes.ts'
import { type ItemBody, publicationFields, type SaidTerm } from './bodies.ts'
import { isEmptied, nameOf, trimmed } from './values.ts'

const plain: Publication = plainListing.publication
const names = Object.keys(publicationFields) as (keyof typeof publicationFields)[]

/** Returns the publication of an item after a change. Missing fields stay; null or a blank text resets a field to its
 * default. */
export function publicationOf(
  body: ItemBody,
  { before = plain, vertical }: { before: Publication | undefined; vertical: Vertical },
): Publication {
  const changes = names
    .filter((name) => body[name] !== undefined)
    .map((name) => {
      const value = body[name]
      return [name, (typeof value === 'string' ? trimmed(value) : value) ?? plain[name]]
    })
  const { sale_terms: terms = [] } = body
  const publication: Publication = { ...before, ...Object.fromEntries(changes) }
  const { accepts_platformpay: isAccepted } = publication
  return {
    ...publication,
    accepts_platformpay: isAccepted === !isClassified({ vertical }) ? null : isAccepted,
    sale_terms: withSaid(before.sale_terms, terms, termsOf(terms)),
  }
}

/** Returns the terms of sale. Of two with the same id the last counts. */
function termsOf(bodies: readonly SaidTerm[]): SaleTerm[] {
  const terms = bodies
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
