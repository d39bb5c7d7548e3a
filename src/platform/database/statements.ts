/** The parts in which a semicolon does not end a statement: quoted text, quoted names, dollar quotes, comments. */
const opaque = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(?:[a-z_]\w*)?\$|--[^\n]*|\/\*[\s\S]*?\*\//gi

/**
 * Splits SQL into statements without their semicolons. A cluster forwards the text of a query for each change of the
 * schema, so a query must be a single statement.
 */
export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let statement = ''
  let at = 0
  const take = (end: number) => {
    const [first = '', ...others] = text.slice(at, end).split(';')
    statement += first
    for (const other of others) {
      statements.push(statement)
      statement = other
    }
    at = end
  }
  opaque.lastIndex = 0
  for (let match = opaque.exec(text); match; match = opaque.exec(text)) {
    take(match.index)
    const [token] = match
    if (token.startsWith('$')) {
      const close = text.indexOf(token, match.index + token.length)
      opaque.lastIndex = close < 0 ? text.length : close + token.length
    }
    at = opaque.lastIndex
    // A comment separates words, so it becomes a space.
    statement += /^(--|\/\*)/.test(token) ? ' ' : text.slice(match.index, at)
  }
  take(text.length)
  return [...statements, statement].map((part) => part.trim()).filter((part) => part !== '')
}
