import { PassThrough, pipeline, Readable } from 'node:stream'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import {
  badField,
  Failure,
  type FailureCode,
  Overloaded,
  ShuttingDown,
  TooManyRequests,
} from '../../kernel/failure.ts'
import type { OperatorActor } from '../../kernel/operator-actor.ts'
import type { FailureShape } from '../../kernel/schema.ts'
import type { SiteId } from '../../kernel/sites.ts'
import { ResourceUnavailable } from '../../platform/circuit-breaker.ts'
import type { Config } from '../../platform/config.ts'
import type { Context } from '../../platform/context.ts'
import {
  type AdmissionQueues,
  admissionFor,
  openAdmissionQueues,
  queuedCallerOf,
} from '../admission/admission-queues.ts'
import { type AuditOperation, auditRequestOf, operationPermissionsOf } from '../audit.ts'
import { isCompressible, sendCompressed } from '../bodies/compression.ts'
import { addMultipartParser, filesOf, noFiles } from '../bodies/forms.ts'
import { addStreamParser, linesType } from '../bodies/lines.ts'
import { addBodyParser } from '../bodies/parse.ts'
import { formLimit } from '../bounds.ts'
import { forbidStoring, isPrivate } from '../caching.ts'
import { type Authenticate, type Caller, tokenOf } from '../caller.ts'
import {
  errorBodyOf,
  failureOf,
  isDefect,
  refuseBroken,
  refuseTunnel,
  unknownPathFailure,
} from '../failure.ts'
import { IgnoredNames } from '../input.ts'
import { makeInputReader } from '../input-reader.ts'
import {
  type CountRequest,
  limitArrival,
  limitStall,
  makeLimit,
  usualArrivalMs,
  usualStallMs,
} from '../limits.ts'
import { networkOf } from '../network.ts'
import {
  type AuthenticateOperator,
  checkOperator,
  type OperationPermissions,
  type Operator,
} from '../operator.ts'
import { failurePage } from '../pages/failure.ts'
import { pageHeaders } from '../pages/page.ts'
import type { OperatorPermission } from '../permissions.ts'
import { documentOf, schemaOf, serveReference } from '../reference/openapi.ts'
import { describeResources, isOpen } from '../reference/options.ts'
import {
  isOperatorRoute,
  type Route,
  type RouteInput,
  type RouteResponse,
  type Scope,
} from '../route.ts'
import { allSites, type LimitedRequest, type SiteLimit } from '../site-rule.ts'
import { versionConditionOf, withEtag } from '../versioned-route.ts'
import {
  guardVersion,
  type ListOperatorChanges,
  VersionConflict,
  type VersionedInput,
} from '../versions.ts'
import { isAnonymous, openHeaders, varyByToken, withholdCors } from './cors.ts'
import { countUntrustedForwarding } from './forwarding.ts'
import { guardHosts } from './hosts.ts'
import { reportReadOnlyFields } from './read-only-fields.ts'
import { currentUrl, decodePath } from './request-paths.ts'
import { keepFields } from './select.ts'
import {
  resetConnection,
  simulatedAnswer,
  simulateFaults,
  withoutParts,
} from './simulated-faults.ts'
import { sendHsts, tlsOptions } from './transport.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    operator: OperatorActor | undefined
    /** The sites to which the operator is limited. */
    sites: SiteLimit
    permissions: ReadonlySet<OperatorPermission> | undefined
  }
  interface FastifyContextConfig {
    failures?: FailureShape
    /** Whether failures are answered with an HTML page. */
    isPage?: boolean
    isOperators?: boolean
    takesBody?: boolean
  }
}

export interface ServerParts {
  routes: readonly Route[]
  authenticate: Authenticate
  authenticateOperator: AuthenticateOperator
  /** Records operations of the operator in the audit log. Default: they are not recorded. */
  audit?: AuditOperation
  /** Says in a conflict of versions what operators changed. Default: nothing. */
  listOperatorChanges?: ListOperatorChanges
  arrivalMs?: number
  stallMs?: number
  /** Returns the OpenAPI document of these routes as JSON text. Default: generates it, which takes half a second of a
   * processor for all routes. */
  readOpenApi?: () => Promise<string>
}

