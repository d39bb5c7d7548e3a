import { Type } from 'typebox'
import { timestamp } from '../kernel/clock.ts'
import { OrNull, Timestamp } from '../kernel/schema.ts'
import { sessionEnd } from './session.ts'
import type { OperatorSession } from './store-sessions.ts'

export const SessionAnswer = Type.Object({
  id: Type.String({ description: 'Id of the session', examples: ['6f1d2a90c4b7e835'] }),
  network: Type.String({
    description: 'Network from which it was opened: an IPv4 address, or an IPv6 /64',
    examples: ['203.0.113.7'],
  }),
  user_agent: OrNull(
    Type.String({ description: 'Program that opened it', examples: ['curl/8.5.0'] }),
  ),
  is_current: Type.Boolean({ description: 'Whether this request belongs to it' }),
  date_created: Timestamp,
  last_used: { ...Timestamp, description: 'When it was last used, to the minute' },
  verified_at: {
    ...Timestamp,
    description: 'When the password or a code was last entered, here or at the identity provider',
  },
  expires_at: { ...Timestamp, description: 'When it ends unless it is used before' },
})

/** Returns the view of a session, or nothing if it has expired. */
export function sessionView(
  session: OperatorSession,
  { now, currentId }: { now: Date; currentId?: string | undefined },
): object[] {
  const end = sessionEnd(session)
  if (end <= now) return []
  return [
    {
      id: session.id,
      network: session.network,
      user_agent: session.userAgent,
      is_current: session.id === currentId,
      date_created: timestamp(session.dateCreated),
      last_used: timestamp(session.lastUsedAt),
      verified_at: timestamp(session.verifiedAt),
      expires_at: timestamp(end),
    },
  ]
}
