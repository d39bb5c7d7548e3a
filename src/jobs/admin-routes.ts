import { create as contentDisposition } from 'content-disposition'
import { Type } from 'typebox'
import { checkUsable, makeBodyCheck } from '../http/check.ts'
import { fileResponse } from '../http/file-response.ts'
import { created, ok, type Route, route } from '../http/route.ts'
import { siteInQuery } from '../http/site-rule.ts'
import { timestamp } from '../kernel/clock.ts'
import { badField, Failure } from '../kernel/failure.ts'
import type { OperatorActor } from '../kernel/operator-actor.ts'
import { errorBodies, Id, OrNull, Site, StrictObject, Timestamp } from '../kernel/schema.ts'
import type { Db } from '../platform/database/database.ts'
import { cancelJob, createJob, jobNotFound, maxOpenJobs, retryJob } from './commands.ts'
import { isOpen, type Job, jobKindNames, jobStates } from './job.ts'
import type { JobKind } from './kind.ts'
import { jobKinds } from './kinds.ts'
import { findResultFile, openResultFile } from './result-file.ts'
import { siteOfJob, siteOfNewJob } from './site-rules.ts'
import { findJob, type JobPosition, listJobs } from './store.ts'

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
const JobBody = StrictObject({
  kind: Type.Enum([...jobKindNames], {
    description:
      '`bulk_listing_change` changes all listings of a filter. `reindex` files listings or orders anew',
  }),
  parameters: Type.Union(
    jobKinds.map(({ parameters }) => parameters),
    { description: 'What to do, by kind', examples: [exampleParameters] },
  ),
})
/** The checks of the body, by kind. The union of `JobBody` would not name the wrong field. */
const bodyChecks = new Map(
  jobKinds.map((kind) => {
    const schema = StrictObject({ kind: Type.Literal(kind.name), parameters: kind.parameters })
    return [kind.name, { kind, check: makeBodyCheck(schema) }]
  }),
)

/** Returns the kind and the parameters of a new job. Throws `bad_request`. */
function readJobBody(body: unknown): { kind: JobKind; parameters: Job['parameters'] } {
  const { kind: name } = checkUsable(body) as { kind?: unknown }
  const { kind, check } = bodyChecks.get(String(name)) ?? unknownKind()
  const { parameters } = check(body) as Pick<Job, 'parameters'>
  return { kind, parameters }
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

const postJob = route({
  method: 'POST',
  url: '/operator/jobs',
  scope: 'operator',
  permission: 'jobs:write',
  sites: siteOfNewJob(readJobBody),
  audits: 'job',
  tag,
  summary: 'Start a job',
  description: `Creates a job, which runs in the background: follow it with \`GET /operator/jobs/{id}\`. The kind \`bulk_listing_change\` changes all listings of \`filter\` as \`PUT /operator/items/{id}\` does, each once: status, category, price, or several of them. The kind \`reindex\` files listings or orders anew. The answer has the number of listings or orders in \`total\`. At most ${maxOpenJobs} jobs may be open (waiting or running); one more gets 409 \`too_many_jobs\`. 400 \`bad_request\`: a field has a wrong value.`,
  refuses: {
    bad_request: 'parameters.filter: expected a seller_id, a site_id or a category_id',
    too_many_jobs: '',
  },
  body: JobBody,
  checksBodyItself: true,
  answers: { 201: JobAnswer },
  async handle(ctx, { body, operator }) {
    const { kind, parameters } = readJobBody(body)
    return created(jobView(await createJob(ctx, { kind, parameters, actor: operator })))
  },
})

const After = Type.String({
  pattern: '^[0-9]{1,15}-[0-9a-f]{24}$',
  examples: [`1773154800000-${exampleId}`],
})

const getJobs = route({
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
    site_id: Type.Optional({ ...Site, description: 'Only jobs that change this site alone' }),
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
    return ok({ jobs: page.map(jobView), next_after: nextAfter })
  },
})

