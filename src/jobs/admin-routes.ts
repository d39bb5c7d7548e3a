import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import { Type } from 'typebox'
import { baseAddress } from '../http/address.ts'
import { checkUsable, makeBodyCheck } from '../http/check.ts'
import { fileResponse } from '../http/file-response.ts'
import type { OperatorPermission } from '../http/permissions.ts'
import { created, ok, type Route, route } from '../http/route.ts'
import { allSites, siteInQuery } from '../http/site-rule.ts'
import { ImportLineSchema } from '../imports/bodies.ts'
import { timestamp } from '../kernel/clock.ts'
import { badField, Failure } from '../kernel/failure.ts'
import type { OperatorActor } from '../kernel/operator-actor.ts'
import { errorBodies, Id, OrNull, Site, StrictObject, Timestamp } from '../kernel/schema.ts'
import type { Db } from '../platform/database/database.ts'
import {
  cancelJob,
  createJob,
  jobNotFound,
  maxOpenJobs,
  maxOpenJobsOfActor,
  retryJob,
} from './commands.ts'
import { isOpen, type Job, jobKindNames, jobStates, startedJobKindNames } from './job.ts'
import type { JobKind } from './kind.ts'
import { findResultFile, openResultFile } from './result-file.ts'
import { siteOfJob, siteOfNewJob } from './site-rules.ts'
import { findJob, type JobPosition, listJobs } from './store.ts'
import { maxUploadBytes, startImport } from './upload.ts'

const tag = 'Operator: jobs'
const exampleId = '6f1d2a90c4b7e8356f1d2a90'
const params = Type.Object({
  id: Type.String({ maxLength: 100, description: 'Id of the job', examples: [exampleId] }),
})
const notFound = { not_found: `Job not found: ${exampleId}` }

const exampleParameters = {
  filter: { seller_id: 468424240, status: 'active' },
  change: { status: 'paused' },
}

const JobAnswer = Type.Object({
  id: Type.String({ description: 'Id of the job', examples: [exampleId] }),
  kind: Type.String({ examples: ['bulk_listing_change'] }),
  parameters: Type.Object(
    {},
    {
      description: 'What was asked for',
      examples: [exampleParameters],
      additionalProperties: true,
    },
  ),
  state: Type.Enum([...jobStates]),
  total: Type.Integer({ description: 'How much there is to do, as counted at the start' }),
  done: Type.Integer({ description: 'How much of it is done' }),
  result: OrNull(
    Type.Object(
      {},
      {
        description: 'Figures of what was done so far. Null before the first step',
        examples: [{ changed: 41, unchanged: 2, refused: 0, refusals: [] }],
        additionalProperties: true,
      },
    ),
  ),
  has_file: Type.Boolean({
    description: 'Whether the job leaves a file: `GET /operator/jobs/{id}/result`',
  }),
  file_removed: OrNull({
    ...Timestamp,
    description:
      'When the file was deleted, because it might hold a user who was erased since. Null otherwise',
  }),
  error: OrNull(Type.String({ description: 'Why the job failed. Null unless it has' })),
  actor: Type.Object(
    {
      kind: Type.String({ description: 'How the operator signed in', examples: ['token'] }),
      id: OrNull(Id),
      name: OrNull(Type.String()),
    },
    { description: 'Who started the job' },
  ),
  date_created: Timestamp,
  started: OrNull({ ...Timestamp, description: 'When its first step began. Null before' }),
  finished: OrNull({ ...Timestamp, description: 'When it ended. Null before' }),
  expires: OrNull({
    ...Timestamp,
    description: 'When it is deleted with its file. Null before it ends',
  }),
})

type Kinds = readonly JobKind[]

