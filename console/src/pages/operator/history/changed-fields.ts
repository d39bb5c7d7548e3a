import type { AuditEntry } from '../audit/types.ts'

interface ChangedField {
  field: string
  before: string | undefined
  after: string | undefined
}

/** Longer values are cut. The audit log shows them whole. */
const longestValue = 120

/** Returns the fields of an entry that changed, with those of persons, as texts. */
export function changedFieldsOf({ before, after, personal }: AuditEntry): ChangedField[] {
  return [
    ...fieldsOf(before, after),
    ...personal.flatMap((values) => fieldsOf(values.before, values.after)),
  ]
}

function fieldsOf(before: object | null, after: object | null): ChangedField[] {
  const [old, current] = [
    new Map(Object.entries(before ?? {})),
    new Map(Object.entries(after ?? {})),
  ]
  return [...new Set([...old.keys(), ...current.keys()])].map((field) => ({
    field,
    before: textOf(old.get(field)),
    after: textOf(current.get(field)),
  }))
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text
}
