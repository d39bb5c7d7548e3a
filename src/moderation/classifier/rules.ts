import type { MessageClass } from './model.ts'

/** Ids of what the classifier holds back without a match of a rule, by reason. They are stored with messages. */
export const classifierRules: Readonly<Record<Exclude<MessageClass, 'clean'>, string>> = {
  OUT_OF_PLACE_LANGUAGE: 'classifier.language',
  EVASION_CLAIM_SELLER: 'classifier.claim',
  LINK_PLATFORMPAY: 'classifier.platformpay',
  PLATFORM_LINKS_EXTERNALPAY: 'classifier.payment',
  LINK_SHORT_URL: 'classifier.short-link',
  SOCIAL_NETWORK_LINK: 'classifier.network',
  PERSONAL_DATA: 'classifier.personal-data',
}
