import type { Topic } from '../../kernel/topics.ts'
import { demoApplication } from '../../sandbox/demo/world.ts'
import { clientOf, inWords } from '../client.ts'
import { say } from '../database.ts'
import { readCount, readOptions, UsageFailure } from '../usage.ts'
import { type Scene, scenes } from './scenes.ts'
import { Stage } from './stage.ts'

/** `feria trigger TOPIC|list`: makes the thing itself happen, through the interface; whoever is to be
 * told is told of it as of anything. */
export async function triggerCommand([wanted, ...args]: string[]): Promise<void> {
  const options = readOptions(args, { server: 'text', application: 'text' })
  if (wanted === 'list') return list()
  const scene = (scenes as Record<string, Scene | undefined>)[wanted ?? '']
  if (!scene) {
    throw new UsageFailure(
      `There is no topic "${wanted ?? ''}" to trigger. Run: feria trigger ${Object.keys(scenes).join('|')}|list`,
    )
  }
  const client = clientOf(options)
  const given = readCount('application', options.application, Number.MAX_SAFE_INTEGER)
  await inWords(client, async () => {
    // Refused where it is no sandbox: what is made up does not belong anywhere else.
    await client.call('GET', '/operator/sandbox/receiver-faults')
    say(`${wanted}: ${scene.tells}`)
    const resource = await scene.play(new Stage(client, given ?? demoApplication.id, say))
    say(`told on ${wanted}: ${resource}`)
  })
}

function list(): void {
  for (const [topic, { tells }] of Object.entries(scenes) as [Topic, Scene][]) {
    say(`${topic.padEnd(16)}${tells}`)
  }
}
