import type { Client } from 'openapi-fetch'
import type { paths } from './types/schema.ts'

/** All operations, typed: `feria.GET('/orders/{order_id}', { params: { path: { order_id } } })`. */
export type Feria = Client<paths>

/** The query parameters of GET at a path. */
export type QueryOf<Path extends keyof paths> = paths[Path] extends {
  get: { parameters: { query?: infer Query } }
}
  ? NonNullable<Query>
  : never