const positionText = ({ dateCreated, id }: JobPosition) => `${dateCreated.getTime()}-${id}`

function positionOf(text: string): JobPosition {
  const [ms = '', id = ''] = text.split('-')
  return { dateCreated: new Date(Number(ms)), id }
}

const getJob = route({
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
    return ok(jobView(await findJobOrFail(db, id)))
  },
})

const postCancel = route({
  method: 'POST',
  url: '/operator/jobs/:id/cancel',
  scope: 'operator',
  permission: 'jobs:write',
  sites: siteOfJob,
  audits: 'job',
  tag,
  summary: 'Cancel a job',
  description:
    'Ends a job between two steps: when you get the answer, it does nothing more. What it has done stays, with its figures and its file. 404 `not_found`: there is no such job. 409 `job_ended`: it has ended already.',
  refuses: { ...notFound, job_ended: 'finished' },
  params,
  answers: { 200: JobAnswer },
  async handle(ctx, { params: { id } }) {
    return ok(jobView(await cancelJob(ctx, id)))
  },
})

const postRetry = route({
  method: 'POST',
  url: '/operator/jobs/:id/retry',
  scope: 'operator',
  permission: 'jobs:write',
  sites: siteOfJob,
  audits: 'job',
  tag,
  summary: 'Retry a failed job',
  description:
    'Lets a failed job go on where it stopped. What it has done is not done again. 404 `not_found`: there is no such job. 409 `job_not_failed`: it has not failed. 409 `too_many_jobs`: a hundred jobs are open.',
  refuses: { ...notFound, job_not_failed: 'finished', too_many_jobs: '' },
  params,
  answers: { 200: JobAnswer },
  async handle(ctx, { params: { id } }) {
    return ok(jobView(await retryJob(ctx, id)))
  },
})

const ResultFile = Type.String({ contentMediaType: 'application/x-ndjson', format: 'binary' })

const getResult = route({
  method: 'GET',
  url: '/operator/jobs/:id/result',
  scope: 'operator',
  permission: 'jobs:read',
  sites: siteOfJob,
  tag,
  summary: 'Download the file of a job',
  description:
    'Returns the file of a job that has ended: of a `bulk_listing_change`, one line of JSON for each listing that was changed (`before`, `after`) or refused (`reason`). Send `Range` for a part of it. 404 `not_found`: there is no such job, or its kind leaves no file. 409 `job_not_ended`: it waits or runs. 500 `internal_server_error`: the file cannot be read now, try again later.',
  refuses: { ...notFound, job_not_ended: 'running', file_not_accessed: '' },
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
  async handle(ctx, { params: { id }, headers }) {
    const job = await findJobOrFail(ctx.db, id)
    const kind = jobKinds.find(({ name }) => name === job.kind)
    if (!kind?.file) throw new Failure('not_found', `The job ${id} has no file.`)
    if (isOpen(job)) throw new Failure('job_not_ended', job.state)
    const file = await findResultFile(ctx, { kind, job })
    return fileResponse(headers, {
      size: file.size,
      etag: `"${id}-${file.size}"`,
      contentType: kind.file.type,
      contentDisposition: contentDisposition(`${job.kind}-${id}.${kind.file.extension}`),
      open: (part) => openResultFile(ctx, file, part),
    })
  },
})

function unknownKind(): never {
  throw badField('kind', `one of ${jobKindNames.join(', ')}`)
}

async function findJobOrFail(db: Db, id: string): Promise<Job> {
  const job = await findJob(db, id)
  if (!job) throw jobNotFound(id)
  return job
}

function jobView(job: Job): object {
  return {
    id: job.id,
    kind: job.kind,
    parameters: job.parameters,
    state: job.state,
    total: job.total,
    done: job.done,
    result: job.result,
    has_file: jobKinds.some(({ name, file }) => name === job.kind && file !== undefined),
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

/** The operations of jobs. */
export const jobsAdminRoutes: Route[] = [postJob, getJobs, getJob, postCancel, postRetry, getResult]
