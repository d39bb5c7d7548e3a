import { dirname, join } from 'node:path'
import type { BindingName, Block, Expression, Node, SourceFile } from 'typescript/unstable/ast'
import * as ast from 'typescript/unstable/ast'
import { type Checker, type Type, TypeFlags } from 'typescript/unstable/sync'
import { joined, sql, type Template, unnamed } from '../../src/platform/database/sql.ts'

/**
 * Evaluates the functions of a store as far as their SQL depends on it, without running them. Whatever
 * is not known before the program runs is an `UnknownValue`. Where the text of a statement depends on one,
 * the run decides for one possibility and keeps to it; other runs decide otherwise.
 */

type Primitive = string | number | boolean | bigint | null | undefined
export type AbstractValue =
  | Primitive
  | Template
  | ListValue
  | ObjectValue
  | MapValue
  | FunctionValue
  | BuiltinValue
  | UnknownValue

/** An array whose elements are known. */
class ListValue {
  readonly items: AbstractValue[]

  constructor(items: AbstractValue[]) {
    this.items = items
  }
}

/** An object. Properties that it does not name are those of `rest`. */
export class ObjectValue {
  readonly properties = new Map<string, AbstractValue>()
  rest: UnknownValue | undefined
}

/** A `Map` that the code makes itself. */
class MapValue {
  readonly entries: [AbstractValue, AbstractValue][] = []
}

class FunctionValue {
  readonly node: FunctionNode
  readonly scope: Scope
  readonly self: AbstractValue

  constructor(node: FunctionNode, scope: Scope, self: AbstractValue) {
    this.node = node
    this.scope = scope
    this.self = self
  }
}

/** A function or object of the language, or one that makes templates. */
class BuiltinValue {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** A value that only the running program knows. Two with one key are one value. */
export class UnknownValue {
  readonly key: string
  readonly #typeOf: () => Type | undefined
  /** The value that this run has decided for. */
  decided: { value: AbstractValue } | undefined
  isPresent = false
  isTruthy = false
  readonly isNot = new Set<Primitive>()
  items: AbstractValue[] | undefined
  /** The piece for want of which a template could not be put together. */
  piece: string | undefined
  #type: { of: Type | undefined } | undefined

  constructor(key: string, typeOf: () => Type | undefined) {
    this.key = key
    this.#typeOf = typeOf
  }

  get type(): Type | undefined {
    this.#type ??= { of: this.#typeOf() }
    return this.#type.of
  }
}

type FunctionNode =
  | ast.FunctionDeclaration
  | ast.FunctionExpression
  | ast.ArrowFunction
  | ast.MethodDeclaration
  | ast.GetAccessorDeclaration
  | ast.ConstructorDeclaration

export function isFunctionNode(node: Node): node is FunctionNode {
  return (
    ast.isFunctionDeclaration(node) ||
    ast.isFunctionExpression(node) ||
    ast.isArrowFunction(node) ||
    ast.isMethodDeclaration(node) ||
    ast.isGetAccessorDeclaration(node) ||
    ast.isConstructorDeclaration(node)
  )
}

class Scope {
  readonly #values = new Map<string, AbstractValue>()
  readonly parent: Scope | undefined
  readonly file: SourceFile

  constructor(parent: Scope | undefined, file: SourceFile) {
    this.parent = parent
    this.file = file
  }

  declare(name: string, value: AbstractValue): void {
    this.#values.set(name, value)
  }

  holderOf(name: string): Scope | undefined {
    if (this.#values.has(name)) return this
    return this.parent?.holderOf(name)
  }

  get(name: string): AbstractValue {
    return this.#values.get(name)
  }
}

/** What ends a block before its end. */
class Completion {
  readonly kind: 'return' | 'break' | 'continue' | 'throw'
  readonly value: AbstractValue

  constructor(kind: Completion['kind'], value?: AbstractValue) {
    this.kind = kind
    this.value = value
  }
}

/** Stops a run that cannot go on, such as one that recurses without an end. */
class RunAborted extends Error {}

/** A decision that a run has taken: one of so many possibilities. */
export interface Decision {
  key: string
  chosen: number
  of: number
}

/** What the compiler knows of types. Each question costs a message to its process, so answers are kept. */
export class TypeQueries {
  readonly checker: Checker
  readonly #ofNodes = new Map<Node, Type | undefined>()
  readonly #members = new Map<Type, readonly Type[]>()
  readonly #args = new Map<Type, readonly Type[]>()
  readonly #lists = new Map<Type, boolean>()
  readonly #statements = new Map<Type, boolean>()

  constructor(checker: Checker) {
    this.checker = checker
  }