/** Returns a server with these operations. It does not listen yet. */
export async function buildServer(ctx: Context, parts: ServerParts): Promise<FastifyInstance> {
  const { tls, bodyLimitBytes, ratePerMinute, trustedProxies } = ctx.config.http
  const { arrivalMs = usualArrivalMs, stallMs = usualStallMs } = parts
  const { readOpenApi = async () => JSON.stringify(await documentOf(parts.routes)) } = parts
  const server = fastify({
    bodyLimit: bodyLimitBytes,
    genReqId: requestIds(ctx),
    rewriteUrl: ({ url }: { url?: string }) => currentUrl(decodePath(url ?? '/')),
    forceCloseConnections: 'idle',
    // `refuseWhileClosing` answers instead, with the error body of the route.
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    routerOptions: { maxParamLength: 500 },
    // `limitArrival` limits the time of bodies, because some are streams without a limit.
    requestTimeout: 0,
    // Errors before routing, to which the hooks below do not apply.
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      reply.header('x-request-id', request.id)
      return sendFailure(ctx, error, { request, reply })
    },
    clientErrorHandler: refuseBroken,
    // `guardHosts` refuses a request without `Host` with an error body. The answer of Node would have none.
    ...(tls
      ? { https: { ...tlsOptions(tls), requireHostHeader: false } }
      : { http: { requireHostHeader: false } }),
  } as object) as FastifyInstance
  // `check.ts` checks bodies, and `JSON.stringify` writes answers: a serializer by schema would silently drop fields
  // that the schema lacks.
  server.setValidatorCompiler(() => () => true)
  server.setSerializerCompiler(() => (body) => JSON.stringify(body))
  const isStrict = (request: FastifyRequest) => isStrictRequest(request, ctx.config)
  addBodyParser(server, { takesForms: false, isStrict })
  server.decorateRequest('caller', undefined)
  server.decorateRequest('operator', undefined)
  server.decorateRequest('sites', null)
  server.decorateRequest('permissions', undefined)

  server.server.on('connect', refuseTunnel)
  // Treat it as any other request: `refuseExpectations` refuses it.
  server.server.on('checkExpectation', (request, response) => {
    server.server.emit('request', request, response)
  })

  server.setErrorHandler((error, request, reply) => sendFailure(ctx, error, { request, reply }))
  server.setNotFoundHandler((request, reply) => {
    return sendFailure(ctx, unknownPathFailure(request), { request, reply })
  })
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    limitArrival(request, arrivalMs)
    done()
  })
  server.addHook('onSend', (request, reply, payload, done) => {
    limitStall(request, reply, stallMs)
    done(null, payload)
  })
  refuseExpectations(server)
  refuseWhileClosing(server)
  forbidStoring(server)
  sendHsts(server, ctx.config)
  guardHosts(server, ctx.config)
  server.addHook('onResponse', (request, reply, done) => {
    observe(ctx, request, reply)
    done()
  })

  countUntrustedForwarding(server, ctx)
  server.addHook('onRequest', (request, _reply, done) => {
    // Refuse unknown paths before the body is read.
    done(request.is404 ? unknownPathFailure(request) : undefined)
  })
  const count = await makeLimit(server, ratePerMinute)
  const admissions = openAdmissionQueues(ctx)
  const operationPermissions = operationPermissionsOf(parts.routes)
  for (const route of parts.routes) {
    const { routes, authenticate, authenticateOperator, audit, listOperatorChanges } = parts
    const authenticators = { authenticate, authenticateOperator }
    const records = { audit, listOperatorChanges }
    const service = {
      ctx,
      route,
      routes,
      operationPermissions,
      count,
      authenticators,
      records,
      isStrict,
      admissions,
    }
    const setParser = bodyParserOf(route, isStrict)
    if (!setParser) register(server, service)
    else {
      await server.register(async (inner) => {
        await setParser(inner)
        register(inner, service)
      })
    }
  }
  describeResources(server, { routes: parts.routes, count })
  await serveReference(server, readOpenApi)
  return server
}

/** Refuses any `Expect` header but `100-continue`, which Node answers. */
function refuseExpectations(server: FastifyInstance): void {
  server.addHook('onRequest', ({ headers: { expect } }, _reply, done) => {
    const isSupported = expect === undefined || /(?:^|\W)100-continue(?:$|\W)/i.test(expect)
    done(isSupported ? undefined : new Failure('expectation_failed'))
  })
}

/** Refuses requests on open connections while the server closes, and closes each connection after its last answer. A
 * retry opens a new connection and reaches another process. */
