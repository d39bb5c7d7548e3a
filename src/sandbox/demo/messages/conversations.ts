import type { SeededRandom } from '../random.ts'
import type { DemoSale } from '../sale.ts'
import {
  ConversationBuilder,
  type DemoConversation,
  type MessageScenario,
} from './conversation-builder.ts'
import { namedConversations } from './named-conversations.ts'
import { otherConversations } from './other-conversations.ts'
import { addUsualMessages } from './usual-messages.ts'

/** All conversations by the name of their scenario. */
export const conversationScenarioSteps: Readonly<Record<string, MessageScenario>> = {
  ...namedConversations,
  ...otherConversations,
}

/** The share of drawn sales with a conversation: enough for one on every page, few enough not to slow down seeding. */
const talkedShare = 1 / 12

interface ConversationContext {
  random: SeededRandom
  now: Date
  applicationId: number
}

/** Returns the conversation of the first sale of a scenario, if it has one. */
export function namedConversation(
  sale: DemoSale,
  name: string,
  context: ConversationContext,
): DemoConversation | undefined {
  const script = conversationScenarioSteps[name]
  if (!script) return undefined
  const talk = new ConversationBuilder(sale, context)
  script(talk)
  return talk.build()
}

/** Returns the conversation of a drawn sale, for some of them. */
export function drawConversation(
  sale: DemoSale,
  context: ConversationContext,
): DemoConversation | undefined {
  if (!context.random.chance(talkedShare)) return undefined
  const talk = new ConversationBuilder(sale, context)
  if (!talk.span) return undefined
  addUsualMessages(talk)
  return talk.build()
}
