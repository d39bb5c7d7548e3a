import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

/**
 * Finds SQL in the sources, executed or not: templates that `sql` makes, texts that are no template, and tables that
 * are named as an argument. Static: no database, no import of the program.
 */

/** A text in the sources that may be SQL, with the values and pieces that stand in it as holes. */
export interface SqlText {
  file: string
  line: number
  /** `template`: what `sql` makes. `literal`: a string or an untagged template. */
  kind: 'template' | 'literal'
  /** The text around the holes: one more than there are holes. */
  parts: readonly string[]
  /** The code of each hole. */
  holes: readonly string[]
  /** Offsets in the file, by which texts that stand in a hole of this one are found. */
  start: number
  end: number
}

/** A call that is given a table by its name. */
interface TableArgument {
  file: string
  line: number
  /** The name of what is called, with a dot before that of a method. */
  callee: string
  /** The name of the table; undefined where it is no literal. */
  table: string | undefined
}

export interface FileSql {
  texts: readonly SqlText[]
  tables: readonly TableArgument[]
}

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Returns the paths of all sources of the program, tests excluded. */
export function sourceFiles(): string[] {
  return globSync('src/**/*.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.test.ts'))
    .sort()
}

export function readSource(file: string): string {
  return readFileSync(`${root}${file}`, 'utf8')
}

/** Whether a file is a store: its SQL reads and writes tables of its own module. */
export function isStore(file: string): boolean {
  return /\/store[^/]*\.ts$/.test(file)
}

/** Whether a file is a read model: its SQL reads tables of several modules and writes none. */
export function isReadModel(file: string): boolean {
  return /\/([^/]+-)?read-model\.ts$/.test(file)
}

interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

/**
 * Finds the SQL of one file. `callees` take a table as an argument, or as `table` of an object that is one: functions
 * and classes by their names, methods with a dot before them. Literals are given as they stand, SQL or not.
 */
export function sqlOf(file: string, code: string, callees: ReadonlySet<string>): FileSql {
  const { program, errors } = parseSync(file, code)
  const [error] = errors
  if (error) throw new Error(`${file}: ${error.message}`)
  const lines = lineStarts(code)
  const at = ({ start }: Node) => ({
    file,
    line: lines.findLastIndex((lineStart) => lineStart <= start) + 1,
  })
  const texts: SqlText[] = []
  const tables: TableArgument[] = []
  const addTemplate = (node: Node, quasi: Node, kind: SqlText['kind']) => {
    const quasis = quasi['quasis'] as { value: { cooked: string } }[]
    const holes = quasi['expressions'] as Node[]
    texts.push({
      ...at(node),
      kind,
      parts: quasis.map(({ value }) => value.cooked),
      holes: holes.map(({ start, end }) => code.slice(start, end)),
      start: node.start,
      end: node.end,
    })
  }
  const visit = (node: Node): void => {
    let quasi: unknown
    if (node.type === 'TaggedTemplateExpression') {
      quasi = node['quasi']
      const isSql = (node['tag'] as Node)['name'] === 'sql'
      addTemplate(node, quasi as Node, isSql ? 'template' : 'literal')
    } else if (node.type === 'TemplateLiteral') {
      addTemplate(node, node, 'literal')
    } else if (node.type === 'Literal' && typeof node['value'] === 'string') {
      const { start, end } = node
      texts.push({ ...at(node), kind: 'literal', parts: [node['value']], holes: [], start, end })
    } else if (node.type === 'CallExpression' || node.type === 'NewExpression') {
      const callee = calleeOf(node)
      if (callees.has(callee)) tables.push({ ...at(node), callee, table: tableIn(node) })
    }
    for (const child of childrenOf(node)) {
      // The template of a tag is its text already; what stands in its holes is not.
      if (child === quasi) childrenOf(child).forEach(visit)
      else visit(child)
    }
  }
  visit(program as unknown as Node)
  return { texts, tables }
}

function lineStarts(code: string): number[] {
  return [0, ...[...code.matchAll(/\n/g)].map(({ index }) => index + 1)]
}

function childrenOf(node: Node): Node[] {
  // A type is no text that is sent anywhere.
  if (node.type.startsWith('TS') && !hasValue.has(node.type)) return []
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof (value as Node | null)?.type === 'string')
}

const hasValue = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'])

function calleeOf(call: Node): string {
  const callee = call['callee'] as Node
  if (callee.type !== 'MemberExpression') return String(callee['name'])
  return `.${String((callee['property'] as Node)['name'])}`
}

/** The first argument that is a text, or `table` of one that is an object. */
function tableIn(call: Node): string | undefined {
  for (const argument of call['arguments'] as Node[]) {
    if (argument.type === 'Literal' && typeof argument['value'] === 'string') {
      return argument['value']
    }
    if (argument.type !== 'ObjectExpression') continue
    for (const { key, value } of argument['properties'] as { key?: Node; value?: Node }[]) {
      if (key?.['name'] === 'table' && value?.type === 'Literal') return String(value['value'])
    }
  }
  return undefined
}