  at(node: Node): Type | undefined {
    return memoize(this.#ofNodes, node, () => this.checker.getTypeAtLocation(node))
  }

  /** The types of a union; any other type alone. */
  members(type: Type | undefined): readonly Type[] {
    if (!type) return []
    return memoize(this.#members, type, () => (type.isUnionType() ? type.getTypes() : [type]))
  }

  argumentsOf(type: Type | undefined): readonly Type[] {
    if (!type?.isTypeReference()) return []
    return memoize(this.#args, type, () => this.checker.getTypeArguments(type))
  }

  isList(type: Type): boolean {
    if (!type.isObjectType()) return false
    return memoize(this.#lists, type, () => this.checker.isArrayLikeType(type))
  }

  /** Whether values of this type can be sent as statements. */
  isStatement(type: Type): boolean {
    const has = (name: string) => this.checker.getPropertyOfType(type, name) !== undefined
    return memoize(this.#statements, type, () => ['text', 'values'].every(has))
  }
}

function memoize<Key, Value>(cache: Map<Key, Value>, key: Key, make: () => Value): Value {
  const cached = cache.get(key)
  if (cached !== undefined || cache.has(key)) return cached as Value
  const value = make()
  cache.set(key, value)
  return value
}

/** The sources, by name. */
export interface EvaluatorSources {
  types: TypeQueries
  fileOf(name: string): SourceFile | undefined
  /** The calls that send a statement. */
  sites: ReadonlySet<Node>
}

export interface RecordedCall {
  call: Node
  value: AbstractValue
}

const templatesOf = new WeakMap<object, Set<Node>>()
const stringsOf = new WeakMap<Node, TemplateStringsArray>()
const declarationsOf = new WeakMap<SourceFile, Map<string, Node>>()
const makesTemplates = new WeakMap<Node, boolean>()
const containsCall = new WeakMap<Node, boolean>()

/** The templates of the sources that a template was put together from. */
export function sourcesOf(template: object): ReadonlySet<Node> {
  return templatesOf.get(template) ?? new Set()
}

const unknownType = () => undefined
/** What makes templates. */
const templates = '/src/platform/database/sql.ts'
const maxDepth = 60
const maxTurns = 3

/** What a run decides: the first decisions, and the first or the last possibility of each further one. */
export interface DecisionScript {
  decisions: readonly number[]
  isLast: boolean
}

/** One evaluation. */
export class EvaluationRun {
  readonly trace: Decision[] = []
  readonly recorded: RecordedCall[] = []
  readonly #sources: EvaluatorSources
  readonly #script: readonly number[]
  readonly #isLast: boolean
  readonly #unknowns = new Map<string, UnknownValue>()
  readonly #modules = new Map<SourceFile, Scope>()
  readonly #closures: FunctionValue[] = []
  readonly #entered = new Set<Node>()
  readonly #yields: AbstractValue[][] = []
  #depth = 0
  #fresh = 0

  constructor(sources: EvaluatorSources, { decisions, isLast }: DecisionScript) {
    this.#sources = sources
    this.#script = decisions
    this.#isLast = isLast
  }

  /** Evaluates a function, its parameters unknown. */
  enter(node: FunctionNode): void {
    try {
      const scope = this.#module(node.getSourceFile())
      this.#callUnknowing(
        new FunctionValue(node, scope, this.#unknown(`this:${locationOf(node)}`, unknownType)),
      )
      // Functions that are handed out run later: everything that holds a statement is entered.
      for (const closure of this.#closures) {
        if (this.#entered.has(closure.node) || !this.#holdsSite(closure.node)) continue
        this.#callUnknowing(closure)
      }
    } catch (error) {
      if (!(error instanceof RunAborted)) throw error
    }
  }

  #callUnknowing(closure: FunctionValue): AbstractValue {
    const args = closure.node.parameters.map((parameter, index) =>
      parameter.dotDotDotToken
        ? new ListValue([this.#unknown(`${locationOf(closure.node)}.${index}[0]`, unknownType)])
        : this.#unknown(`${locationOf(closure.node)}.${index}`, () => this.#typeAt(parameter.name)),
    )
    try {
      return this.#call(closure, args)
    } catch (error) {
      if (error instanceof Completion) return undefined
      throw error
    }
  }

  // Decisions ---------------------------------------------------------------------------------

  #choose(key: string, of: number): number {
    if (of <= 1) return 0
    const free = this.#isLast ? of - 1 : 0
    const chosen = Math.min(this.#script[this.trace.length] ?? free, of - 1)
    this.trace.push({ key, chosen, of })
    return chosen
  }

  #unknown(key: string, typeOf: () => Type | undefined): UnknownValue {
    const short = key.length > 400 ? `${key.slice(0, 380)}#${hash(key)}` : key
    const existing = this.#unknowns.get(short)
    if (existing) return existing
    const unknown = new UnknownValue(short, typeOf)
    this.#unknowns.set(short, unknown)
    return unknown
  }

  #typeAt(node: Node | undefined): Type | undefined {
    return node && this.#sources.types.at(node)
  }

  #decide(unknown: UnknownValue, value: AbstractValue): AbstractValue {
    unknown.decided = { value }
    return value
  }

  /** Null or undefined, if it is decided so. */
  #isNullish(unresolved: AbstractValue): boolean {
    const value = resolvedValue(unresolved)
    if (!(value instanceof UnknownValue)) return value === null || value === undefined
    if (value.isPresent || value.isTruthy) return false
    const absent = this.#sources.types.members(value.type).filter(isNullishType)
    const options = [...new Set(absent.map(emptyValueOf))]
    const chosen = this.#choose(`${value.key} is there`, options.length + 1)
    if (chosen === 0) value.isPresent = true
    else this.#decide(value, options[chosen - 1])
    return chosen !== 0
  }

  #isTruthy(unresolved: AbstractValue): boolean {
    const value = resolvedValue(unresolved)
    if (!(value instanceof UnknownValue)) return isObject(value) || Boolean(value)
    if (value.isTruthy) return true
    if (this.#isNullish(value)) return false
    const types = this.#sources.types.members(value.type).filter((type) => !isNullishType(type))
    const certain = types.length > 0 && types.every((type) => type.flags & TypeFlags.Object)
    if (certain) return true
    if (this.#choose(`${value.key} is truthy`, 2) === 0) {
      value.isTruthy = true
      if (isBoolean(types)) this.#decide(value, true)
      return true
    }
    this.#decide(value, falsyOf(types))
    return false
  }

  #equals(left: AbstractValue, right: AbstractValue): AbstractValue {
    const [a, b] = [resolvedValue(left), resolvedValue(right)]
    if (!(a instanceof UnknownValue) && !(b instanceof UnknownValue)) return a === b
    if (a instanceof UnknownValue && b instanceof UnknownValue) {
      return a === b || this.#choose(`${a.key} === ${b.key}`, 2) === 0
    }
    const unknown = (a instanceof UnknownValue ? a : b) as UnknownValue
    const other = a instanceof UnknownValue ? b : a
    if (other === null || other === undefined) {
      return this.#isNullish(unknown) && resolvedValue(unknown) === other
    }
    if (isObject(other) || unknown.isNot.has(other as Primitive)) return false
    if (this.#isNullish(unknown)) return false
    const types = this.#sources.types.members(unknown.type).filter((type) => !isNullishType(type))
    if (types.length > 0 && types.every((type) => type.isLiteralType())) {
      const possible = types.filter(({ value }) => !unknown.isNot.has(value))
      if (!possible.some(({ value }) => value === other)) return false
      // What is left when all else is excluded.
      if (possible.length === 1) {
        this.#decide(unknown, other)
        return true
      }
    }
    const key = `${unknown.key} === ${String(other as Primitive)}`
    if (this.#choose(key, 2) === 0) {
      this.#decide(unknown, other)
      return true
    }
    unknown.isNot.add(other as Primitive)
    return false
  }

  /** The elements; of an unknown list there is one. */
  #items(unresolved: AbstractValue): AbstractValue[] {
    const value = resolvedValue(unresolved)
    if (value instanceof ListValue) return value.items
    if (value instanceof MapValue) return value.entries.map((entry) => new ListValue([...entry]))
    if (value instanceof UnknownValue) {
      value.items ??= [this.#element(value, 0)]
      return value.items
    }
    if (typeof value === 'string') return [...value]
    return []
  }

  /** How many elements; where somebody asks for an unknown number, there may be none, one or two. */
  #length(list: UnknownValue): number {
    if (!list.items) {
      const count = [1, 0, 2][this.#choose(`${list.key}.length`, 3)] ?? 0
      list.items = Array.from({ length: count }, (_, index) => this.#element(list, index))
    }
    return list.items.length
  }

  #element(list: UnknownValue, index: number): AbstractValue {
    const { types } = this.#sources
    const key = `${list.key}[${index}]`
    const type = list.type
    const args = types.argumentsOf(type)
    const isDictionary = /^(Readonly)?Map$/.test(type?.getSymbol()?.name ?? '')
    if (isDictionary) {
      return new ListValue([0, 1].map((at) => this.#unknown(`${key}.${at}`, () => args[at])))
    }
    const isTuple = type?.isTypeReference() && types.checker.isTupleType(type)
    return this.#unknown(key, () => args[isTuple ? index : 0])
  }

  #awaited(unresolved: AbstractValue): AbstractValue {
    const value = resolvedValue(unresolved)
    if (!(value instanceof UnknownValue)) return value
    const name = value.type?.getSymbol()?.name
    if (name !== 'Promise' && name !== 'PromiseLike') return value
    return this.#unknown(`${value.key}.await`, () => this.#sources.types.argumentsOf(value.type)[0])
  }

  // Names -------------------------------------------------------------------------------------

  #module(file: SourceFile): Scope {
    let scope = this.#modules.get(file)
    if (!scope) {
      scope = new Scope(undefined, file)
      this.#modules.set(file, scope)
    }
    return scope
  }

  #lookUp(name: string, scope: Scope, node: Node): AbstractValue {
    const holder = scope.holderOf(name)
    if (holder) return holder.get(name)
    return this.#ofModule(name, scope.file, node)
  }

  #ofModule(name: string, file: SourceFile, node: Node): AbstractValue {
    const scope = this.#module(file)
    if (scope.holderOf(name)) return scope.get(name)
    const declaration = topLevelDeclarations(file).get(name)
    if (!declaration)
      return globalOf(name) ?? this.#unknown(`global:${name}`, () => this.#typeAt(node))
    if (ast.isFunctionDeclaration(declaration)) {
      scope.declare(name, this.#closure(declaration, scope))
    } else if (ast.isVariableDeclaration(declaration)) {
      this.#declare(declaration, scope)
    } else if (ast.isImportSpecifier(declaration)) {
      scope.declare(name, this.#imported(declaration, file, node))
    } else {
      scope.declare(
        name,
        this.#unknown(`${locationOf(declaration)} ${name}`, () => this.#typeAt(node)),
      )
    }
    return scope.get(name)
  }

  #imported(specifier: ast.ImportSpecifier, file: SourceFile, node: Node): AbstractValue {
    const from = (specifier.parent.parent.parent as ast.ImportDeclaration).moduleSpecifier
    const source = ast.isStringLiteral(from) ? from.text : ''
    const name = (specifier.propertyName ?? specifier.name).text
    const path = source.startsWith('.') ? join(dirname(file.fileName), source) : undefined
    if (path?.endsWith(templates)) return new BuiltinValue(name)
    const target = path && this.#sources.fileOf(path)
    if (target && topLevelDeclarations(target).has(name)) return this.#ofModule(name, target, node)
    return this.#unknown(`${source} ${name}`, () => this.#typeAt(node))
  }

  #declare(declaration: ast.VariableDeclaration, scope: Scope): void {
    const { name, initializer } = declaration
    const value = initializer ? this.#evaluate(initializer, scope) : undefined
    this.#bind(name, value, scope)
  }

  /** Gives the names of a pattern their values. */
  #bind(name: BindingName | Node | undefined, unresolved: AbstractValue, scope: Scope): void {
    if (!name) return
    if (ast.isIdentifier(name)) scope.declare(name.text, unresolved)
    else if (ast.isObjectBindingPattern(name)) {
      const boundNames: string[] = []
      for (const element of name.elements) {
        if (element.dotDotDotToken) {
          this.#bind(element.name, this.#without(unresolved, boundNames), scope)
          continue
        }
        const key = element.propertyName ?? element.name
        const property = key && nameOf(key)
        if (property === undefined) continue
        boundNames.push(property)
        const value = this.#property(unresolved, property, element.name ?? element)
        this.#bind(element.name, this.#orDefault(value, element.initializer, scope), scope)
      }
      return
    }
    if (ast.isArrayBindingPattern(name)) {
      const list = resolvedValue(unresolved)
      const isCounted = name.elements.some((each) => each.initializer || each.dotDotDotToken)
      if (list instanceof UnknownValue && isCounted) this.#length(list)
      for (const [index, element] of name.elements.entries()) {
        if (!element.name) continue
        if (element.dotDotDotToken) {
          this.#bind(element.name, new ListValue(this.#items(list).slice(index)), scope)
          continue
        }
        const value =
          list instanceof UnknownValue && !list.items
            ? this.#unknown(`${list.key}[${index}]`, () => this.#typeAt(element.name))
            : this.#items(list)[index]
        this.#bind(element.name, this.#orDefault(value, element.initializer, scope), scope)
      }
    }
  }

