import type { FieldError } from '../../kernel/failure.ts'

/** Breaches of the rules for listings, with the codes that clients of such marketplaces expect. */

/** `attributes[2].value_name` → `attributes.value_name`: codes do not depend on the index. */
const withoutIndexes = (field: string) => field.replace(/\[\d+\]/g, '')

export function missing(field: string, what = 'a value'): FieldError {
  return { code: 'body.required_fields', field, expected: `${what}, this field is required` }
}

export function invalid(field: string, expected: string): FieldError {
  return { code: `item.${withoutIndexes(field)}.invalid`, field, expected }
}

export function notAllowed(field: string, expected: string): FieldError {
  return { code: `item.${withoutIndexes(field)}.not_allowed`, field, expected }
}

export function notModifiable(field: string, expected: string): FieldError {
  return { code: `item.${withoutIndexes(field)}.not_modifiable`, field, expected }
}
