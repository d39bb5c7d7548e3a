import { fileURLToPath } from 'node:url'
import type { Node, SourceFile } from 'typescript/unstable/ast'
import * as ast from 'typescript/unstable/ast'
import { API, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync'
import {
  type AbstractValue,
  type Decision,
  EvaluationRun,
  type EvaluatorSources,
  isFunctionNode,
  isTemplate,
  ObjectValue,
  type RecordedCall,
  sourcesOf,
  TypeQueries,
  takesTemplate,
  UnknownValue,
} from './sql-evaluator.ts'

/**
 * The SQL statements of the sources, put together without running the program: the templates with
 * every piece that may stand in them, and the type that each call declares for its rows.
 */

/** A place of the sources. */
export interface SourcePosition {
  file: string
  line: number
}

/** What a call that sends SQL may send. */
export interface SqlStatement extends SourcePosition {
  /** The function around the call, as far as it has a name. */
  functionName: string
  /** `write` has no rows; `query` is the driver's own. */
  method: 'rows' | 'row' | 'write' | 'query'
  /** Every text that was put together, with `$1`, `$2`, … for its values. */
  texts: readonly string[]
  /** Why some text could not be put together. */
  unknownParts: readonly string[]
  /** The row type; undefined where the call declares none and so cannot use a column. */
  row: RowType | undefined
}

interface RowType {
  name: string
  properties: readonly RowProperty[]
}

export interface RowProperty {
  name: string
  /** Declared with `?`, or as `undefined`. */
  isOptional: boolean
  isNullable: boolean
  /** `string`, `number`, `boolean`, `Date`, `string[]`, …; literals count as what they are of. */
  types: readonly string[]
}

export interface SqlOfSources {
  statements: readonly SqlStatement[]
  /** Templates that are part of no statement. */
  unused: readonly SourcePosition[]
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const methods = new Set(['rows', 'row', 'write', 'query'])
/** What `query` is a method of. */
const clients = new Set(['Client', 'ClientBase', 'PoolClient', 'Pool'])
/** Runs per function, beyond those that meet a possibility for the first time. */
const maxExtraRuns = 60

const read = new Map<string, SqlOfSources>()

/** Reads the statements of the files of a tsconfig.json, once per process: that takes seconds. */
export function readStatements(tsconfig: string): SqlOfSources {
  const statements = read.get(tsconfig) ?? readSources(tsconfig)
  read.set(tsconfig, statements)
  return statements
}

function readSources(tsconfig: string): SqlOfSources {
  const api = new API({ cwd: root })
  try {
    const snapshot = api.updateSnapshot({ openProjects: [`${root}${tsconfig}`] })
    const [project] = snapshot.getProjects()
    if (!project) throw new Error(`${tsconfig} was not read`)
    const { checker, program } = project
    const filesByName = new Map<string, SourceFile | undefined>()
    const fileOf = (name: string) => {
      if (!filesByName.has(name)) filesByName.set(name, program.getSourceFile(name))
      return filesByName.get(name)
    }
    const files = project.rootFiles.flatMap((name) => fileOf(name) ?? [])
    const statements = collectStatements({ types: new TypeQueries(checker), fileOf, files })
    snapshot.dispose()
    return statements
  } finally {
    api.close()
  }
}

interface SourceProgram {
  types: TypeQueries
  fileOf(name: string): SourceFile | undefined
  files: readonly SourceFile[]
}

function collectStatements({ types, fileOf, files }: SourceProgram): SqlOfSources {
  const calls: ast.CallExpression[] = []
  const templates = new Set<Node>()
  const look = (node: Node): void => {
    if (isSendingCall(node)) calls.push(node)
    if (ast.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql') templates.add(node)
    node.forEachChild(look)
  }
  for (const file of files) look(file)

  const { checker } = types
  const sites = calls.filter((call) => isStatementCall(types, call))
  const collected = new Map(
    sites.map((site) => [site as Node, { texts: new Set<string>(), gaps: new Set<string>() }]),
  )
  const sources: EvaluatorSources = { types, fileOf, sites: new Set(sites) }
  const used = new Set<Node>()
  for (const entry of entryFunctionsOf(sites)) {
    for (const { call, value } of explore(sources, entry)) {
      const { texts, gaps } = collected.get(call) ?? { texts: new Set(), gaps: new Set() }
      const text = textOf(value)
      if (text === undefined) gaps.add(describeUnknown(call, value))
      else texts.add(text)
      if (isTemplate(value)) for (const node of sourcesOf(value)) used.add(node)
    }
  }

  const answers = checker.getTypeAtLocation(sites)
  const statements = sites.map((site, index): SqlStatement => {
    const { texts, gaps } = collected.get(site) ?? { texts: new Set(), gaps: new Set() }
    return {
      ...positionOf(site),
      functionName: enclosingName(site),
      method: (site.expression as ast.PropertyAccessExpression).name.text as SqlStatement['method'],
      texts: [...texts],
      unknownParts: [...gaps],
      row: rowTypeOf(types, answers[index]),
    }
  })
  const unused = [...templates].filter((node) => !used.has(node)).map(positionOf)
  return { statements, unused }
}

function isSendingCall(node: Node): node is ast.CallExpression {
  return (
    ast.isCallExpression(node) &&
    ast.isPropertyAccessExpression(node.expression) &&
    methods.has(node.expression.name.text) &&
    node.arguments.length > 0
  )
}

/** Others have methods of these names too: the argument tells, or what the method is of. */
function isStatementCall(
  types: TypeQueries,
  { expression, arguments: [first] }: ast.CallExpression,
): boolean {
  if (!first || !ast.isPropertyAccessExpression(expression)) return false
  if (expression.name.text === 'query') {
    return clients.has(types.at(expression.expression)?.getSymbol()?.name ?? '')
  }
  const type = types.at(first)
  return type !== undefined && !(type.flags & TypeFlags.Any) && types.isStatement(type)
}

/** The functions to evaluate: the outermost ones around each call. One that is given its SQL is evaluated
 * where it is called. */
function entryFunctionsOf(sites: readonly Node[]): Set<Node> {
  const entries = new Set<Node>()
  const sqlTakers = new Set<string>()
  for (const site of sites) {
    const outermost = outermostFunction(site)
    if (!outermost) continue
    const isGiven = ast.isFunctionDeclaration(outermost) && outermost.parameters.some(takesTemplate)
    if (isGiven) sqlTakers.add(outermost.name?.text ?? '')
    else entries.add(outermost)
  }
  if (sqlTakers.size === 0) return entries
  const visitedFiles = new Set<SourceFile>()
  for (const site of sites) {
    const file = site.getSourceFile()
    if (visitedFiles.has(file)) continue
    visitedFiles.add(file)
    const look = (node: Node): void => {
      if (
        ast.isCallExpression(node) &&
        ast.isIdentifier(node.expression) &&
        sqlTakers.has(node.expression.text)
      ) {
        const outermost = outermostFunction(node)
        if (outermost) entries.add(outermost)
      }
      node.forEachChild(look)
    }
    look(file)
  }
  return entries
}

function outermostFunction(node: Node) {
  let outermost: Node | undefined
  for (let current: Node | undefined = node; current; current = current.parent) {
    if (isFunctionNode(current)) outermost = current
  }
  return outermost && isFunctionNode(outermost) ? outermost : undefined
}

/**
 * Evaluates a function again and again: first so that each decision has fallen for each of its
 * possibilities, then for their combinations, as far as there are not too many.
 */
function explore(sources: EvaluatorSources, entry: Node): RecordedCall[] {
  if (!isFunctionNode(entry)) return []
  return [false, true].flatMap((isLast) => {
    const recorded: RecordedCall[] = []
    const met = new Set<string>()
    const scripts: { decisions: number[]; mark?: string }[] = [{ decisions: [] }]
    const others: number[][] = []
    for (let runsLeft = maxExtraRuns; ; ) {
      const next = scripts.shift()
      if (next?.mark !== undefined && met.has(next.mark)) {
        others.push(next.decisions)
        continue
      }
      const decisions = next?.decisions ?? (runsLeft-- > 0 ? others.shift() : undefined)
      if (!decisions) return recorded
      const run = new EvaluationRun(sources, { decisions, isLast })
      run.enter(entry)
      recorded.push(...run.recorded)
      for (const [at, decision] of run.trace.entries()) {
        met.add(decisionKey(decision))
        if (at < decisions.length) continue
        const before = run.trace.slice(0, at).map(({ chosen }) => chosen)
        for (let other = 0; other < decision.of; other++) {
          if (other === decision.chosen) continue
          const mark = decisionKey({ ...decision, chosen: other })
          scripts.push({ decisions: [...before, other], mark })
        }
      }
    }
  })
}

const decisionKey = ({ key, chosen }: Decision) => `${key}=${chosen}`

function textOf(value: AbstractValue): string | undefined {
  if (typeof value === 'string') return value
  if (isTemplate(value)) return value.text
  const text = value instanceof ObjectValue ? value.properties.get('text') : undefined
  return typeof text === 'string' ? text : undefined
}

function describeUnknown(site: Node, value: AbstractValue): string {
  if (value instanceof UnknownValue && value.piece) return `${value.piece} is not known`
  const [argument] = (site as ast.CallExpression).arguments
  return `${argument?.getText().replace(/\s+/g, ' ').slice(0, 80)} is made of what is not known`
}

function positionOf(node: Node): SourcePosition {
  const file = node.getSourceFile()
  const { line } = file.getLineAndCharacterOfPosition(node.getStart())
  return { file: file.fileName.slice(root.length), line: line + 1 }
}

/** The innermost function with a name: of its own, or of the constant or property that it is. */
function enclosingName(node: Node): string {
  for (let ancestor = node.parent; ancestor; ancestor = ancestor.parent) {
    if (!isFunctionNode(ancestor)) continue
    if ('name' in ancestor && ancestor.name) return ancestor.name.getText()
    const { parent } = ancestor
    const isNamed = ast.isVariableDeclaration(parent) || ast.isPropertyAssignment(parent)
    if (isNamed && ast.isIdentifier(parent.name)) return parent.name.text
  }
  return ''
}

// Row types -----------------------------------------------------------------------------------

/** Of what a call answers: a promise of rows, of a row, of the driver's result, or of nothing. */
function rowTypeOf(types: TypeQueries, answer: Type | undefined): RowType | undefined {
  const [resolved] = types.argumentsOf(answer)
  const [present] = types.members(resolved).filter((type) => !(type.flags & TypeFlags.Undefined))
  if (!present) return undefined
  const isMany = types.isList(present) || present.getSymbol()?.name === 'QueryResult'
  const row = isMany ? types.argumentsOf(present)[0] : present
  if (!row || row.flags & (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.TypeParameter)) {
    return undefined
  }
  const properties = types.checker.getPropertiesOfType(row).map((property): RowProperty => {
    const type = types.checker.getTypeOfSymbol(property)
    const members = types.members(type)
    const isUndefined = members.some(({ flags }) => (flags & TypeFlags.Undefined) !== 0)
    return {
      name: property.name,
      isOptional: isUndefined || (property.flags & SymbolFlags.Optional) !== 0,
      isNullable: members.some(({ flags }) => (flags & TypeFlags.Null) !== 0),
      types: kindsOf(types, members),
    }
  })
  return { name: types.checker.typeToString(row), properties }
}

const noValue = TypeFlags.Null | TypeFlags.Undefined | TypeFlags.Void

function kindsOf(types: TypeQueries, members: readonly Type[]): string[] {
  const present = members.filter(({ flags }) => (flags & noValue) === 0)
  return [...new Set(present.map((type) => kindOf(types, type)))]
}

function kindOf(types: TypeQueries, type: Type): string {
  const { flags } = type
  if (flags & (TypeFlags.Any | TypeFlags.Unknown)) return 'unknown'
  if (flags & TypeFlags.StringLike) return 'string'
  if (flags & TypeFlags.NumberLike) return 'number'
  if (flags & TypeFlags.BooleanLike) return 'boolean'
  if (flags & TypeFlags.BigIntLike) return 'bigint'
  if (type.isIntersectionType()) {
    // A branded primitive is the primitive.
    const kinds = type.getTypes().map((each) => kindOf(types, each))
    return kinds.find((kind) => /^(string|number|boolean|bigint)$/.test(kind)) ?? 'object'
  }
  if (types.isList(type)) {
    const [element] = types.argumentsOf(type)
    return kindsOf(types, types.members(element))
      .map((kind) => `${kind}[]`)
      .join(' | ')
  }
  const name = type.getSymbol()?.name ?? 'object'
  return name.startsWith('__') ? 'object' : name
}
