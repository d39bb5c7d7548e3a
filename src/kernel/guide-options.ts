/** The options of the action guide: the reasons for which a seller may begin a conversation. */
export const guideOptions = [
  'REQUEST_VARIANTS',
  'REQUEST_BILLING_INFO',
  'SEND_INVOICE_LINK',
  'DELIVERY_PROMISE',
  'OTHER',
] as const
export type GuideOption = (typeof guideOptions)[number]

/** The number of messages that each option allows in one conversation. */
export type GuideCaps = Readonly<Record<GuideOption, number>>
