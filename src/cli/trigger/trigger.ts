import { clientOf, type Json, type ServerOptions } from '../client.ts'
import { columns, type Output } from '../frame/output.ts'

const path = '/operator/sandbox/triggers'

type Trigger = ServerOptions & { topic: string; application?: number; site?: string }

/** `feria trigger NAME|list`: makes the thing itself happen; whoever is to be told is told of it as of
 * anything. */
export async function triggerCommand(
  { topic: name, application, site, ...options }: Trigger,
  out: Output,
): Promise<undefined> {
  const client = clientOf(options)
  if (name === 'list') {
    const { triggers } = await client.call('GET', path)
    return out.show(triggers, () => columns(triggers.map((one: Json) => [one.name, one.tells])))
  }
  const body = {
    ...(application === undefined ? {} : { application_id: application }),
    ...(site === undefined ? {} : { site_id: site }),
  }
  const played = await client.call('POST', `${path}/${name}`, { body })
  out.say(`${name}: ${played.tells}`)
  for (const step of played.steps) out.say(`  ${step}`)
  out.show(played, () => [
    ...columns(Object.entries(played.made).map(([what, id]) => [`  ${what}`, String(id)])),
    ...(played.undo ? [`  to take it back: ${played.undo.method} ${played.undo.path}`] : []),
    played.topic === null
      ? `told to nobody: ${played.resource}`
      : `told on ${played.topic}: ${played.resource}`,
  ])
}