function refuseWhileClosing(server: FastifyInstance): void {
  let isClosing = false
  server.addHook('preClose', async () => {
    isClosing = true
  })
  server.addHook('onRequest', (_request, reply, done) => {
    if (!isClosing) return done()
    reply.header('connection', 'close')
    done(new ShuttingDown())
  })
  server.addHook('onResponse', (_request, _reply, done) => {
    // Closing ended only the connections that were idle then. This one would stay open until its client closes it.
    if (isClosing) setImmediate(() => server.server.closeIdleConnections())
    done()
  })
}

/** Returns the function that sets the body parser of this route, or undefined for the default parser. */
function bodyParserOf(
  { streams, takesFiles, takesFields }: Route,
  isStrict: (request: FastifyRequest) => boolean,
): ((server: FastifyInstance) => void | Promise<void>) | undefined {
  if (streams) return addStreamParser
  if (takesFiles) return addMultipartParser
  if (takesFields) return (server) => addBodyParser(server, { takesForms: true, isStrict })
  return undefined
}

/** An operation with everything that serving it needs. */
interface RouteService {
  ctx: Context
  route: Route
  routes: readonly Route[]
  operationPermissions: OperationPermissions
  count: CountRequest
  authenticators: Pick<ServerParts, 'authenticate' | 'authenticateOperator'>
  records: {
    audit: AuditOperation | undefined
    listOperatorChanges: ListOperatorChanges | undefined
  }
  isStrict: (request: FastifyRequest) => boolean
  admissions: AdmissionQueues
}

/**
 * Registers an operation. A request goes through these steps:
 * 1. identify the caller and count against the rate limit;
 * 2. wait for requests that arrived together (`fromMemory`), and apply sandbox faults;
 * 3. wait for admission, check permission, parse the input, run the handler and send its answer.
 */
function register(server: FastifyInstance, service: RouteService): void {
  const { ctx, route, routes, count, authenticators, isStrict, admissions } = service
  const input = makeInputReader(route, routes)
  const arrives = route.streams !== undefined || route.takesFiles === true
  const compresses = isCompressible(route)
  const takesSecret = route.failures === 'oauth'
  const admission = admissionFor(route, admissions)
  server.route({
    method: route.method,
    url: route.url,
    schema: schemaOf(route),
    ...(isAnonymous(route) || route.takesFields
      ? { bodyLimit: Math.min(formLimit, ctx.config.http.bodyLimitBytes) }
      : {}),
    ...(route.scope === 'mixed' ? { onSend: varyByToken } : {}),
    ...(takesSecret ? { preHandler: async (request, reply) => withholdCors(request, reply) } : {}),
    config: {
      streams: arrives,
      failures: route.failures ?? 'general',
      isPage: route.scope === 'page',
      isPrivate: isPrivate(route),
      isOperators: isOperatorRoute(route),
      takesBody: route.body !== undefined || arrives,
    },
    async onRequest(request, reply) {
      if (isOpen(route)) reply.headers(openHeaders)
      if (takesSecret) withholdCors(request, reply)
      if (route.scope === 'page') reply.headers(pageHeaders)
      if (route.failures === 'oauth')
        reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
      try {
        const { caller, operator } = await identify(request, { route, authenticators, ctx })
        request.caller = caller
        setOperator(request, operator)
        if (isStrict(request)) refuseContentType(request)
        if (route.mayBreakOff) refuseHttp10(request)
      } finally {
        await count(request, reply)
      }
    },
    async handler(request, reply) {
      if (route.fromMemory) await untilArrivedRead()
      const interference = await simulateFaults(ctx, { request, reply, route })
      if (interference?.reset && !interference.isDone) return resetConnection(request, reply)
      if (interference?.refusal && !interference.isDone)
        return send(reply, simulatedAnswer(interference.refusal, route))
      const ignored = new IgnoredNames({ isStrict: isStrict(request) })
      const tools = interference ? withoutParts(ctx, interference) : ctx
      const work = () => runOperation(request, { reply, service, input, tools, ignored })
      const answer = await (admission
        ? admission.run(queuedCallerOf(request, route), work)
        : work())
      if (interference?.reset) return resetConnection(request, reply)
      if (interference?.refusal) return send(reply, simulatedAnswer(interference.refusal, route))
      if (answer.status < 400) setIgnoredHeader(reply, ignored)
      return send(reply, keepFields(answer, request), compresses)
    },
  })
}

