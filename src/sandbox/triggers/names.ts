import { type Topic, topics } from '../../kernel/topics.ts'

/** Scenarios that can be triggered, besides the topics. */
export const scenarioNames = [
  'fraud_alert',
  'fraud_after_payment',
  'partial_payment',
  'cancelled_after_label',
  'claim_opened_and_closed',
  'message_moderated',
  'catalog_change',
] as const
export type ScenarioName = (typeof scenarioNames)[number]

export type TriggerName = Topic | ScenarioName
export const triggerNames: readonly TriggerName[] = [...topics, ...scenarioNames]

/** Sites on which triggers work. */
export const triggerSites = ['MLA', 'MLB', 'MLC'] as const
export type TriggerSite = (typeof triggerSites)[number]
