import { writeFileSync } from 'node:fs'
import type { QueryOf } from 'feria/client'
import { openClient, type ServerOptions } from '../client/client.ts'
import { UsageFailure } from '../frame/failure.ts'
import type { Output } from '../frame/output.ts'

const path = '/operator/applications/{application_id}/deliveries/export'

type ExportDeliveryOptions = ServerOptions & {
  delivery?: string
  application: number
  resource?: string
  topic?: NonNullable<QueryOf<typeof path>['topic']>
  'sign-with'?: NonNullable<QueryOf<typeof path>['sign_with']>
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
  const fixture = await openClient(options).call('GET', path, {
    path: { application_id: application },
    query: { id, resource, topic, sign_with: options['sign-with'] },
  })
  if (file === undefined) {
    return out.write(`${JSON.stringify(fixture, null, out.isJson ? 0 : 2)}\n`)
  }
  writeFileSync(file, `${JSON.stringify(fixture, null, 2)}\n`)
  out.printResult({ file, id: fixture.id }, () => `${file}: ${fixture.topic} ${fixture.resource}`)
}
