import type { Topic } from '../../kernel/topics.ts'
import type { TriggerFixtures } from './fixtures.ts'
import type { TriggerSite } from './names.ts'

/** The outcome of a trigger. */
export interface TriggerResult {
  /** The topic of the last notification, or null. */
  topic: Topic | null
  /** The resource that it made or changed, as notifications name it. */
  resource: string
  /** The operator's call that reverts it, if there is one. */
  undo?: { method: 'POST'; path: string }
}

/** An event or scenario that can be triggered. */
export interface Trigger {
  description: string
  /** The only site on which it works. */
  onlySite?: TriggerSite
  run(fixtures: TriggerFixtures): Promise<TriggerResult>
}
