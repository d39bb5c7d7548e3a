import { writeFileSync } from 'node:fs'
import { clientOf, type ServerOptions } from '../client.ts'
import type { Output } from '../frame/output.ts'

/** `feria openapi [--out FILE]`: the description of the interface, as the server gives it. */
export async function openapiCommand(
  { out: file, ...options }: ServerOptions & { out?: string },
  out: Output,
): Promise<undefined> {
  const document = await clientOf(options).call('GET', '/openapi.json')
  if (file === undefined) {
    return out.write(`${JSON.stringify(document, null, out.isJson ? 0 : 2)}\n`)
  }
  writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`)
  const operations = Object.values(document.paths).flatMap((each) => Object.keys(each as object))
  const told = { file, openapi: document.openapi, operations: operations.length }
  out.show(told, () => `${file}: OpenAPI ${document.openapi}, ${operations.length} operations`)
}