/** Reads the input, runs the handler and returns its answer. Throws refusals. */
async function runOperation(
  request: FastifyRequest,
  call: {
    reply: FastifyReply
    service: RouteService
    input: ReturnType<typeof makeInputReader>
    tools: Context
    ignored: IgnoredNames
  },
): Promise<RouteResponse> {
  const { reply, input, tools, ignored } = call
  const { route, operationPermissions, isStrict, ctx } = call.service
  if (route.scope === 'operator') await identifyAgain(request, call.service)
  const { caller, operator, permissions, sites } = request
  const options = { caller, isStrict: isStrict(request), ignored }
  const params = input.readPath(request.params, options)
  if (route.permit) await route.permit(ctx, { params, caller } as PermitInput)
  const parsed = {
    params,
    caller,
    operator,
    sites,
    permissions,
    operationPermissions,
    query: input.readQuery(request.query, options),
    body: input.readBody(request.body, options),
    ignore: (parameter: string) => ignored.addParameter(parameter),
    headers: request.headers,
    network: networkOf(request.ip),
    get signal() {
      return disconnectSignal(reply)
    },
    bodyStream: route.streams ? request.body : undefined,
    files: route.takesFiles ? filesOf(request) : noFiles,
  } as RouteInput<unknown, unknown, unknown, Scope>
  if (sites && !(await isOnSites(ctx, { route, input: parsed, sites }))) parsed.operator = undefined
  await reportReadOnlyFields(ctx, { input, request, params, ignored })
  const handlerInput = parsed as Parameters<Route['handle']>[1]
  const answer = await runHandler(request, { service: call.service, tools, input: handlerInput })
  if (route.isLongPoll) await checkAgain(request, { service: call.service, params })
  return answer
}

/** Throws the refusal of a limited operator whose request is not within the sites. A `public` operation returns false
 * instead: the operator is nobody special there. */
async function isOnSites(
  ctx: Context,
  {
    route: { scope, sites: rule = allSites },
    input,
    sites,
  }: {
    route: Route
    input: RouteInput<unknown, unknown, unknown, Scope>
    sites: ReadonlySet<SiteId>
  },
): Promise<boolean> {
  try {
    const { params, query, body } = input as Pick<LimitedRequest, 'params' | 'query' | 'body'>
    await rule.check({ ctx, params, query, body, sites })
    return true
  } catch (error) {
    if (scope === 'public' && error instanceof Failure) return false
    throw error
  }
}

/** Sets what handlers learn of the operator of a request. */
function setOperator(request: FastifyRequest, operator: Operator | undefined): void {
  request.operator = operator?.actor
  request.permissions = operator?.permissions
  request.sites = operator?.sites ?? null
}

/** Refuses an operator who has lost the right to call since the head of the request arrived: its body may take minutes,
 * and it may have waited. Nothing is read again unless rights have changed (`createAuthenticateOperator`). */
async function identifyAgain(request: FastifyRequest, service: RouteService): Promise<void> {
  setOperator(request, (await identify(request, service)).operator)
}

/** Refuses a caller who has lost the right to call while the handler waited. */
async function checkAgain(
  request: FastifyRequest,
  { service, params }: { service: RouteService; params: unknown },
): Promise<void> {
  const { route, ctx } = service
  const { caller, operator } = await identify(request, service)
  request.caller = caller
  setOperator(request, operator)
  if (route.permit) await route.permit(ctx, { params, caller } as PermitInput)
}

interface HandlerCall {
  service: RouteService
  tools: Context
  input: Parameters<Route['handle']>[1]
}

/** Runs the handler, with its entry in the audit log and its condition on the version, and returns its answer. */
async function runHandler(
  request: FastifyRequest,
  { service, tools, input }: HandlerCall,
): Promise<RouteResponse> {
  const { route, records } = service
  const entry = records.audit && auditRequestOf(route, request)
  const condition = versionConditionOf(route, request.headers)
  const guard =
    route.versioned && condition && entry
      ? guardVersion(tools, {
          thing: route.versioned,
          condition,
          input: input as VersionedInput,
          target: { kind: entry.targetKind, id: entry.targetId },
        })
      : undefined
  const guarded = guard?.ctx ?? tools
  try {
    const audited = entry && (await records.audit?.(guarded, entry))
    const answer = await route.handle(audited?.ctx ?? guarded, input)
    if (audited && answer.status < 400) await audited.finish()
    return withEtag(answer, { route, etag: guard?.etag(), now: tools.now() })
  } catch (error) {
    if (error instanceof VersionConflict) {
      error.changes = (await records.listOperatorChanges?.(tools, error)) ?? []
    }
    throw error
  }
}

