import type { Breach } from '../../kernel/failure.ts'

/** What is wrong with a listing, under the codes that clients of such marketplaces know. */

/** `attributes[2].value_name` → `attributes.value_name`: a code is the same wherever in a list it is. */
const withoutPlaces = (field: string) => field.replace(/\[\d+\]/g, '')

export function missing(field: string, what = 'a value'): Breach {
  return { code: 'body.required_fields', field, expected: `${what}, this field is required` }
}

export function invalid(field: string, expected: string): Breach {
  return { code: `item.${withoutPlaces(field)}.invalid`, field, expected }
}

export function notAllowed(field: string, expected: string): Breach {
  return { code: `item.${withoutPlaces(field)}.not_allowed`, field, expected }
}

export function notModifiable(field: string, expected: string): Breach {
  return { code: `item.${withoutPlaces(field)}.not_modifiable`, field, expected }
}
