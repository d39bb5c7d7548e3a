import type { RequestBody } from 'feria/client'
import { openClient, type ServerOptions } from '../client/client.ts'
import { alignColumns, type Output } from '../frame/output.ts'

const path = '/operator/sandbox/triggers'

type TriggerSite = NonNullable<RequestBody<'/operator/sandbox/triggers/{name}', 'post'>['site_id']>
type TriggerOptions = ServerOptions & { topic: string; application?: number; site?: TriggerSite }

/** `feria trigger NAME|list`: makes an event happen. Applications are notified as of any other event. */
export async function triggerCommand(
  { topic: name, application, site, ...options }: TriggerOptions,
  out: Output,
): Promise<undefined> {
  const client = openClient(options)
  if (name === 'list') {
    const { triggers } = await client.call('GET', path)
    return out.printResult(triggers, () =>
      alignColumns(triggers.map((trigger) => [trigger.name, trigger.tells])),
    )
  }
  const outcome = await client.call('POST', `${path}/{name}`, {
    path: { name },
    body: { application_id: application, site_id: site },
  })
  out.print(`${name}: ${outcome.tells}`)
  for (const step of outcome.steps) out.print(`  ${step}`)
  out.printResult(outcome, () => [
    ...alignColumns(
      Object.entries(outcome.made).map(([entity, id]) => [`  ${entity}`, String(id)]),
    ),
    ...(outcome.undo ? [`  to undo it: ${outcome.undo.method} ${outcome.undo.path}`] : []),
    outcome.topic === null
      ? `not notified: ${outcome.resource}`
      : `notified: ${outcome.topic} ${outcome.resource}`,
  ])
}
