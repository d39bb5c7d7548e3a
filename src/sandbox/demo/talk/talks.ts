import type { Random } from '../random.ts'
import type { Sale } from '../sale.ts'
import { talksElsewhere } from './elsewhere.ts'
import { namedTalks } from './named.ts'
import { type DemoTalk, type MessageScenario, MessageThread } from './talk.ts'
import { usually } from './usual.ts'

/** All conversations by the name of their scenario. */
export const talks: Readonly<Record<string, MessageScenario>> = { ...namedTalks, ...talksElsewhere }

/** The share of drawn sales with a conversation: enough for one on every page, few enough not to slow down seeding. */
const talkedShare = 1 / 12

interface ConversationContext {
  random: Random
  now: Date
  applicationId: number
}

/** Returns the conversation of the first sale of a scenario, if it has one. */
export function namedTalk(
  sale: Sale,
  name: string,
  context: ConversationContext,
): DemoTalk | undefined {
  const script = talks[name]
  if (!script) return undefined
  const talk = new MessageThread(sale, context)
  script(talk)
  return talk.tell()
}

/** Returns the conversation of a drawn sale, for some of them. */
export function drawnTalk(sale: Sale, context: ConversationContext): DemoTalk | undefined {
  if (!context.random.chance(talkedShare)) return undefined
  const talk = new MessageThread(sale, context)
  if (!talk.span) return undefined
  usually(talk)
  return talk.tell()
}