  #orDefault(
    value: AbstractValue,
    initializer: Expression | undefined,
    scope: Scope,
  ): AbstractValue {
    const isMissing = !(value instanceof UnknownValue) && value === undefined
    return initializer && isMissing ? this.#evaluate(initializer, scope) : value
  }

  #without(unresolved: AbstractValue, names: readonly string[]): AbstractValue {
    const value = resolvedValue(unresolved)
    if (!(value instanceof ObjectValue)) return value
    const remainder = new ObjectValue()
    remainder.rest = value.rest
    for (const [name, each] of value.properties) {
      if (!names.includes(name)) remainder.properties.set(name, each)
    }
    return remainder
  }

  // Properties --------------------------------------------------------------------------------

  #property(unresolved: AbstractValue, name: string, node: Node): AbstractValue {
    const value = resolvedValue(unresolved)
    if (value instanceof ObjectValue) {
      if (value.properties.has(name)) return value.properties.get(name)
      return value.rest && this.#property(value.rest, name, node)
    }
    if (value instanceof ListValue && name === 'length') return value.items.length
    if (typeof value === 'string' && name === 'length') return value.length
    if (value instanceof MapValue && name === 'size') return value.entries.length
    if (value instanceof UnknownValue) {
      if (name === 'length' && this.#isList(value)) return this.#length(value)
      return this.#unknown(`${value.key}.${name}`, () => this.#typeAt(node))
    }
    if (isTemplate(value)) return value[name as 'text'] as AbstractValue
    return undefined
  }

  #isList(value: UnknownValue): boolean {
    if (value.items) return true
    const types = this.#sources.types.members(value.type).filter((type) => !isNullishType(type))
    return types.length > 0 && types.every((type) => this.#sources.types.isList(type))
  }

  #elementOf(object: AbstractValue, index: AbstractValue, node: Node): AbstractValue {
    const [of, at] = [resolvedValue(object), resolvedValue(index)]
    if (of instanceof ObjectValue && at instanceof UnknownValue) {
      const names = [...of.properties.keys()].filter((name) => !at.isNot.has(name))
      const chosen = names[this.#choose(`${at.key} of ${names.join()}`, names.length)]
      if (chosen === undefined) return undefined
      this.#decide(at, chosen)
      return of.properties.get(chosen)
    }
    if (of instanceof ListValue) return typeof at === 'number' ? of.items[at] : of.items[0]
    if (typeof at === 'string') return this.#property(of, at, node)
    if (of instanceof UnknownValue && typeof at === 'number' && of.items) return of.items[at]
    if (!(of instanceof UnknownValue)) return undefined
    return this.#unknown(`${of.key}[${keyOf(at)}]`, () => this.#typeAt(node))
  }

  // Expressions -------------------------------------------------------------------------------

