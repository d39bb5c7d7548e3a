import { writeFileSync } from 'node:fs'
import { openClient, type ServerOptions } from '../client/client.ts'
import type { Output } from '../frame/output.ts'

/** `feria openapi [--out FILE]`: prints or saves the OpenAPI document of the server. */
export async function openapiCommand(
  { out: file, ...options }: ServerOptions & { out?: string },
  out: Output,
): Promise<undefined> {
  const document = await openClient(options).readOpenApi()
  if (file === undefined) {
    return out.write(`${JSON.stringify(document, null, out.isJson ? 0 : 2)}\n`)
  }
  writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`)
  const operations = Object.values(document.paths).flatMap((path) => Object.keys(path))
  const result = { file, openapi: document.openapi, operations: operations.length }
  out.printResult(
    result,
    () => `${file}: OpenAPI ${document.openapi}, ${operations.length} operations`,
  )
}
