import { Type } from 'typebox'
import { Failure } from '../../kernel/failure.ts'
import { OrNull, Timestamp } from '../../kernel/schema.ts'
import type { Message } from '../message.ts'
import { MessageAnswer } from '../schemas.ts'
import { messageView } from '../view.ts'

/** A message for the operator: also which rule held it back, and for which part of its text. */
export const ModeratedMessageAnswer = Type.Object({
  ...MessageAnswer.properties,
  finding: OrNull(
    Type.Object({
      rule: Type.String(),
      text: Type.String({ description: 'The part of the text that matched.' }),
      from: Type.Integer({ description: 'Start of the match, in UTF-16 units.' }),
      to: Type.Integer({ description: 'End of the match (exclusive), in UTF-16 units.' }),
    }),
  ),
  option_id: OrNull(Type.String()),
  date_overruled: OrNull(Timestamp),
})

/** Renders a message for the operator, with what moderation found in it. */
export function moderatedMessageView(message: Message): object {
  const { finding, overruledAt } = message.moderation
  return {
    ...messageView(message),
    finding: finding && {
      rule: finding.rule,
      text: message.text.slice(finding.from, finding.to),
      from: finding.from,
      to: finding.to,
    },
    option_id: message.optionId,
    date_overruled: overruledAt?.toISOString() ?? null,
  }
}

/** Parses the cursor of a page that is ordered by date and id, newest first. Without one, the first page. */
export function parseMessageCursor(after: string | undefined): { before: Date; id: string } {
  if (after === undefined) return { before: new Date('9999-12-31T00:00:00.000Z'), id: '' }
  const [, ms, id] = /^(\d{1,16})-([0-9a-f]{32})$/.exec(after) ?? []
  if (ms === undefined || id === undefined) {
    throw new Failure('bad_request', 'after: expected the `next` of the previous page')
  }
  return { before: new Date(Number(ms)), id }
}