type PermitInput = Parameters<NonNullable<Route['permit']>>[1]

/** Returns whether the request is strict: unknown names and other spellings are refused. The operator's interface is
 * always strict. Throws `bad_request` for an invalid `X-Feria-Strict`. */
function isStrictRequest({ headers, routeOptions }: FastifyRequest, { http }: Config): boolean {
  const asksForIt = isStrictHeader(headers['x-feria-strict'])
  return routeOptions.config.isOperators || http.isStrict || asksForIt
}

function isStrictHeader(value: string | string[] | undefined): boolean {
  const text = String(value ?? 'false').toLowerCase()
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  throw badField('X-Feria-Strict', 'true or false')
}

/** Refuses a content type without a body if the operation takes none. Clients of the operator may send one with every
 * request. */
function refuseContentType({ headers, routeOptions }: FastifyRequest): void {
  const { takesBody, isOperators } = routeOptions.config
  if (takesBody || isOperators || headers['content-type'] === undefined) return
  if ((headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding']) return
  throw badField('Content-Type', 'none, because this operation takes no body')
}

/** Refuses HTTP/1.0, where the end of the connection ends an answer, whether it is complete or not. */
function refuseHttp10({ raw }: FastifyRequest): void {
  if (raw.httpVersion !== '1.0') return
  throw badField('HTTP version', '1.1, by which clients notice that an answer broke off')
}

/** Sends the names of ignored fields and parameters, so that callers find misspelled ones. */
function setIgnoredHeader(reply: FastifyReply, ignored: IgnoredNames): void {
  const names = ignored.header
  if (names !== undefined) reply.header('x-feria-ignored', names)
}

function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  if (raw.destroyed) controller.abort()
  raw.once('close', () => controller.abort())
  return controller.signal
}

let pendingRead: Promise<void> | undefined

/** Resolves when all requests that have arrived by now were read. They then run together, which makes better use of the
 * processor's caches, and their answers leave together. Without it, 20 % fewer categories and 28 % fewer title predictions
 * are answered per second (docs/decisions/0035-own-machinery.md). */
function untilArrivedRead(): Promise<void> {
  pendingRead ??= new Promise((resolve) => {
    setImmediate(() => {
      pendingRead = undefined
      resolve()
    })
  })
  return pendingRead
}

/** Returns the caller of a request, or the operator. Throws a refusal before the body is read. */
async function identify(
  request: FastifyRequest,
  { route, authenticators, ctx }: Pick<RouteService, 'route' | 'authenticators' | 'ctx'>,
): Promise<{ caller?: Caller; operator?: Operator }> {
  const { scope } = route
  const { authenticate, authenticateOperator } = authenticators
  if (scope === 'page' || (scope === 'public' && route.permission === undefined)) return {}
  if (scope === 'operator' || scope === 'public') {
    const { authorization } = request.headers
    const operator = await authenticateOperator({ authorization, address: request.ip })
    if (scope === 'public') return isPermitted(operator, route) ? { operator } : {}
    if (!operator) throw new Failure('operator_only')
    checkOperator(operator, route, ctx.now())
    return { operator }
  }
  const token = tokenOf(request)
  if (token === undefined && scope === 'mixed') return {}
  if (token === undefined) {
    const isMessage = route.failures === 'message'
    throw new Failure(isMessage ? 'access_token_required' : 'not_identified_user')
  }
  const caller = await authenticate(token)
  if (!caller) throw new Failure('invalid_token')
  if (!caller.scopes.includes(scope === 'mixed' ? 'read' : scope))
    throw new Failure('access_denied')
  if (route.needsApplication && caller.applicationId === null) {
    throw new Failure('application_required')
  }
  return { caller }
}

/** Returns whether a `public` operation may show this operator more than others. */
function isPermitted(operator: Operator | undefined, { permission }: Route): operator is Operator {
  if (permission === undefined || permission === 'own-account') return false
  return operator?.permissions.has(permission) ?? false
}

/** Sends an answer: its content, lines or bytes as they are, otherwise its text or its body as JSON. */
function send(
  reply: FastifyReply,
  answer: RouteResponse,
  compresses = false,
): FastifyReply | Promise<FastifyReply> {
  reply.status(answer.status)
  const isEmpty = answer.status === 204 || answer.status === 304
  if (!isEmpty) reply.header('content-type', 'application/json; charset=utf-8')
  if (answer.headers) reply.headers(answer.headers)
  if (isEmpty) return reply.send()
  if (answer.content) return sendContent(reply, answer.content, answer.trailers)
  if (answer.lines) return reply.header('content-type', linesType).send(inBytes(answer.lines))
  if (answer.bytes) return reply.send(answer.bytes)
  const text = answer.text ?? JSON.stringify(answer.body)
  return compresses ? sendCompressed(reply, text) : reply.send(text)
}

/** Sends a stream, and its trailers once it has ended. HEAD ends it at once, because Fastify would read all of it. An
 * empty stream takes its place: for nothing at all, Fastify would say that the length is 0. */
function sendContent(
  reply: FastifyReply,
  content: Readable,
  trailers: RouteResponse['trailers'] = {},
): FastifyReply {
  if (reply.request.method === 'HEAD') {
    content.destroy()
    return reply.send(Readable.from([]))
  }
  for (const [name, value] of Object.entries(trailers)) reply.trailer(name, async () => value())
  return reply.send(inBytes(content))
}

/** Converts a stream of text to bytes. With text, Node (26.10) counts bytes to pause and characters to resume: a text
 * with an accent may pause forever. */
function inBytes(content: Readable): Readable {
  if (!content.readableObjectMode) return content
  // An error on either side destroys both streams. The reply reports it.
  return pipeline(content, new PassThrough(), () => {})
}

/** The `WWW-Authenticate` header of failures that require one (RFC 6749, 5.2). */
const challenges: Readonly<Partial<Record<FailureCode, string>>> = {
  invalid_client_header: 'Basic realm="feria", charset="UTF-8"',
}

/** Sends a failure in the form of its route: a page, or an error body. A defect is logged with its stack, an
 * unavailable database once per outage. */
function sendFailure(
  ctx: Context,
  error: unknown,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): FastifyReply | Promise<FastifyReply> {
  const failure = failureOf(error, request.routeOptions.bodyLimit)
  if (isDefect(failure)) ctx.log.error({ err: error, request: request.id }, 'a defect')
  else if (failure.code === 'unavailable') {
    logUnavailable(ctx, error, request.id)
    reply.header('retry-after', '1')
  } else if (failure.note) {
    ctx.log.info({ request: request.id, note: failure.note }, failure.code)
  }
  if (failure instanceof TooManyRequests) reply.header('retry-after', failure.retryAfterSeconds)
  const { failures: shape, isPage } = request.routeOptions.config
  const challenge = challenges[failure.code]
  if (challenge) reply.header('www-authenticate', challenge)
  if (isPage) return send(reply, failurePage(failure, request.headers['accept-language']))
  const body = errorBodyOf(failure, shape)
  if (!(failure instanceof VersionConflict)) return send(reply, { status: failure.status, body })
  const { status, etag, changes } = failure
  const headers: Record<string, string> = etag === null ? {} : { etag }
  return send(reply, { status, body: { ...body, etag, changes }, headers })
}

/** Logs why an answer was 503. The caller does not learn the cause. */
function logUnavailable({ log, outageLog }: Context, error: unknown, request: string): void {
  // Admission control logs its own refusals.
  if (error instanceof ShuttingDown || error instanceof Overloaded) return
  const cause = error instanceof ResourceUnavailable ? error.cause : error
  if (!outageLog.record(cause, { request })) log.warn({ err: error, request }, 'not available')
}

/** Writes the log line and the metrics of a request. The query is left out, because it may hold a token. */
function observe(ctx: Context, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.url ?? 'none'
  const status = reply.statusCode
  const ms = Math.round(reply.elapsedTime * 1000) / 1000
  ctx.metrics.requests.observe({ method: request.method, route, status }, ms / 1000)
  const { id, method, url, caller } = request
  ctx.log.answered({ request: id, method, path: url.split('?', 1)[0] ?? '', status, ms, caller })
}

/** Returns a generator of request ids. A random prefix makes them unique across processes, and the rest is a counter of
 * fixed width, so that ids of a process sort by age. */
function requestIds({ random }: Context): () => string {
  const prefix = random.hex(5)
  let count = 0
  return () => `${prefix}-${(count++).toString(36).padStart(7, '0')}`
}