  #evaluate(node: Expression | Node, scope: Scope): AbstractValue {
    if (ast.isIdentifier(node)) return resolvedValue(this.#lookUp(node.text, scope, node))
    if (ast.isStringLiteral(node) || ast.isNoSubstitutionTemplateLiteral(node)) return node.text
    if (ast.isNumericLiteral(node)) return Number(node.text.replaceAll('_', ''))
    if (ast.isTaggedTemplateExpression(node)) return this.#tagged(node, scope)
    if (ast.isTemplateExpression(node)) return this.#written(node, scope)
    if (ast.isCallExpression(node)) return resolvedValue(this.#callAt(node, scope))
    if (ast.isPropertyAccessExpression(node)) {
      const object = this.#evaluate(node.expression, scope)
      if (node.questionDotToken && this.#isNullish(object)) return undefined
      return resolvedValue(this.#property(object, node.name.text, node))
    }
    if (ast.isElementAccessExpression(node)) {
      const object = this.#evaluate(node.expression, scope)
      if (node.questionDotToken && this.#isNullish(object)) return undefined
      return resolvedValue(
        this.#elementOf(object, this.#evaluate(node.argumentExpression, scope), node),
      )
    }
    if (
      ast.isParenthesizedExpression(node) ||
      ast.isAsExpression(node) ||
      ast.isSatisfiesExpression(node)
    ) {
      return this.#evaluate(node.expression, scope)
    }
    if (ast.isNonNullExpression(node)) {
      const value = this.#evaluate(node.expression, scope)
      if (value instanceof UnknownValue) value.isPresent = true
      return value
    }
    if (ast.isAwaitExpression(node)) return this.#awaited(this.#evaluate(node.expression, scope))
    if (ast.isConditionalExpression(node)) {
      const isSo = this.#isTruthy(this.#evaluate(node.condition, scope))
      return this.#evaluate(isSo ? node.whenTrue : node.whenFalse, scope)
    }
    if (ast.isBinaryExpression(node)) return this.#binary(node, scope)
    if (ast.isPrefixUnaryExpression(node) || ast.isPostfixUnaryExpression(node)) {
      return this.#unary(node, scope)
    }
    if (ast.isArrayLiteralExpression(node)) {
      return new ListValue(this.#listed(node.elements, scope))
    }
    if (ast.isObjectLiteralExpression(node)) return this.#object(node, scope)
    if (ast.isArrowFunction(node) || ast.isFunctionExpression(node)) {
      return this.#closure(node, scope)
    }
    if (ast.isNewExpression(node)) return this.#construct(node, scope)
    if (ast.isYieldExpression(node)) {
      const value = node.expression ? this.#evaluate(node.expression, scope) : undefined
      this.#yields.at(-1)?.push(...(node.asteriskToken ? this.#items(value) : [value]))
      return undefined
    }
    if (ast.isVoidExpression(node) || ast.isDeleteExpression(node)) {
      this.#evaluate(node.expression, scope)
      return undefined
    }
    if (ast.isTypeOfExpression(node)) return this.#typeOf(this.#evaluate(node.expression, scope))
    switch (node.kind) {
      case ast.SyntaxKind.TrueKeyword:
        return true
      case ast.SyntaxKind.FalseKeyword:
        return false
      case ast.SyntaxKind.NullKeyword:
        return null
      case ast.SyntaxKind.ThisKeyword:
        return scope.holderOf('this')?.get('this')
      default:
        return this.#unknown(`expression:${locationOf(node)}`, () => this.#typeAt(node))
    }
  }

  #typeOf(unresolved: AbstractValue): AbstractValue {
    const value = resolvedValue(unresolved)
    if (!(value instanceof UnknownValue)) return isObject(value) ? 'object' : typeof value
    const kinds = [...new Set(this.#sources.types.members(value.type).map(typeofOf))]
    return kinds[this.#choose(`typeof ${value.key}`, kinds.length)] ?? 'object'
  }

  #tagged(node: ast.TaggedTemplateExpression, scope: Scope): AbstractValue {
    const tag = this.#evaluate(node.tag, scope)
    const { template } = node
    const spans = ast.isTemplateExpression(template) ? [...template.templateSpans] : []
    const values = spans.map((span) => this.#evaluate(span.expression, scope))
    if (!(tag instanceof BuiltinValue && tag.name === 'sql')) {
      return this.#unknown(`tagged:${locationOf(node)}`, () => this.#typeAt(node))
    }
    for (const [index, value] of values.entries()) {
      if (value instanceof UnknownValue && this.#isUnassembled(value)) {
        return this.#unassembled(spans[index]?.expression.getText() ?? '')
      }
    }
    let strings = stringsOf.get(node)
    if (!strings) {
      const texts = ast.isTemplateExpression(template)
        ? [template.head.text, ...template.templateSpans.map((span) => span.literal.text)]
        : [template.text]
      strings = Object.assign(texts, { raw: texts })
      stringsOf.set(node, strings)
    }
    return makeTemplateFrom(sql(strings, ...values), [node, ...values.flatMap(provenance)])
  }

  /** Stands for a template of which a piece is not known. */
  #unassembled(piece: string): UnknownValue {
    const unknown = this.#unknown(`piece:${piece}`, unknownType)
    unknown.piece = piece
    return unknown
  }

  /** Whether it would be a template if it were known. */
  #isUnassembled(value: UnknownValue): boolean {
    if (value.piece !== undefined) return true
    return this.#sources.types
      .members(value.type)
      .some((type) => type.getSymbol()?.name === 'Template')
  }

  #written(node: ast.TemplateExpression, scope: Scope): AbstractValue {
    const values = node.templateSpans.map((span) => this.#evaluate(span.expression, scope))
    const texts = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)]
    if (values.every(isPrimitive)) {
      return values.reduce<string>(
        (text, value, index) => `${text}${String(value)}${texts[index + 1] ?? ''}`,
        texts[0] ?? '',
      )
    }
    return this.#unknown(`\`${values.map(keyOf).join()}\`${locationOf(node)}`, () =>
      this.#typeAt(node),
    )
  }

  #listed(elements: readonly Expression[], scope: Scope): AbstractValue[] {
    return elements.flatMap((element) =>
      ast.isSpreadElement(element)
        ? this.#items(this.#evaluate(element.expression, scope))
        : [this.#evaluate(element, scope)],
    )
  }

  #object(node: ast.ObjectLiteralExpression, scope: Scope): AbstractValue {
    const object = new ObjectValue()
    for (const property of node.properties) {
      if (ast.isSpreadAssignment(property)) {
        const spread = this.#evaluate(property.expression, scope)
        if (spread instanceof UnknownValue) object.rest = spread
        if (spread instanceof ObjectValue) {
          object.rest = spread.rest ?? object.rest
          for (const [name, value] of spread.properties) object.properties.set(name, value)
        }
        continue
      }
      const name = property.name && nameOf(property.name)
      if (name === undefined) continue
      if (ast.isPropertyAssignment(property)) {
        object.properties.set(name, this.#evaluate(property.initializer, scope))
      } else if (ast.isShorthandPropertyAssignment(property)) {
        object.properties.set(name, resolvedValue(this.#lookUp(name, scope, property.name)))
      } else if (ast.isMethodDeclaration(property)) {
        object.properties.set(name, this.#closure(property, scope, object))
      }
    }
    return object
  }

  #closure(node: FunctionNode, scope: Scope, self?: AbstractValue): FunctionValue {
    const closure = new FunctionValue(node, scope, self ?? scope.holderOf('this')?.get('this'))
    this.#closures.push(closure)
    return closure
  }

  #construct(node: ast.NewExpression, scope: Scope): AbstractValue {
    const args = this.#listed(node.arguments ?? [], scope)
    if (ast.isIdentifier(node.expression) && node.expression.text === 'Map') {
      const map = new MapValue()
      const [iterable] = args
      if (iterable === undefined || iterable instanceof ListValue) {
        for (const entry of this.#items(iterable)) {
          const [key, value] = this.#items(entry)
          map.entries.push([key, value])
        }
        return map
      }
    }
    for (const arg of args) this.#visit(arg)
    return this.#unknown(`new:${locationOf(node)}(${args.map(keyOf).join()})`, () =>
      this.#typeAt(node),
    )
  }

  #unary(
    node: ast.PrefixUnaryExpression | ast.PostfixUnaryExpression,
    scope: Scope,
  ): AbstractValue {
    const value = this.#evaluate(node.operand, scope)
    const { ExclamationToken, MinusToken, PlusToken, PlusPlusToken, MinusMinusToken } =
      ast.SyntaxKind
    switch (node.operator) {
      case ExclamationToken:
        return !this.#isTruthy(value)
      case PlusPlusToken:
      case MinusMinusToken: {
        const step = node.operator === PlusPlusToken ? 1 : -1
        if (typeof value === 'number') this.#assign(node.operand, value + step, scope)
        return value
      }
      case MinusToken:
        if (typeof value === 'number') return -value
        break
      case PlusToken:
        if (typeof value === 'number') return value
    }
    return this.#unknown(`${node.operator}(${keyOf(value)})`, () => this.#typeAt(node))
  }

  #binary(node: ast.BinaryExpression, scope: Scope): AbstractValue {
    const { SyntaxKind } = ast
    const operator = node.operatorToken.kind
    switch (operator) {
      case SyntaxKind.AmpersandAmpersandToken: {
        const left = this.#evaluate(node.left, scope)
        return this.#isTruthy(left) ? this.#evaluate(node.right, scope) : resolvedValue(left)
      }
      case SyntaxKind.BarBarToken: {
        const left = this.#evaluate(node.left, scope)
        return this.#isTruthy(left) ? resolvedValue(left) : this.#evaluate(node.right, scope)
      }
      case SyntaxKind.QuestionQuestionToken: {
        const left = this.#evaluate(node.left, scope)
        return this.#isNullish(left) ? this.#evaluate(node.right, scope) : resolvedValue(left)
      }
      case SyntaxKind.EqualsToken: {
        const value = this.#evaluate(node.right, scope)
        this.#assign(node.left, value, scope)
        return value
      }
      case SyntaxKind.QuestionQuestionEqualsToken: {
        const left = this.#evaluate(node.left, scope)
        if (!this.#isNullish(left)) return resolvedValue(left)
        const value = this.#evaluate(node.right, scope)
        this.#assign(node.left, value, scope)
        return value
      }
    }
    const left = this.#evaluate(node.left, scope)
    const right = this.#evaluate(node.right, scope)
    switch (operator) {
      case SyntaxKind.EqualsEqualsEqualsToken:
        return this.#equals(left, right)
      case SyntaxKind.ExclamationEqualsEqualsToken:
        return !this.#equals(left, right)
      case SyntaxKind.PlusEqualsToken:
      case SyntaxKind.MinusEqualsToken: {
        const sign = operator === SyntaxKind.PlusEqualsToken ? 1 : -1
        const sum =
          typeof left === 'number' && typeof right === 'number'
            ? left + sign * right
            : this.#unknown(`sum:${locationOf(node)}`, () => this.#typeAt(node))
        this.#assign(node.left, sum, scope)
        return sum
      }
    }
    if (isPrimitive(left) && isPrimitive(right)) {
      const result = evaluateBinary(operator, left, right)
      if (result !== undefined) return result
    }
    const key = `(${keyOf(left)} ${operator} ${keyOf(right)})`
    return this.#unknown(key, () => this.#typeAt(node))
  }

  #assign(target: Node, value: AbstractValue, scope: Scope): void {
    if (ast.isIdentifier(target)) {
      const holder = scope.holderOf(target.text) ?? scope
      holder.declare(target.text, value)
    } else if (ast.isPropertyAccessExpression(target)) {
      const object = this.#evaluate(target.expression, scope)
      if (object instanceof ObjectValue) object.properties.set(target.name.text, value)
    } else if (ast.isElementAccessExpression(target)) {
      const object = this.#evaluate(target.expression, scope)
      const at = this.#evaluate(target.argumentExpression, scope)
      if (object instanceof ObjectValue && typeof at === 'string') object.properties.set(at, value)
    }
  }