function makePostJob(kinds: Kinds): Route {
  const started = kinds.filter(({ name }) =>
    (startedJobKindNames as readonly string[]).includes(name),
  )
  /** The checks of the body, by kind. The union of the schemas would not name the wrong field. */
  const checks = new Map(
    started.map((kind) => {
      const schema = StrictObject({ kind: Type.Literal(kind.name), parameters: kind.parameters })
      return [kind.name, { kind, check: makeBodyCheck(schema) }]
    }),
  )
  /** Returns the kind and the parameters of a new job. Throws `bad_request`. */
  function readBody(body: unknown): Pick<Job, 'parameters'> & { kind: JobKind } {
    const { kind: name } = checkUsable(body) as { kind?: unknown }
    const { kind, check } = checks.get(String(name)) ?? unknownKind()
    const { parameters } = check(body) as Pick<Job, 'parameters'>
    return { kind, parameters }
  }
  return route({
    method: 'POST',
    url: '/operator/jobs',
    scope: 'operator',
    permission: 'jobs:write',
    sites: siteOfNewJob(readBody),
    audits: 'job',
    tag,
    summary: 'Start a job',
    description: `Creates a job, which runs in the background: follow it with \`GET /operator/jobs/{id}\`. The kind \`bulk_listing_change\` changes all listings of \`filter\` as \`PUT /operator/items/{id}\` does, each once: status, category, price, or several of them. The kind \`reindex\` files listings or orders anew. The kind \`export\` writes the file of an export, and \`personal_data_export\` everything about a user. Each needs the permission of the same work without a job too: 403 \`permission_denied\`. The answer has how much there is to do in \`total\`. At most ${maxOpenJobs} jobs may be open (waiting or running), and ${maxOpenJobsOfActor} of an account or API key; one more gets 409 \`too_many_jobs\`. 400 \`bad_request\`: a field has a wrong value. 404 \`not_found\`: there is no such user.`,
    refuses: {
      bad_request: 'parameters.filter: expected a seller_id, a site_id or a category_id',
      permission_denied: 'exports:download',
      not_found: 'User not found: 468424240',
      too_many_jobs: 'A hundred jobs are open',
    },
    body: StrictObject({
      kind: Type.Enum([...startedJobKindNames], {
        description:
          '`bulk_listing_change` changes all listings of a filter. `reindex` files listings or orders anew. `export` writes the file of an export. `personal_data_export` writes everything about a user',
      }),
      parameters: Type.Union(
        started.map(({ parameters }) => parameters),
        { description: 'What to do, by kind', examples: [exampleParameters] },
      ),
    }),
    checksBodyItself: true,
    answers: { 201: JobAnswer },
    async handle(ctx, { body, headers, operator, permissions }) {
      const { kind, parameters } = readBody(body)
      requirePermission(permissions, kind.permission(parameters))
      const base = baseAddress(ctx.config, headers)
      const job = await createJob(ctx, { kind, parameters, actor: operator, base })
      return created(jobView(job, kinds))
    },
  })
}

const makePostImport = (kinds: Kinds) =>
  route({
    method: 'POST',
    url: '/operator/jobs/import',
    scope: 'operator',
    permission: 'imports:write',
    sites: allSites,
    audits: 'job',
    tag,
    summary: 'Start an import as a job',
    description:
      'Stores the lines of an import, as `POST /operator/import` takes them, and creates the job that imports them. When you get the answer, the file has arrived whole, and the import goes on without you. `total` is the number of its lines. The file of the job has a line for each refused line. If the connection breaks before the answer, nothing was imported: send the file again. At most 20 GiB. 409 `too_many_jobs`: a hundred jobs are open, or twenty of the same account or API key. 409 `job_ended`: somebody cancelled the job while the file arrived. 413 `body_too_large`: the file is larger than that.',
    refuses: {
      too_many_jobs: 'A hundred jobs are open',
      job_ended: 'cancelled',
      body_too_large: `body: expected at most ${maxUploadBytes} bytes`,
    },
    body: ImportLineSchema,
    streams: 'body',
    answers: { 201: JobAnswer },
    async handle(ctx, { bodyStream, operator }) {
      const content = bodyStream ?? Readable.from([])
      return created(jobView(await startImport(ctx, { content, actor: operator }), kinds))
    },
  })

/** Throws `permission_denied` for who may not do the work of the job without a job. */
function requirePermission(
  permissions: ReadonlySet<OperatorPermission>,
  permission: OperatorPermission | undefined,
): void {
  if (permission && !permissions.has(permission)) {
    throw new Failure('permission_denied', permission)
  }
}

const kindOf = (kinds: Kinds, job: Job) => kinds.find(({ name }) => name === job.kind)

const After = Type.String({
  pattern: '^[0-9]{1,15}-[0-9a-f]{24}$',
  examples: [`1773154800000-${exampleId}`],
})

