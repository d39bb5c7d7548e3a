import type { Topic } from '../../kernel/topics.ts'
import type { StageSite } from './names.ts'
import type { Stage } from './stage.ts'

/** What a scene comes to. */
export interface Played {
  /** On which topic is told of it at last; null where nobody is told. */
  topic: Topic | null
  /** What it made or changed, as notifications name it. */
  resource: string
  /** The operator's call that takes it back, where there is one. */
  undo?: { method: 'POST'; path: string }
}

/** Something that can be made to happen. */
export interface Trigger {
  tells: string
  /** The only site where such things happen. */
  only?: StageSite
  play(stage: Stage): Promise<Played>
}
