import { createHash } from 'node:crypto'

/** Marks templates of `sql`. Any other value can only become a parameter. */
const templateMark = Symbol('sql')

/** A statement with its parameters apart from the text. */
export interface Sql {
  readonly text: string
  /** The name of the prepared statement. Without one, hot reads cost 10 to 35 % more. */
  readonly name: string | undefined
  readonly values: readonly unknown[]
}

/** A result of `sql`: a statement, or a piece of another one. */
export interface Template extends Sql {
  /** The text between the values. */
  readonly parts: readonly string[]
  readonly [templateMark]: true
}

const prepared = new WeakMap<TemplateStringsArray, Template>()

/**
 * Converts a template to a statement: each `${value}` becomes a parameter `$1`, `$2`, … A value made by `sql` is
 * inserted as text, with its parameters. Text and name are computed once for each place in the source.
 */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Template {
  if (values.some(isSql)) return nested(strings, values)
  let statement = prepared.get(strings)
  if (!statement) {
    statement = statementOf(strings, [])
    prepared.set(strings, statement)
  }
  return { ...statement, values }
}

/**
 * Returns the statement without a name, so that PostgreSQL plans it for its values each time. For statements whose best
 * plan or text depends on the request.
 */
export function unnamed(statement: Template): Sql {
  const { text, values } = statement
  return { text, values, name: undefined }
}

/** Joins pieces with `between` as separator. */
export function joined(pieces: readonly Template[], between: string): Template {
  const parts = ['', ...pieces.slice(1).map(() => between), '']
  return nested(pieces.length === 0 ? [''] : parts, pieces)
}

/**
 * Returns the name of a table, a column or an alias as a piece of a statement. Names must come from the source, never
 * from a request. Throws for anything but a plain name.
 */
export function nameOf(name: string): Template {
  if (!/^[a-z]\w*$/i.test(name)) throw new Error(`expected a plain name: ${name}`)
  return statementOf([/[A-Z]/.test(name) ? `"${name}"` : name], [])
}

/** Joins the parts of a template with those of the statements nested in it, so that all their values become
 * parameters of one statement. */
function nested(strings: readonly string[], parameters: readonly unknown[]): Template {
  const parts = [strings[0] ?? '']
  const values: unknown[] = []
  for (const [index, value] of parameters.entries()) {
    const after = strings[index + 1] ?? ''
    if (isSql(value)) {
      const [first = '', ...rest] = value.parts
      parts.push(`${parts.pop()}${first}`, ...rest)
      parts.push(`${parts.pop()}${after}`)
      values.push(...value.values)
    } else {
      parts.push(after)
      values.push(value)
    }
  }
  return statementOf(parts, values)
}

function isSql(value: unknown): value is Template {
  return value !== null && typeof value === 'object' && templateMark in value
}

function statementOf(parts: readonly string[], values: readonly unknown[]): Template {
  const text = parts.reduce((joinedText, part, index) => `${joinedText}$${index}${part}`)
  const name = `q_${createHash('sha1').update(text).digest('hex').slice(0, 20)}`
  return { text, name, values, parts, [templateMark]: true }
}