const makeGetJobs = (kinds: Kinds) =>
  route({
    method: 'GET',
    url: '/operator/jobs',
    scope: 'operator',
    permission: 'jobs:read',
    sites: siteInQuery,
    tag,
    summary: 'List jobs',
    description:
      'Returns jobs with their progress, newest first. Send the `next_after` of a page as `after` to read the next one.',
    query: Type.Object({
      kind: Type.Optional(Type.Enum([...jobKindNames], { description: 'Only jobs of this kind' })),
      state: Type.Optional(Type.Enum([...jobStates], { description: 'Only jobs in this state' })),
      site_id: Type.Optional({
        ...Site,
        description: 'Only jobs that read or change this site alone',
      }),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 200, description: 'Jobs per page. Default: 50' }),
      ),
      after: Type.Optional({ ...After, description: '`next_after` of the previous page' }),
    }),
    answers: {
      200: Type.Object({
        jobs: Type.Array(JobAnswer),
        next_after: OrNull({ ...After, description: 'Null on the last page' }),
      }),
    },
    async handle(
      { db },
      { query: { kind = null, state = null, site_id: siteId = null, limit = 50, after } },
    ) {
      const position = after === undefined ? null : positionOf(after)
      const jobs = await listJobs(db, { kind, state, siteId, after: position, limit: limit + 1 })
      const page = jobs.slice(0, limit)
      const last = page.at(-1)
      const nextAfter = jobs.length > limit && last ? positionText(last) : null
      return ok({ jobs: page.map((job) => jobView(job, kinds)), next_after: nextAfter })
    },
  })

const positionText = ({ dateCreated, id }: JobPosition) => `${dateCreated.getTime()}-${id}`

function positionOf(text: string): JobPosition {
  const [ms = '', id = ''] = text.split('-')
  return { dateCreated: new Date(Number(ms)), id }
}

const makeGetJob = (kinds: Kinds) =>
  route({
    method: 'GET',
    url: '/operator/jobs/:id',
    scope: 'operator',
    permission: 'jobs:read',
    sites: siteOfJob,
    tag,
    summary: 'Get a job',
    description:
      'Returns a job: its state, how much of it is done, the figures of its result, and why it failed. 404 `not_found`: there is no such job, or it has expired.',
    refuses: notFound,
    params,
    answers: { 200: JobAnswer },
    async handle({ db }, { params: { id } }) {
      return ok(jobView(await findJobOrFail(db, id), kinds))
    },
  })

const makePostCancel = (kinds: Kinds) =>
  route({
    method: 'POST',
    url: '/operator/jobs/:id/cancel',
    scope: 'operator',
    permission: 'jobs:write',
    sites: siteOfJob,
    audits: 'job',
    tag,
    summary: 'Cancel a job',
    description:
      'Ends a job between two steps: when you get the answer, it does nothing more. What it has done stays, with its figures and its file. 404 `not_found`: there is no such job. 409 `job_ended`: it has ended already. 409 `job_not_cancellable`: it is an erasure. 403 `permission_denied`: you lack the permission to start it.',
    refuses: {
      ...notFound,
      job_ended: 'finished',
      job_not_cancellable: '',
      permission_denied: 'listings:write',
    },
    params,
    answers: { 200: JobAnswer },
    async handle(ctx, { params: { id }, permissions }) {
      const job = await findJobOrFail(ctx.db, id)
      requirePermission(permissions, kindOf(kinds, job)?.permission(job.parameters))
      return ok(jobView(await cancelJob(ctx, id), kinds))
    },
  })

const makePostRetry = (kinds: Kinds) =>
  route({
    method: 'POST',
    url: '/operator/jobs/:id/retry',
    scope: 'operator',
    permission: 'jobs:write',
    sites: siteOfJob,
    audits: 'job',
    tag,
    summary: 'Retry a failed job',
    description:
      'Lets a failed job go on where it stopped. What it has done is not done again. 404 `not_found`: there is no such job. 409 `job_not_failed`: it has not failed. 409 `too_many_jobs`: a hundred jobs are open, or twenty of the same account or API key. 403 `permission_denied`: you lack the permission to start it.',
    refuses: {
      ...notFound,
      job_not_failed: 'finished',
      too_many_jobs: 'A hundred jobs are open',
      permission_denied: 'exports:download',
    },
    params,
    answers: { 200: JobAnswer },
    async handle(ctx, { params: { id }, permissions }) {
      const job = await findJobOrFail(ctx.db, id)
      requirePermission(permissions, kindOf(kinds, job)?.permission(job.parameters))
      return ok(jobView(await retryJob(ctx, id), kinds))
    },
  })

