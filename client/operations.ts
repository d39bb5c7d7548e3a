import type { Client } from 'openapi-fetch'
import type { paths } from './types/schema.ts'

/** Every operation, typed: `feria.GET('/orders/{order_id}', { params: { path: { order_id } } })`. */
export type Feria = Client<paths>

/** The query that reading at a path takes. */
export type QueryOf<Path extends keyof paths> = paths[Path] extends {
  get: { parameters: { query?: infer Query } }
}
  ? NonNullable<Query>
  : never
