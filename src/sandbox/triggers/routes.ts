import { Type } from 'typebox'
import { created, ok, type Route, route } from '../../http/route.ts'
import { allSites } from '../../http/site-rule.ts'
import { findApplication } from '../../identity/store.ts'
import { unaudited } from '../../kernel/audit.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { Id, MapOf, OrNull, StrictObject } from '../../kernel/schema.ts'
import { demoApplication } from '../demo/ids.ts'
import { TriggerFixtures } from './fixtures.ts'
import { type TriggerName, triggerNames, triggerSites } from './names.ts'
import { scenarioTriggers } from './scenarios.ts'
import { topicTriggers } from './topics.ts'
import type { Trigger } from './trigger.ts'

const tag = 'Operator: sandbox'
const url = '/operator/sandbox/triggers'
const TriggerSiteSchema = Type.Enum([...triggerSites])

const triggers: Readonly<Record<TriggerName, Trigger>> = { ...topicTriggers, ...scenarioTriggers }
const Name = Type.Enum([...triggerNames], {
  description: `A topic or a scenario: ${triggerNames.map((name) => `\`${name}\` (${triggers[name].description})`).join(', ')}`,
})
const Sentence = Type.String({
  description: 'What the trigger makes happen, in one sentence',
  examples: ['a buyer checks out and has not paid yet'],
})

const getTriggers = route({
  method: 'GET',
  url,
  scope: 'operator',
  permission: 'sandbox:read',
  sites: allSites,
  tag,
  summary: 'List triggers',
  description:
    'Returns all topics and scenarios that you can trigger, with what each does and on which sites. Outside a sandbox the answer is 403 `sandbox_only`.',
  refuses: { sandbox_only: '' },
  answers: {
    200: Type.Object({
      triggers: Type.Array(
        Type.Object({
          name: Name,
          tells: Sentence,
          sites: Type.Array(TriggerSiteSchema, {
            description: 'Sites on which it can be triggered',
          }),
        }),
      ),
    }),
  },
  async handle({ config }) {
    if (config.mode !== 'sandbox') throw new Failure('sandbox_only')
    const listed = triggerNames.map((name) => {
      const { description, onlySite } = triggers[name]
      return { name, tells: description, sites: onlySite ? [onlySite] : triggerSites }
    })
    return ok({ triggers: listed })
  },
})

const postTrigger = route({
  method: 'POST',
  url: `${url}/:name`,
  scope: 'operator',
  permission: 'sandbox:write',
  sites: allSites,
  audits: 'trigger',
  tag,
  summary: 'Trigger an event',
  description:
    'Makes an event of a topic happen, or plays a scenario, with a made-up seller and buyer who authorize the application. Applications are notified as usual. `made` has the ids of what was created; `topic` and `resource` are those of the last notification (`topic` is null if there is none); `undo` is the call that reverts it, if there is one. Only sandboxes accept it (`sandbox_only`); an unknown application answers 404 `not_found`. A trigger of one site only (`GET /operator/sandbox/triggers` lists the `sites`) answers 400 `bad_request` with another one.',
  refuses: {
    sandbox_only: '',
    bad_request: 'site_id: expected MLC for quotations',
    not_found: 'Application not found: 3486171129139063',
  },
  params: Type.Object({ name: Name }),
  body: StrictObject({
    application_id: Type.Optional(
      Type.Integer({
        ...Id,
        description:
          'Application that the made-up users authorize, so that it is notified. Default: the demo application',
      }),
    ),
    site_id: Type.Optional(
      Type.Enum([...triggerSites], {
        description:
          'Site on which it happens. Default: the only site of the trigger, or else `MLA`',
      }),
    ),
  }),
  answers: {
    201: Type.Object({
      name: Name,
      tells: Sentence,
      site_id: TriggerSiteSchema,
      topic: OrNull(
        Type.String({ description: 'Topic of the last notification. Null: nobody is notified' }),
      ),
      resource: Type.String({
        description: 'Path of what changed last, which the last notification names',
      }),
      made: MapOf(Type.Union([Type.Integer(), Type.String()]), {
        description: 'Ids of what was created, by kind',
        examples: [{ order_id: 2000003508419013 }],
      }),
      steps: Type.Array(Type.String({ examples: ['order 2000003508419013 is created'] }), {
        description: 'What was done, in order, one sentence each',
      }),
      undo: Type.Optional(
        Type.Object(
          {
            method: Type.String({ examples: ['POST'] }),
            path: Type.String({ examples: ['/operator/catalog/versions/1/activate'] }),
          },
          { description: 'The call that reverts it. Left out if there is none' },
        ),
      ),
    }),
  },
  async handle(ctx, { params: { name }, body }) {
    if (ctx.config.mode !== 'sandbox') throw new Failure('sandbox_only')
    const applicationId = body.application_id ?? demoApplication.id
    if (!(await findApplication(ctx.db, applicationId))) {
      throw new Failure('not_found', `Application not found: ${applicationId}`)
    }
    const trigger = triggers[name]
    const site = body.site_id ?? trigger.onlySite ?? 'MLA'
    if (trigger.onlySite && site !== trigger.onlySite)
      throw badField('site_id', `${trigger.onlySite} for ${name}`)
    ctx.audit.relate('application', applicationId)
    ctx.audit.change({ before: null, after: { application_id: applicationId, site_id: site } })
    // The entry is about the trigger, not about its steps.
    const fixtures = new TriggerFixtures({ ...ctx, audit: unaudited }, { applicationId, site })
    const { topic, resource, undo } = await trigger.run(fixtures)
    const { createdIds, steps } = fixtures
    await ctx.audit.result({ made: createdIds })
    return created({
      name,
      tells: trigger.description,
      site_id: site,
      topic,
      resource,
      made: createdIds,
      steps,
      ...(undo ? { undo } : {}),
    })
  },
})

export const triggerRoutes: Route[] = [getTriggers, postTrigger]
