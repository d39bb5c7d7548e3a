import { writeFileSync } from 'node:fs'
import { openClient, type ServerOptions, withQuery } from '../client/client.ts'
import { UsageFailure } from '../frame/failure.ts'
import type { Output } from '../frame/output.ts'

type ExportDeliveryOptions = ServerOptions & {
  delivery?: string
  application: number
  resource?: string
  topic?: string
  'sign-with'?: string
  out?: string
}

/** `feria deliveries export [ID]`: writes a delivery as a fixture for tests. */
export async function exportDeliveryCommand(
  { delivery: id, application, resource, topic, out: file, ...options }: ExportDeliveryOptions,
  out: Output,
): Promise<undefined> {
  if ((id === undefined) === (resource === undefined)) {
    throw new UsageFailure('Give either ID (of the notification) or --resource.')
  }
  const path = `/operator/applications/${application}/deliveries/export`
  const query = { id, resource, topic, sign_with: options['sign-with'] }
  const fixture = await openClient(options).call('GET', withQuery(path, query))
  if (file === undefined) {
    return out.write(`${JSON.stringify(fixture, null, out.isJson ? 0 : 2)}\n`)
  }
  writeFileSync(file, `${JSON.stringify(fixture, null, 2)}\n`)
  out.printResult({ file, id: fixture.id }, () => `${file}: ${fixture.topic} ${fixture.resource}`)
}
