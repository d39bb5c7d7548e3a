import type { Topic } from '../../kernel/topics.ts'
import type { StageSite } from './names.ts'
import type { Stage } from './stage.ts'

/** The outcome of a trigger. */
export interface Played {
  /** The topic of the last notification, or null. */
  topic: Topic | null
  /** The resource that it made or changed, as notifications name it. */
  resource: string
  /** The operator's call that reverts it, if there is one. */
  undo?: { method: 'POST'; path: string }
}

/** An event or scenario that can be triggered. */
export interface Trigger {
  tells: string
  /** The only site on which it works. */
  only?: StageSite
  play(stage: Stage): Promise<Played>
}
