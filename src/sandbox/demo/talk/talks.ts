import type { Random } from '../random.ts'
import type { Sale } from '../sale.ts'
import { talksElsewhere } from './elsewhere.ts'
import { namedTalks } from './named.ts'
import { type DemoTalk, type MessageScenario, MessageThread } from './talk.ts'
import { usually } from './usual.ts'

/** By the name of the sale that is told by it. */
export const talks: Readonly<Record<string, MessageScenario>> = { ...namedTalks, ...talksElsewhere }

/** Of how many of the sales that are drawn something is said: enough to meet one on every page, and
 * few enough for a large world to be made as fast as without. */
const talkedShare = 1 / 12

interface About {
  random: Random
  now: Date
  applicationId: number
}

/** What is said of the one sale of a scenario that is told by its name. */
export function namedTalk(sale: Sale, name: string, about: About): DemoTalk | undefined {
  const story = talks[name]
  if (!story) return undefined
  const talk = new MessageThread(sale, about)
  story(talk)
  return talk.tell()
}

/** What is said of a sale that was drawn, if anything is. */
export function drawnTalk(sale: Sale, about: About): DemoTalk | undefined {
  if (!about.random.chance(talkedShare)) return undefined
  const talk = new MessageThread(sale, about)
  if (!talk.span) return undefined
  usually(talk)
  return talk.tell()
}
