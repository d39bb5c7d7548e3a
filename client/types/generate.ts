import { writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'
import { routes } from '../../src/app/routes.ts'
import { documentOf } from '../../src/http/reference/openapi.ts'

/** Writes the types of `feria/client` from the operations: `npm run types`. */
const head =
  '// Written by client/types/generate.ts from the OpenAPI document; not kept in the repository.\n'
const document = await documentOf(routes)
const types = astToString(
  await openapiTS(structuredClone(document) as Parameters<typeof openapiTS>[0]),
)
writeFileSync(new URL('./schema.ts', import.meta.url), head + types)
