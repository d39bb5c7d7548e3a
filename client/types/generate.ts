import { writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'
import { routes } from '../../src/app/routes.ts'
import { documentOf } from '../../src/http/reference/openapi.ts'

/**
 * Writes the types of the HTTP interface from its operations: `npm run types`. The client, the console, the command
 * line and tests take them from here.
 */
const head =
  '// Written by client/types/generate.ts from the OpenAPI document; not kept in the repository.\n'
const document = await documentOf(routes)
const types = astToString(
  await openapiTS(structuredClone(document) as Parameters<typeof openapiTS>[0], {
    // An object without listed fields may have any. The default says that it has none.
    emptyObjectsUnknown: true,
  }),
)
writeFileSync(new URL('./schema.ts', import.meta.url), head + types)