const ResultFile = Type.String({ contentMediaType: 'application/x-ndjson', format: 'binary' })

const makeGetResult = (kinds: Kinds) =>
  route({
    method: 'GET',
    url: '/operator/jobs/:id/result',
    scope: 'operator',
    permission: 'jobs:read',
    sites: siteOfJob,
    tag,
    summary: 'Download the file of a job',
    description:
      'Returns the file of a job that has ended: of a `bulk_listing_change`, one line of JSON for each listing that was changed (`before`, `after`) or refused (`reason`); of an `export` or a `personal_data_export`, the file of that export; of an `import`, one line for each refused line. Send `Range` for a part of it. 403 `permission_denied`: you lack the permission to read the same without a job. 404 `not_found`: there is no such job, its kind leaves no file, or the file was deleted because a user was erased. 409 `job_not_ended`: it waits or runs. 500 `internal_server_error`: the file cannot be read now, try again later.',
    refuses: {
      ...notFound,
      permission_denied: 'exports:download',
      job_not_ended: 'running',
      file_not_accessed: '',
    },
    params,
    headers: Type.Object({
      range: Type.Optional(
        Type.String({ description: 'The part of the file to return, such as `bytes=0-1023`.' }),
      ),
      'if-range': Type.Optional(
        Type.String({ description: '`ETag` of the file that the part belongs to.' }),
      ),
      'if-none-match': Type.Optional(
        Type.String({ description: '`ETag` of the copy that you have.' }),
      ),
    }),
    answers: { 200: ResultFile, 206: ResultFile, 304: Type.Null(), 416: errorBodies.general },
    async handle(ctx, { params: { id }, headers, permissions }) {
      const job = await findJobOrFail(ctx.db, id)
      const kind = kindOf(kinds, job)
      const type = kind?.file?.(job.parameters)
      if (!kind || !type) throw new Failure('not_found', `The job ${id} has no file.`)
      const { permission, filePermission = permission } = kind
      requirePermission(permissions, filePermission(job.parameters))
      if (isOpen(job)) throw new Failure('job_not_ended', job.state)
      if (job.fileRemovedAt) throw new Failure('not_found', removedFile(id))
      const file = await findResultFile(ctx, { kind, job })
      return fileResponse(headers, {
        size: file.size,
        etag: `"${id}-${file.size}"`,
        contentType: type.type,
        contentDisposition: contentDisposition(`${job.kind}-${id}.${type.extension}`),
        open: (part) => openResultFile(ctx, file, part),
      })
    },
  })

const removedFile = (id: string) =>
  `The file of job ${id} was deleted, because it might hold a user who was erased since. Start the job again.`

function unknownKind(): never {
  throw badField('kind', `one of ${startedJobKindNames.join(', ')}`)
}

async function findJobOrFail(db: Db, id: string): Promise<Job> {
  const job = await findJob(db, id)
  if (!job) throw jobNotFound(id)
  return job
}

function jobView(job: Job, kinds: Kinds): object {
  const isKept = kindOf(kinds, job)?.file !== undefined && job.fileRemovedAt === null
  return {
    id: job.id,
    kind: job.kind,
    parameters: job.parameters,
    state: job.state,
    total: job.total,
    done: job.done,
    result: job.result,
    has_file: isKept,
    file_removed: timestamp(job.fileRemovedAt),
    error: job.error,
    actor: actorView(job.actor),
    date_created: timestamp(job.dateCreated),
    started: timestamp(job.startedAt),
    finished: timestamp(job.finishedAt),
    expires: timestamp(job.expiresAt),
  }
}

function actorView(actor: OperatorActor): object {
  return {
    kind: actor.kind,
    id: 'id' in actor ? actor.id : null,
    name: 'name' in actor ? actor.name : null,
  }
}

/** Returns the operations of jobs of these kinds. */
export function makeJobRoutes(kinds: Kinds): Route[] {
  return [
    makePostJob(kinds),
    makePostImport(kinds),
    makeGetJobs(kinds),
    makeGetJob(kinds),
    makePostCancel(kinds),
    makePostRetry(kinds),
    makeGetResult(kinds),
  ]
}