  // Calls -------------------------------------------------------------------------------------

  #callAt(node: ast.CallExpression, scope: Scope): AbstractValue {
    const callee = node.expression
    if (this.#sources.sites.has(node)) {
      const [first] = node.arguments
      this.recorded.push({ call: node, value: first && this.#evaluate(first, scope) })
      return this.#unknown(`answer ${this.#fresh++} of ${locationOf(node)}`, () =>
        this.#typeAt(node),
      )
    }
    if (ast.isPropertyAccessExpression(callee)) {
      const object = this.#evaluate(callee.expression, scope)
      if (callee.questionDotToken && this.#isNullish(object)) return undefined
      return this.#callMethod(resolvedValue(object), node, scope)
    }
    const called = resolvedValue(this.#evaluate(callee, scope))
    if (node.questionDotToken && this.#isNullish(called)) return undefined
    const args = this.#listed(node.arguments, scope)
    return this.#invoke(called, args, node)
  }

  #invoke(called: AbstractValue, args: AbstractValue[], node: ast.CallExpression): AbstractValue {
    if (called instanceof FunctionValue && this.#isInlined(called, args))
      return this.#call(called, args)
    if (called instanceof BuiltinValue) {
      const result = this.#builtin(called, args)
      if (result !== undefined) return result
    }
    for (const arg of args) this.#visit(arg)
    const name = called instanceof FunctionValue ? locationOf(called.node) : keyOf(called)
    return this.#unknown(`${name}(${args.map(keyOf).join()})`, () => this.#typeAt(node))
  }

  /** Enters functions that are handed to others, which may call them. */
  #visit(unresolved: AbstractValue): void {
    const value = resolvedValue(unresolved)
    if (value instanceof FunctionValue && this.#holdsSite(value.node)) this.#callUnknowing(value)
    if (value instanceof ObjectValue)
      for (const member of value.properties.values()) this.#visit(member)
    if (value instanceof ListValue) for (const item of value.items) this.#visit(item)
  }

  #holdsSite(node: Node): boolean {
    let cached = containsCall.get(node)
    if (cached === undefined) {
      const { sites } = this.#sources
      const holds = (each: Node): boolean => sites.has(each) || (each.forEachChild(holds) ?? false)
      const reachesSite = (current: Node): boolean => {
        let isFound = holds(current)
        if (!isFound) {
          const calls = (inner: Node): boolean => {
            if (ast.isTaggedTemplateExpression(inner)) isFound = true
            return isFound || (inner.forEachChild(calls) ?? false)
          }
          calls(current)
        }
        return isFound
      }
      cached = reachesSite(node)
      containsCall.set(node, cached)
    }
    return cached
  }

  /** Functions of other subjects are left unknown; those that take or make SQL are evaluated. */
  #isInlined({ node, scope }: FunctionValue, args: readonly AbstractValue[]): boolean {
    if (scope.parent !== undefined) return true
    if (args.some((arg) => isTemplate(resolvedValue(arg)))) return true
    let cached = makesTemplates.get(node)
    if (cached === undefined) {
      const { checker } = this.#sources.types
      const signature = checker.getSignatureFromDeclaration(node)
      const type = signature && checker.getReturnTypeOfSignature(signature)
      cached = type !== undefined && this.#hasTemplate(type, 0)
      makesTemplates.set(node, cached)
    }
    return cached || node.parameters.some(takesTemplate)
  }

  #hasTemplate(type: Type, depth: number): boolean {
    if (depth > 3) return false
    const { types } = this.#sources
    const name = type.getSymbol()?.name
    if (name === 'Template' || name === 'Sql') return true
    if (types.isStatement(type)) return true
    if (type.isUnionType() || type.isIntersectionType()) {
      return type.getTypes().some((each) => this.#hasTemplate(each, depth + 1))
    }
    if (!type.isObjectType()) return false
    if (type.isTypeReference()) {
      const args = types.argumentsOf(type)
      if (args.some((each) => this.#hasTemplate(each, depth + 1))) return true
    }
    if (name === '__object' || name === '__type') {
      return types.checker.getPropertiesOfType(type).some((property) => {
        const of = types.checker.getTypeOfSymbol(property)
        return of !== undefined && this.#hasTemplate(of, depth + 1)
      })
    }
    return false
  }

  #call(closure: FunctionValue, args: readonly AbstractValue[]): AbstractValue {
    const { node } = closure
    const { body } = node
    this.#entered.add(node)
    if (!body) return undefined
    if (this.#depth > maxDepth) throw new RunAborted('too deep')
    const scope = new Scope(closure.scope, closure.scope.file)
    scope.declare('this', closure.self)
    for (const [index, parameter] of node.parameters.entries()) {
      const value = parameter.dotDotDotToken ? new ListValue(args.slice(index)) : args[index]
      this.#bind(parameter.name, this.#orDefault(value, parameter.initializer, scope), scope)
    }
    this.#depth++
    const isGenerator = 'asteriskToken' in node && node.asteriskToken !== undefined
    if (isGenerator) this.#yields.push([])
    try {
      if (!ast.isBlock(body)) return this.#evaluate(body, scope)
      this.#block(body, scope)
      return isGenerator ? new ListValue(this.#yields.at(-1) ?? []) : undefined
    } catch (error) {
      if (error instanceof Completion && error.kind === 'return') {
        return isGenerator ? new ListValue(this.#yields.at(-1) ?? []) : error.value
      }
      throw error
    } finally {
      this.#depth--
      if (isGenerator) this.#yields.pop()
    }
  }

  #builtin({ name }: BuiltinValue, args: readonly AbstractValue[]): AbstractValue {
    const [first, second] = args
    switch (name) {
      case 'unnamed': {
        const statement = resolvedValue(first)
        if (!isTemplate(statement)) return statement
        return makeTemplateFrom(unnamed(statement) as Template, provenance(statement))
      }
      case 'joined': {
        const pieces = this.#items(first).map(resolvedValue)
        if (!pieces.every(isTemplate) || typeof second !== 'string') {
          return this.#unassembled('a list of pieces')
        }
        return makeTemplateFrom(joined(pieces, second), pieces.flatMap(provenance))
      }
    }
    return undefined
  }

  #callMethod(object: AbstractValue, node: ast.CallExpression, scope: Scope): AbstractValue {
    const callee = node.expression as ast.PropertyAccessExpression
    const name = callee.name.text
    if (object instanceof BuiltinValue) return this.#ofGlobal(object, name, node, scope)
    const args = this.#listed(node.arguments, scope)
    if (object instanceof ObjectValue) {
      const method = this.#property(object, name, callee)
      return this.#invoke(method, args, node)
    }
    if (object instanceof MapValue) return this.#ofDictionary(object, name, args)
    const isList =
      object instanceof ListValue ||
      (object instanceof UnknownValue && listMethods.has(name) && this.#isList(object))
    if (isList) {
      const result = this.#ofList(object, name, args)
      if (result !== undefined) return result.value
    }
    if (object instanceof UnknownValue && name === 'catch') {
      for (const arg of args) this.#visit(arg)
      return object
    }
    for (const arg of args) this.#visit(arg)
    return this.#unknown(`${keyOf(object)}.${name}(${args.map(keyOf).join()})`, () =>
      this.#typeAt(node),
    )
  }

  #ofGlobal(
    object: BuiltinValue,
    name: string,
    node: ast.CallExpression,
    scope: Scope,
  ): AbstractValue {
    const args = this.#listed(node.arguments, scope)
    const first = resolvedValue(args[0])
    switch (`${object.name}.${name}`) {
      case 'Promise.all':
        return new ListValue(this.#items(first).map((each) => this.#awaited(each)))
      case 'Array.from': {
        const [, make] = args
        const items = first instanceof ObjectValue ? [undefined] : this.#items(first)
        if (!(make instanceof FunctionValue)) return new ListValue([...items])
        return new ListValue(items.map((item, index) => this.#call(make, [item, index])))
      }
      case 'Object.values':
        if (first instanceof ObjectValue) return new ListValue([...first.properties.values()])
        break
      case 'Object.keys':
        if (first instanceof ObjectValue) return new ListValue([...first.properties.keys()])
        break
      case 'Object.entries':
        if (first instanceof ObjectValue) {
          return new ListValue([...first.properties].map((entry) => new ListValue([...entry])))
        }
    }
    for (const arg of args) this.#visit(arg)
    const key = `${object.name}.${name}(${args.map(keyOf).join()})`
    return this.#unknown(key, () => this.#typeAt(node))
  }

  #ofDictionary(object: MapValue, name: string, args: readonly AbstractValue[]): AbstractValue {
    const [key, value] = args.map(resolvedValue)
    const { entries } = object
    switch (name) {
      case 'set': {
        const entry = entries.find(([each]) => keyOf(each) === keyOf(key))
        if (entry) entry[1] = value
        else entries.push([key, value])
        return object
      }
      case 'get':
        return (entries.find(([each]) => keyOf(each) === keyOf(key)) ?? entries[0])?.[1]
      case 'has':
        return entries.some(([each]) => keyOf(each) === keyOf(key))
      case 'values':
        return new ListValue(entries.map(([, each]) => each))
      case 'keys':
        return new ListValue(entries.map(([each]) => each))
      case 'entries':
        return new ListValue(entries.map((entry) => new ListValue([...entry])))
      default:
        return undefined
    }
  }

  #ofList(
    object: AbstractValue,
    name: string,
    args: readonly AbstractValue[],
  ): { value: AbstractValue } | undefined {
    const [first, second] = args.map(resolvedValue)
    const items = this.#items(object)
    const applyCallback = (item: AbstractValue, index: number) =>
      first instanceof FunctionValue ? this.#call(first, [item, index]) : this.#opaque(item, first)
    switch (name) {
      case 'map':
        return { value: new ListValue(items.map(applyCallback)) }
      case 'flatMap':
        return {
          value: new ListValue(
            items
              .map(applyCallback)
              .flatMap((mapped) => (mapped instanceof ListValue ? mapped.items : [mapped])),
          ),
        }
      case 'forEach':
        items.map(applyCallback)
        return { value: undefined }
      case 'filter':
        return {
          value: new ListValue(
            items.filter((item, index) => this.#isTruthy(applyCallback(item, index))),
          ),
        }
      case 'find':
        return { value: items.find((item, index) => this.#isTruthy(applyCallback(item, index))) }
      case 'some':
        return { value: items.some((item, index) => this.#isTruthy(applyCallback(item, index))) }
      case 'every':
        return { value: items.every((item, index) => this.#isTruthy(applyCallback(item, index))) }
      case 'push':
        items.push(...args)
        return { value: items.length }
      case 'at':
        return { value: typeof first === 'number' ? items.at(first) : items[0] }
      case 'slice':
        return {
          value: new ListValue(
            items.slice(
              typeof first === 'number' ? first : 0,
              typeof second === 'number' ? second : undefined,
            ),
          ),
        }
      case 'concat':
        return { value: new ListValue([...items, ...args.flatMap((arg) => this.#items(arg))]) }
      case 'join':
        if (!items.every((item) => isPrimitive(resolvedValue(item)))) return undefined
        return { value: items.map(resolvedValue).join(typeof first === 'string' ? first : ',') }
      case 'entries':
        return { value: new ListValue(items.map((item, index) => new ListValue([index, item]))) }
      case 'flat':
        return {
          value: new ListValue(
            items
              .map(resolvedValue)
              .flatMap((item) => (item instanceof ListValue ? item.items : [item])),
          ),
        }
      case 'toReversed':
        return { value: new ListValue(items.toReversed()) }
      case 'sort':
      case 'toSorted':
      case 'values':
        return { value: object instanceof ListValue ? object : new ListValue(items) }
      default:
        return undefined
    }
  }

  #opaque(item: AbstractValue, by: AbstractValue): AbstractValue {
    return this.#unknown(`${keyOf(by)}(${keyOf(item)})`, unknownType)
  }

  // Statements --------------------------------------------------------------------------------

  #block(block: Block, outer: Scope): void {
    this.#statements(block.statements, new Scope(outer, outer.file))
  }

  #statements(statements: readonly Node[], scope: Scope): void {
    for (const statement of statements) {
      if (ast.isFunctionDeclaration(statement) && statement.name) {
        scope.declare(statement.name.text, this.#closure(statement, scope))
      }
    }
    for (const statement of statements) this.#execute(statement, scope)
  }

  #execute(node: Node, scope: Scope): void {
    if (ast.isExpressionStatement(node)) {
      this.#evaluate(node.expression, scope)
    } else if (ast.isVariableStatement(node)) {
      for (const declaration of node.declarationList.declarations) this.#declare(declaration, scope)
    } else if (ast.isReturnStatement(node)) {
      throw new Completion('return', node.expression && this.#evaluate(node.expression, scope))
    } else if (ast.isIfStatement(node)) {
      const isSo = this.#isTruthy(this.#evaluate(node.expression, scope))
      const branch = isSo ? node.thenStatement : node.elseStatement
      if (branch) this.#execute(branch, scope)
    } else if (ast.isBlock(node)) {
      this.#block(node, scope)
    } else if (ast.isForOfStatement(node)) {
      this.#forOf(node, scope)
    } else if (ast.isForStatement(node)) {
      this.#for(node, scope)
    } else if (ast.isWhileStatement(node) || ast.isDoStatement(node)) {
      this.#turns(scope, { condition: node.expression, body: node.statement })
    } else if (ast.isSwitchStatement(node)) {
      this.#switch(node, scope)
    } else if (ast.isTryStatement(node)) {
      this.#try(node, scope)
    } else if (ast.isThrowStatement(node)) {
      throw new Completion('throw', this.#evaluate(node.expression, scope))
    } else if (ast.isBreakStatement(node)) {
      throw new Completion('break')
    } else if (ast.isContinueStatement(node)) {
      throw new Completion('continue')
    }
  }

  #forOf(node: ast.ForOfStatement, outer: Scope): void {
    const items = this.#items(this.#evaluate(node.expression, outer))
    for (const item of [...items]) {
      const scope = new Scope(outer, outer.file)
      if (ast.isVariableDeclarationList(node.initializer)) {
        this.#bind(node.initializer.declarations[0]?.name, item, scope)
      }
      if (!this.#turn(node.statement, scope)) return
    }
  }

  #for(node: ast.ForStatement, outer: Scope): void {
    const scope = new Scope(outer, outer.file)
    const { initializer, condition, incrementor, statement } = node
    if (initializer && ast.isVariableDeclarationList(initializer)) {
      for (const declaration of initializer.declarations) this.#declare(declaration, scope)
    }
    this.#turns(scope, { condition, body: statement, incrementor })
  }

  /** Turns of a loop; where it is not known whether there is another one, there is one at the most. */
  #turns(
    scope: Scope,
    loop: { condition: Expression | undefined; body: Node; incrementor?: Expression | undefined },
  ): void {
    const { condition, body, incrementor } = loop
    for (let turn = 0; turn < maxTurns; turn++) {
      const value = condition ? resolvedValue(this.#evaluate(condition, scope)) : true
      if (value instanceof UnknownValue && turn > 0) return
      if (!this.#isTruthy(value)) return
      if (!this.#turn(body, new Scope(scope, scope.file))) return
      if (!condition) return
      if (incrementor) this.#evaluate(incrementor, scope)
    }
  }

  /** Runs the body of a loop; returns whether the loop goes on. */
  #turn(body: Node, scope: Scope): boolean {
    try {
      this.#execute(body, scope)
      return true
    } catch (error) {
      if (!(error instanceof Completion)) throw error
      if (error.kind === 'continue') return true
      if (error.kind === 'break') return false
      throw error
    }
  }

  #switch(node: ast.SwitchStatement, outer: Scope): void {
    const value = this.#evaluate(node.expression, outer)
    const { clauses } = node.caseBlock
    const scope = new Scope(outer, outer.file)
    let from = clauses.findIndex(
      (clause) =>
        ast.isCaseClause(clause) &&
        this.#equals(value, this.#evaluate(clause.expression, scope)) === true,
    )
    if (from < 0) from = clauses.findIndex((clause) => ast.isDefaultClause(clause))
    if (from < 0) return
    try {
      for (const clause of clauses.slice(from)) this.#statements(clause.statements, scope)
    } catch (error) {
      if (!(error instanceof Completion && error.kind === 'break')) throw error
    }
  }

  #try(node: ast.TryStatement, scope: Scope): void {
    const { tryBlock, catchClause, finallyBlock } = node
    const fails = catchClause && this.#holdsSite(catchClause)
    const isCaught = fails && this.#choose(`fails:${locationOf(node)}`, 2) === 1
    try {
      try {
        this.#block(tryBlock, scope)
      } catch (error) {
        if (!(error instanceof Completion)) throw error
        if (!isCaught && (error.kind !== 'throw' || !catchClause)) throw error
      }
      if (isCaught && catchClause) {
        const inner = new Scope(scope, scope.file)
        const name = catchClause.variableDeclaration?.name
        this.#bind(name, this.#unknown(`error:${locationOf(node)}`, unknownType), inner)
        this.#block(catchClause.block, inner)
      }
    } finally {
      if (finallyBlock) this.#block(finallyBlock, scope)
    }
  }
}

const listMethods = new Set([
  'map',
  'flatMap',
  'forEach',
  'filter',
  'find',
  'some',
  'every',
  'push',
  'at',
  'slice',
  'concat',
  'join',
  'entries',
  'flat',
  'toReversed',
  'sort',
  'toSorted',
  'values',
])

const globals = new Set(['Promise', 'Array', 'Object', 'Math', 'JSON', 'Number', 'Date', 'Map'])

function globalOf(name: string): AbstractValue {
  return globals.has(name) ? new BuiltinValue(name) : undefined
}

/** The names that a file declares at its top, with what declares them. */
function topLevelDeclarations(file: SourceFile): Map<string, Node> {
  let declarations = declarationsOf.get(file)
  if (declarations) return declarations
  declarations = new Map<string, Node>()
  for (const statement of file.statements) {
    if (ast.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations) {
        for (const name of namesIn(declaration.name)) declarations.set(name, declaration)
      }
    } else if (ast.isFunctionDeclaration(statement) || ast.isClassDeclaration(statement)) {
      if (statement.name) declarations.set(statement.name.text, statement)
    } else if (ast.isImportDeclaration(statement)) {
      const bindings = statement.importClause?.namedBindings
      if (bindings && ast.isNamedImports(bindings)) {
        for (const binding of bindings.elements) declarations.set(binding.name.text, binding)
      }
    }
  }
  declarationsOf.set(file, declarations)
  return declarations
}

function namesIn(name: Node | undefined): string[] {
  if (!name) return []
  if (ast.isIdentifier(name)) return [name.text]
  if (ast.isObjectBindingPattern(name) || ast.isArrayBindingPattern(name)) {
    return name.elements.flatMap((element) => namesIn(element.name))
  }
  return []
}

function nameOf(node: Node): string | undefined {
  if (ast.isIdentifier(node) || ast.isStringLiteral(node) || ast.isPrivateIdentifier(node)) {
    return node.text
  }
  return ast.isNumericLiteral(node) ? node.text : undefined
}

/** Whether a parameter is declared to take templates or statements. */
export function takesTemplate(parameter: ast.ParameterDeclaration): boolean {
  return /\b(Template|Sql)\b/.test(parameter.type?.getText() ?? '')
}

/** The value that a run has decided for, if it has. */
function resolvedValue(value: AbstractValue): AbstractValue {
  let current = value
  while (current instanceof UnknownValue && current.decided) current = current.decided.value
  return current
}

function isNullishType(type: Type): boolean {
  return (type.flags & (TypeFlags.Null | TypeFlags.Undefined | TypeFlags.Void)) !== 0
}

function emptyValueOf(type: Type): null | undefined {
  return type.flags & TypeFlags.Null ? null : undefined
}

function isBoolean(types: readonly Type[]): boolean {
  return types.length > 0 && types.every((type) => (type.flags & TypeFlags.BooleanLike) !== 0)
}

function falsyOf(types: readonly Type[]): Primitive {
  if (types.some((type) => type.flags & TypeFlags.BooleanLike)) return false
  if (types.some((type) => type.flags & TypeFlags.NumberLike)) return 0
  if (types.some((type) => type.flags & TypeFlags.StringLike)) return ''
  return undefined
}

function typeofOf(type: Type): string {
  if (type.flags & TypeFlags.StringLike) return 'string'
  if (type.flags & TypeFlags.NumberLike) return 'number'
  if (type.flags & TypeFlags.BooleanLike) return 'boolean'
  return type.flags & TypeFlags.Undefined ? 'undefined' : 'object'
}

function isPrimitive(value: AbstractValue): value is Primitive {
  return value === null || typeof value !== 'object'
}

function isObject(value: AbstractValue): boolean {
  return !isPrimitive(value) && !(value instanceof UnknownValue)
}

export function isTemplate(value: AbstractValue): value is Template {
  return typeof value === 'object' && value !== null && 'text' in value && 'values' in value
}

function makeTemplateFrom(template: Template, nodes: readonly Node[]): Template {
  templatesOf.set(template, new Set(nodes))
  return template
}

function provenance(value: AbstractValue): Node[] {
  return isTemplate(value) ? [...sourcesOf(value)] : []
}

function locationOf(node: Node): string {
  return `${node.getSourceFile().fileName}:${node.pos}`
}

function keyOf(value: AbstractValue): string {
  if (value instanceof UnknownValue) return value.decided ? keyOf(resolvedValue(value)) : value.key
  if (value instanceof ListValue) return `[${value.items.map(keyOf).join()}]`
  if (value instanceof ObjectValue) {
    const own = [...value.properties].map(([name, each]) => `${name}:${keyOf(each)}`)
    return `{${own.join()}${value.rest ? `…${value.rest.key}` : ''}}`
  }
  if (value instanceof FunctionValue) return `function ${locationOf(value.node)}`
  if (value instanceof BuiltinValue) return value.name
  if (value instanceof MapValue) return 'Map'
  if (isTemplate(value)) return `sql ${hash(value.text)}`
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

function hash(text: string): string {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0
  return sum.toString(36)
}

function evaluateBinary(
  operator: ast.SyntaxKind,
  left: Primitive,
  right: Primitive,
): AbstractValue {
  const { SyntaxKind } = ast
  if (typeof left === 'string' || typeof right === 'string') {
    return operator === SyntaxKind.PlusToken ? `${String(left)}${String(right)}` : undefined
  }
  if (typeof left !== 'number' || typeof right !== 'number') return undefined
  switch (operator) {
    case SyntaxKind.PlusToken:
      return left + right
    case SyntaxKind.MinusToken:
      return left - right
    case SyntaxKind.AsteriskToken:
      return left * right
    case SyntaxKind.SlashToken:
      return left / right
    case SyntaxKind.LessThanToken:
      return left < right
    case SyntaxKind.LessThanEqualsToken:
      return left <= right
    case SyntaxKind.GreaterThanToken:
      return left > right
    case SyntaxKind.GreaterThanEqualsToken:
      return left >= right
    default:
      return undefined
  }
}
