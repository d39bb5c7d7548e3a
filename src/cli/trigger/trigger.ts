import { demoApplication } from '../../sandbox/demo/world.ts'
import { clientOf, type ServerOptions } from '../client.ts'
import { columns, type Output } from '../frame/output.ts'
import { type Scene, scenes } from './scenes.ts'
import { Stage } from './stage.ts'

/** `feria trigger TOPIC|list`: makes the thing itself happen, through the interface; whoever is to be
 * told is told of it as of anything. */
export async function triggerCommand(
  { topic, application, ...options }: ServerOptions & { topic: string; application?: number },
  out: Output,
): Promise<undefined> {
  if (topic === 'list') return list(out)
  const scene = (scenes as Record<string, Scene>)[topic] as Scene
  const client = clientOf(options)
  // Refused where it is no sandbox: what is made up does not belong anywhere else.
  await client.call('GET', '/operator/sandbox/receiver-faults')
  out.say(`${topic}: ${scene.tells}`)
  const resource = await scene.play(new Stage(client, application ?? demoApplication.id, out.say))
  out.show({ topic, resource }, () => `told on ${topic}: ${resource}`)
}

function list(out: Output): undefined {
  const told = Object.entries(scenes).map(([topic, { tells }]) => ({ topic, tells }))
  out.show(told, () => columns(told.map(({ topic, tells }) => [topic, tells])))
}
