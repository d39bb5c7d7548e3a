import { Type } from 'typebox'
import { noContent, ok, type Route, route } from '../../http/route.ts'
import { allSites } from '../../http/site-rule.ts'
import { timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { Timestamp } from '../../kernel/schema.ts'
import { loadSnapshot, removeSnapshot, saveSnapshot } from './commands.ts'
import { listSnapshots, type Snapshot } from './store.ts'

const tag = 'Operator: sandbox'
const url = '/operator/sandbox/snapshots'
const Name = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,59}$',
  description: 'Name of the snapshot. When you save, choose any; to load or delete, it must exist.',
  examples: ['before-sales'],
})
const params = Type.Object({ name: Name })
const Count = Type.Integer({ minimum: 0 })

const SnapshotAnswer = Type.Object({
  name: Name,
  world_time: { ...Timestamp, description: 'Time of the sandbox when it was saved' },
  schema_step: {
    ...Count,
    description:
      'Step of the database schema: the number of its migrations. It can be loaded at this step only.',
  },
  tables: { ...Count, description: 'Number of tables' },
  rows: { ...Count, description: 'Number of rows' },
  bytes: { ...Count, description: 'Size in the database, in bytes' },
  files: { ...Count, description: 'Number of files of attachments' },
  ms: { ...Count, description: 'how long saving took, in milliseconds' },
})

function view({ name, worldTime, step, tables, rows, bytes, files, ms }: Snapshot): object {
  const size = { tables: tables.length, rows, bytes, files }
  return { name, world_time: timestamp(worldTime), schema_step: step, ...size, ms }
}

const getSnapshots = route({
  method: 'GET',
  url,
  scope: 'operator',
  permission: 'sandbox:read',
  sites: allSites,
  tag,
  summary: 'List snapshots',
  description:
    'Returns all snapshots by name, with their size and time. Outside a sandbox the answer is 403 `sandbox_only`.',
  refuses: { sandbox_only: '' },
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
  permission: 'sandbox:write',
  sites: allSites,
  audits: 'snapshot',
  tag,
  summary: 'Save a snapshot',
  description:
    'A snapshot is a saved sandbox. This saves the whole database at one moment, and the files of attachments. Requests are served meanwhile. A snapshot of the same name is replaced. Only sandboxes accept it (`sandbox_only`); 409 `snapshot_refused`: the database is a cluster, or its role may not create schemas.',
  refuses: {
    sandbox_only: '',
    snapshot_refused: 'Snapshots work on a single database server, not on a cluster.',
  },
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
  permission: 'sandbox:write',
  sites: allSites,
  audits: 'snapshot',
  tag,
  summary: 'Load a snapshot',
  description:
    'Returns the sandbox to the snapshot, including its time. Everything that came after it is lost, access tokens too. Loading is all or nothing, and requests wait meanwhile. Errors: 404 `not_found`, 409 `snapshot_refused` for a snapshot that another version of Feria saved, 403 `sandbox_only`.',
  refuses: {
    sandbox_only: '',
    not_found: 'Snapshot not found: before-sales',
    snapshot_refused:
      'Snapshot before-sales was taken at step 41 of the schema, which is at 42: it can only be loaded there.',
  },
  params,
  answers: {
    200: Type.Object({
      ...SnapshotAnswer.properties,
      loaded_in_ms: { ...Count, description: 'how long loading took, in milliseconds' },
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
  permission: 'sandbox:write',
  sites: allSites,
  audits: 'snapshot',
  tag,
  summary: 'Delete a snapshot',
  description:
    'Deletes a snapshot and its files. An unknown name answers `not_found`. Outside a sandbox the answer is 403 `sandbox_only`.',
  refuses: {
    sandbox_only: '',
    not_found: 'Snapshot not found: before-sales',
  },
  params,
  answers: { 204: Type.Null() },
  async handle(ctx, { params: { name } }) {
    if (ctx.config.mode !== 'sandbox') throw new Failure('sandbox_only')
    await removeSnapshot(ctx, name)
    return noContent()
  },
})

export const snapshotRoutes: Route[] = [getSnapshots, putSnapshot, postLoad, removeOne]
