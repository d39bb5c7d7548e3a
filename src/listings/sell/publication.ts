import type { Vertical } from '../../kernel/verticals.ts'
import { isClassified, listingDefaults, type Publication, type SaleTerm } from '../listing.ts'
import { mergeById } from './attributes.ts'
import { type ItemBody, publicationFields, type SaleTermInput } from './bodies.ts'
import { isCleared, trimmed, valueTextOf } from './values.ts'

const defaultPublication: Publication = listingDefaults.publication
const publicationFieldNames = Object.keys(publicationFields) as (keyof typeof publicationFields)[]

/** Returns the publication of an item after a change. Missing fields stay; null or a blank text resets a field to its
 * default. */
export function publicationOf(
  body: ItemBody,
  {
    before = defaultPublication,
    vertical,
  }: { before: Publication | undefined; vertical: Vertical },
): Publication {
  const changes = publicationFieldNames
    .filter((name) => body[name] !== undefined)
    .map((name) => {
      const value = body[name]
      return [
        name,
        (typeof value === 'string' ? trimmed(value) : value) ?? defaultPublication[name],
      ]
    })
  const { sale_terms: terms = [] } = body
  const publication: Publication = { ...before, ...Object.fromEntries(changes) }
  const { accepts_platformpay: isAccepted } = publication
  return {
    ...publication,
    accepts_platformpay: isAccepted === !isClassified({ vertical }) ? null : isAccepted,
    sale_terms: mergeById(before.sale_terms, terms, termsOf(terms)),
  }
}

/** Returns the terms of sale. Of two with the same id the last counts. */
function termsOf(bodies: readonly SaleTermInput[]): SaleTerm[] {
  const terms = bodies
    .filter((term) => !isCleared(term))
    .map((term) => ({
      id: term.id,
      name: trimmed(term.name) ?? null,
      value_id: term.value_id || null,
      value_name: valueTextOf(term) || null,
      value_struct: term.value_struct ?? null,
    }))
  return [...new Map(terms.map((term) => [term.id, term])).values()]
}
