/** Where a message is on its way (contract 3.2). */
export const messageStatuses = [
  'available',
  'moderated',
  'rejected',
  'pending_translation',
] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** A message between the parties of a pack (contract 2.10). */
export interface Message {
  /** 32 hex digits. */
  id: string
  sellerId: number
  buyerId: number
  /** A pack, or an order that is in none. */
  packId: number
  fromId: number
  toId: number
  text: string
  status: MessageStatus
  dateCreated: Date
  dateRead: Date | null
}
