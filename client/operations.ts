import type { Client } from 'openapi-fetch'
import type { paths } from './types/schema.ts'

/** All operations, typed: `feria.GET('/orders/{order_id}', { params: { path: { order_id } } })`. */
export type Feria = Client<paths>

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The paths that have an operation of this method. */
export type PathOf<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, object> ? Path : never
}[keyof paths]

/** The operation of a method at a path. Of several paths, the union of their operations. */
type OperationOf<Path extends keyof paths, M extends Method> = Path extends keyof paths
  ? paths[Path] extends Record<M, infer Operation>
    ? Operation
    : never
  : never

/** The JSON of a message, or of one line of it. */
type JsonIn<Message> = Message extends { content: { 'application/json': infer Json } }
  ? Json
  : Message extends { content: { 'application/x-ndjson': infer Line } }
    ? Line
    : undefined

type SuccessStatus = 200 | 201 | 202 | 204 | 206

type SuccessIn<Responses> = Responses extends unknown
  ? { [Status in keyof Responses & SuccessStatus]: JsonIn<Responses[Status]> }[keyof Responses &
      SuccessStatus]
  : never

/** The JSON body of a successful response; undefined for a response without one. */
export type ResponseBody<Path extends keyof paths, M extends Method> =
  OperationOf<Path, M> extends { responses: infer Responses } ? SuccessIn<Responses> : never

/** The JSON body of a request; never for an operation without one. */
export type RequestBody<Path extends keyof paths, M extends Method> =
  OperationOf<Path, M> extends { requestBody?: infer Body }
    ? Exclude<JsonIn<NonNullable<Body>>, undefined>
    : never

/** The path parameters of an operation; never for one without. */
export type PathParametersOf<Path extends keyof paths, M extends Method> =
  OperationOf<Path, M> extends { parameters: { path: infer Parameters } } ? Parameters : never

/** The query parameters of an operation, of GET by default. */
export type QueryOf<Path extends keyof paths, M extends Method = 'get'> =
  OperationOf<Path, M> extends { parameters: { query?: infer Query } } ? NonNullable<Query> : never
