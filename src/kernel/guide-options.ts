/** The reasons for which a seller may begin a conversation (contract 2.9). */
export const guideOptions = [
  'REQUEST_VARIANTS',
  'REQUEST_BILLING_INFO',
  'SEND_INVOICE_LINK',
  'DELIVERY_PROMISE',
  'OTHER',
] as const
export type GuideOption = (typeof guideOptions)[number]

/** How many messages each option allows in one conversation. */
export type GuideCaps = Readonly<Record<GuideOption, number>>
