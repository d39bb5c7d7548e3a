import { Type } from 'typebox'
import { OrNull, Site, Timestamp } from '../kernel/schema.ts'
import { moderationReasons } from '../moderation/reason.ts'
import { substatuses } from './conversation.ts'
import { messageStatuses, moderationStatuses } from './message.ts'

const UserId = Type.Integer()

const Dates = Type.Object({
  received: Timestamp,
  available: OrNull(Timestamp),
  notified: OrNull(Timestamp),
  created: Timestamp,
  read: OrNull(Timestamp),
})

const ModerationView = Type.Object({
  status: Type.Enum([...moderationStatuses]),
  reason: OrNull(Type.Enum([...moderationReasons])),
  source: OrNull(Type.String()),
  moderation_date: OrNull(Timestamp),
})

const AttachmentView = Type.Object({
  filename: Type.String({ description: 'The attachment id. Use it to download the file.' }),
  original_filename: Type.String(),
  type: Type.String({ description: 'Media type of the file', examples: ['image/png'] }),
  size: Type.Integer({ description: 'Size in bytes.' }),
  potential_security_threat: Type.Boolean(),
  creation_date: Timestamp,
})

/** A message in the new format. */
export const MessageAnswer = Type.Object({
  id: Type.String(),
  site_id: Site,
  client_id: OrNull(Type.Integer()),
  from: Type.Object({ user_id: UserId }),
  to: Type.Object({ user_id: UserId }),
  status: Type.Enum([...messageStatuses]),
  subject: OrNull(Type.String()),
  text: Type.String(),
  message_date: Dates,
  message_moderation: ModerationView,
  message_attachments: OrNull(Type.Array(AttachmentView)),
  message_resources: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  conversation_first_message: Type.Boolean(),
})

/** The message that an option of the action guide sent, with the name of the buyer. */
export const SentOptionAnswer = Type.Object({
  ...MessageAnswer.properties,
  to: Type.Object({ user_id: UserId, name: Type.String() }),
})

/** A message in the legacy format. */
export const LegacyMessageAnswer = Type.Object({
  message_id: Type.String(),
  date_created: Timestamp,
  date: Timestamp,
  date_received: Timestamp,
  date_available: OrNull(Timestamp),
  date_notified: OrNull(Timestamp),
  date_read: OrNull(Timestamp),
  from: Type.Object({ user_id: UserId }),
  to: Type.Array(Type.Object({ user_id: UserId })),
  subject: OrNull(Type.String()),
  text: Type.Object({ plain: Type.String() }),
  attachments: Type.Array(AttachmentView),
  attachments_validations: Type.Object({
    invalid_size: Type.Array(Type.String()),
    invalid_extension: Type.Array(Type.String()),
    forbidden: Type.Array(Type.String()),
    internal_error: Type.Array(Type.String()),
  }),
  site_id: Site,
  resource: Type.Enum(['orders', 'packs']),
  resource_id: Type.String(),
  status: Type.Enum([...messageStatuses]),
  moderation: Type.Object({
    status: Type.Enum([...moderationStatuses]),
    date_moderated: OrNull(Timestamp),
    source: OrNull(Type.String()),
  }),
})

/** The state of a conversation for the caller. */
export const ConversationStatusAnswer = Type.Object({
  path: Type.String(),
  status: Type.Enum(['active', 'blocked']),
  substatus: OrNull(Type.Enum([...substatuses])),
  status_date: Timestamp,
  status_update_allowed: Type.Boolean(),
  claim_id: OrNull(Type.Integer()),
  shipping_id: OrNull(Type.Integer()),
})

export const ConversationPageAnswer = Type.Object({
  paging: Type.Object({ total: Type.Integer(), offset: Type.Integer(), limit: Type.Integer() }),
  conversation_status: ConversationStatusAnswer,
  messages: Type.Array(MessageAnswer),
  seller_max_message_length: Type.Integer(),
  buyer_max_message_length: Type.Integer(),
})

/** One message in the shape of a page, without the state of a conversation. */
export const SingleMessagePageAnswer = Type.Object({
  paging: Type.Null(),
  conversation_status: Type.Null(),
  messages: Type.Array(MessageAnswer),
})

export const UnreadAnswer = Type.Object({
  user_id: UserId,
  results: Type.Array(Type.Object({ resource: Type.String(), count: Type.Integer() })),
})

const UserIdIn = Type.Union([Type.Integer(), Type.String({ maxLength: 16 })])
const Email = Type.Optional(
  Type.String({
    maxLength: 254,
    description: 'The relay address of the receiver. Read only when `user_id` is 0.',
  }),
)
const Attachments = Type.Optional(
  Type.Array(Type.String({ maxLength: 100 }), {
    maxItems: 25,
    description: 'Ids of uploaded files, at most 25.',
  }),
)

const MessageText = Type.String({
  maxLength: 3_500,
  description: 'At most 350 characters from a seller, 3,500 from a buyer.',
})

/** The body of a message. The handler checks the fields itself, because the order of errors is fixed. */
export const SendBody = Type.Object({
  from: Type.Object({ user_id: UserIdIn }),
  to: Type.Object({ user_id: UserIdIn, email: Email }),
  text: MessageText,
  attachments: Attachments,
})

/** The body of a message in the legacy format, which also names the order or pack. */
export const LegacySendBody = Type.Object({
  from: Type.Object({ user_id: UserIdIn }),
  to: Type.Array(
    Type.Object({
      user_id: UserIdIn,
      email: Email,
      resource: Type.Enum(['orders', 'packs']),
      resource_id: UserIdIn,
      site_id: Site,
    }),
    { maxItems: 10 },
  ),
  subject: Type.Optional(
    Type.String({ description: 'The first 200 characters are stored.', maxLength: 1_000 }),
  ),
  text: Type.Object({ plain: MessageText }),
  attachments: Attachments,
})
