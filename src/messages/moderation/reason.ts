/** Why a message is not shown to its receiver (contract 2.10). */
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

/** Those for which the operator may refuse words and domains: copies are found otherwise. */
export const termReasons: readonly ModerationReason[] = moderationReasons.filter(
  (reason) => reason !== 'AUTOMATIC_MESSAGE',
)

export type Writer = 'seller' | 'buyer'
