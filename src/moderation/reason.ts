/** Reasons why a message is not shown to its receiver. */
export const moderationReasons = [
  'OUT_OF_PLACE_LANGUAGE',
  'SOCIAL_NETWORK_LINK',
  'LINK_SHORT_URL',
  'AUTOMATIC_MESSAGE',
  'PERSONAL_DATA',
  'LINK_PLATFORMPAY',
  'PLATFORM_LINKS_EXTERNALPAY',
  'EVASION_CLAIM_SELLER',
] as const
export type ModerationReason = (typeof moderationReasons)[number]

/** Reasons that a term of the operator may have. AUTOMATIC_MESSAGE depends on copies, not on words. */
export const termReasons: readonly ModerationReason[] = moderationReasons.filter(
  (reason) => reason !== 'AUTOMATIC_MESSAGE',
)

export type Writer = 'seller' | 'buyer'
