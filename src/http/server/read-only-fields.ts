import type { FastifyRequest } from 'fastify'
import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import { noFiles } from '../bodies/forms.ts'
import type { IgnoredNames } from '../input.ts'
import type { InputReader } from '../input-reader.ts'
import { networkOf } from '../network.ts'
import type { Route, RouteInput, RouteResponse, Scope } from '../route.ts'

/** Reports read-only fields of the body that differ from the stored resource as ignored. The operator is exempt,
 * because the resource may have changed since it was read. */
export async function reportReadOnlyFields(
  ctx: Context,
  {
    input: { resource },
    request: { body, caller, headers, ip, routeOptions },
    params,
    ignored,
  }: { input: InputReader; request: FastifyRequest; params: unknown; ignored: IgnoredNames },
): Promise<void> {
  if (!resource?.read || routeOptions.config.isOperators) return
  const { fields, read } = resource
  if (fields.changedIn(body, undefined).size === 0) return
  const { 'if-none-match': _, ...unconditional } = headers
  const parsed = {
    params,
    caller,
    operator: undefined,
    sites: null,
    permissions: undefined,
    operationPermissions: new Map(),
    query: {},
    body: undefined,
    ignore: () => {},
    headers: unconditional,
    network: networkOf(ip),
    signal: new AbortController().signal,
    bodyStream: undefined,
    files: noFiles,
  } as RouteInput<unknown, unknown, unknown, Scope>
  const stored = await readStoredBody(() =>
    read.handle(ctx, parsed as Parameters<Route['handle']>[1]),
  )
  if (stored === undefined) return
  for (const name of fields.changedIn(body, stored)) ignored.addReadOnly(name)
}

/** Returns the stored resource as its readers get it. Undefined if the read is refused, because the change is then
 * refused as well. */
async function readStoredBody(read: () => Promise<RouteResponse>): Promise<unknown> {
  try {
    const { text, body } = await read()
    return JSON.parse(text ?? JSON.stringify(body))
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
