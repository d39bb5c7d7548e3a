import { Type } from 'typebox'
import { Timestamp } from '../../kernel/schema.ts'
import { noteKinds, type QueueEvent } from './store.ts'

export const QueueEventAnswer = Type.Object({
  at: { ...Timestamp, description: 'When it happened' },
  kind: Type.Enum([...noteKinds], {
    description: 'What happened to deliveries',
    examples: ['paused'],
  }),
  details: Type.Object({}, { description: 'Further facts, such as who did it' }),
})

export function queueEventView({ at, kind, details }: QueueEvent): object {
  return { at: at.toISOString(), kind, details }
}
