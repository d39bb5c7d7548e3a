import { Type } from 'typebox'
import { nothing, ok, type Route, route } from '../../http/route.ts'
import { timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { Timestamp } from '../../kernel/schema.ts'
import { loadSnapshot, removeSnapshot, saveSnapshot } from './commands.ts'
import { listSnapshots, type Snapshot } from './store.ts'

const tag = 'Operator: sandbox'
const url = '/operator/sandbox/snapshots'
const Name = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,59}$', description: 'as you like' })
const params = Type.Object({ name: Name })
const Count = Type.Integer({ minimum: 0 })

const SnapshotAnswer = Type.Object({
  name: Name,
  world_time: { ...Timestamp, description: 'what time it was in there' },
  schema_step: Count,
  tables: Count,
  rows: Count,
  bytes: Count,
  files: Count,
  ms: { ...Count, description: 'how long saving took' },
})

function view({ name, worldTime, step, tables, rows, bytes, files, ms }: Snapshot): object {
  const size = { tables: tables.length, rows, bytes, files }
  return { name, world_time: timestamp(worldTime), schema_step: step, ...size, ms }
}

const getSnapshots = route({
  method: 'GET',
  url,
  scope: 'operator',
  tag,
  summary: 'The worlds that are kept',
  answers: { 200: Type.Object({ snapshots: Type.Array(SnapshotAnswer) }) },
  async handle({ db, config }) {
    if (config.mode !== 'sandbox') throw new Failure('sandbox_only')
    return ok({ snapshots: (await listSnapshots(db)).map(view) })
  },
})

const putSnapshot = route({
  method: 'PUT',
  url: `${url}/:name`,
  scope: 'operator',
  tag,
  summary: 'Keep the whole world as it is now',
  description:
    'In sandbox mode only. Everything in the database, at one moment, and the files of attachments. Work goes on meanwhile. In the place of the one of the same name.',
  params,
  answers: { 200: SnapshotAnswer },
  async handle(ctx, { params: { name } }) {
    if (ctx.config.mode !== 'sandbox') throw new Failure('sandbox_only')
    return ok(view(await saveSnapshot(ctx, name)))
  },
})

const postLoad = route({
  method: 'POST',
  url: `${url}/:name/load`,
  scope: 'operator',
  tag,
  summary: 'Go back to a world that was kept',
  description:
    'In sandbox mode only. Everything is as it was, the time in there included; what has come since is gone, access tokens too. Whole or not at all; whoever asks meanwhile waits. One of another schema is refused.',
  params,
  answers: {
    200: Type.Object({
      ...SnapshotAnswer.properties,
      loaded_in_ms: { ...Count, description: 'how long loading took' },
    }),
  },
  async handle(ctx, { params: { name } }) {
    if (ctx.config.mode !== 'sandbox') throw new Failure('sandbox_only')
    const { snapshot, ms } = await loadSnapshot(ctx, name)
    return ok({ ...view(snapshot), loaded_in_ms: ms })
  },
})

const removeOne = route({
  method: 'DELETE',
  url: `${url}/:name`,
  scope: 'operator',
  tag,
  summary: 'Keep one no longer',
  params,
  answers: { 204: Type.Null() },
  async handle(ctx, { params: { name } }) {
    if (ctx.config.mode !== 'sandbox') throw new Failure('sandbox_only')
    await removeSnapshot(ctx, name)
    return nothing()
  },
})

export const snapshotRoutes: Route[] = [getSnapshots, putSnapshot, postLoad, removeOne]
