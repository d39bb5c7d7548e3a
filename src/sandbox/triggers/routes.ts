import { Type } from 'typebox'
import { created, ok, type Route, route } from '../../http/route.ts'
import { findApplication } from '../../identity/store.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { Id, OrNull, Strict } from '../../kernel/schema.ts'
import { demoApplication } from '../demo/world.ts'
import { stageSites, type TriggerName, triggerNames } from './names.ts'
import { scenarios } from './scenarios.ts'
import { Stage } from './stage.ts'
import { topicTriggers } from './topics.ts'
import type { Trigger } from './trigger.ts'

const tag = 'Operator: sandbox'
const url = '/operator/sandbox/triggers'
const Name = Type.Enum([...triggerNames])
const StageSite = Type.Enum([...stageSites])

const triggers: Readonly<Record<TriggerName, Trigger>> = { ...topicTriggers, ...scenarios }

const getTriggers = route({
  method: 'GET',
  url,
  scope: 'operator',
  tag,
  summary: 'What can be made to happen',
  answers: {
    200: Type.Object({
      triggers: Type.Array(
        Type.Object({ name: Name, tells: Type.String(), sites: Type.Array(StageSite) }),
      ),
    }),
  },
  async handle({ config }) {
    if (config.mode !== 'sandbox') throw new Failure('sandbox_only')
    const listed = triggerNames.map((name) => {
      const { tells, only } = triggers[name]
      return { name, tells, sites: only ? [only] : stageSites }
    })
    return ok({ triggers: listed })
  },
})

const postTrigger = route({
  method: 'POST',
  url: `${url}/:name`,
  scope: 'operator',
  tag,
  summary: 'Make something happen: what a topic tells of, or a scenario',
  description:
    'In sandbox mode only. A made-up seller and buyer, who let the application act for them, do it by the same commands as everybody, so that it is told as usual. `made` has the ids of what there is now; `topic` and `resource` are what the last notification names (`topic` is null where nobody is told); `undo` is the call that takes it back, where there is one.',
  params: Type.Object({ name: Name }),
  body: Strict({
    application_id: Type.Optional(Id),
    site_id: Type.Optional(StageSite),
  }),
  answers: {
    201: Type.Object({
      name: Name,
      tells: Type.String(),
      site_id: StageSite,
      topic: OrNull(Type.String()),
      resource: Type.String(),
      made: Type.Object({}),
      steps: Type.Array(Type.String()),
      undo: Type.Optional(Type.Object({ method: Type.String(), path: Type.String() })),
    }),
  },
  async handle(ctx, { params: { name }, body }) {
    if (ctx.config.mode !== 'sandbox') throw new Failure('sandbox_only')
    const applicationId = body.application_id ?? demoApplication.id
    if (!(await findApplication(ctx.db, applicationId))) {
      throw new Failure('not_found', `Application not found: ${applicationId}`)
    }
    const scene = triggers[name]
    const site = body.site_id ?? scene.only ?? 'MLA'
    if (scene.only && site !== scene.only) throw badField('site_id', `${scene.only} for ${name}`)
    const stage = new Stage(ctx, { applicationId, site })
    const { topic, resource, undo } = await scene.play(stage)
    const { made, steps } = stage
    return created({
      name,
      tells: scene.tells,
      site_id: site,
      topic,
      resource,
      made,
      steps,
      ...(undo ? { undo } : {}),
    })
  },
})

export const triggerRoutes: Route[] = [getTriggers, postTrigger]
