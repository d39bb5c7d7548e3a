import { createReadStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestBody, ResponseBody } from 'feria/client'
import type { JobKindName } from '../../jobs/job.ts'
import type { SiteId } from '../../kernel/sites.ts'
import {
  type ApiClient,
  openClient,
  type ServerOptions,
  ServerUnavailable,
} from '../client/client.ts'
import { pollMs, readPatiently } from '../client/patience.ts'
import { exitCodes } from '../frame/failure.ts'
import { alignColumns, type Output } from '../frame/output.ts'
import { readJsonFile, saveBody } from './files.ts'

type JobBody = RequestBody<'/operator/jobs', 'post'>
type Job = ResponseBody<'/operator/jobs/{id}', 'get'>

type StartOptions = ServerOptions & { kind: JobBody['kind']; file: string; watch?: true }

/** `feria jobs start KIND FILE [--watch]`. A start that fails is not repeated: it might start two jobs. */
export async function startJobCommand(
  { kind, file, watch, ...options }: StartOptions,
  out: Output,
): Promise<number | undefined> {
  const client = openClient(options)
  const parameters = readJsonFile<JobBody['parameters']>(file)
  const job = await client.call('POST', '/operator/jobs', { body: { kind, parameters } })
  return watch ? watchJob(client, job.id, out) : printJob(job, out)
}

/** `feria jobs import FILE [--watch]`. An upload that fails is not repeated: it might start two jobs. */
export async function importJobCommand(
  { file, watch, ...options }: ServerOptions & { file: string; watch?: true },
  out: Output,
): Promise<number | undefined> {
  const client = openClient(options)
  const input = file === '-' ? process.stdin : createReadStream(file)
  let started: Job | undefined
  for await (const job of client.lines('/operator/jobs/import', input)) started = job
  if (!started) throw new ServerUnavailable('the answer has no job')
  return watch ? watchJob(client, started.id, out) : printJob(started, out)
}

type ListOptions = ServerOptions & {
  kind?: JobKindName
  state?: Job['state']
  site?: SiteId
  limit?: number
}

/** `feria jobs list`. */
export async function listJobsCommand(
  { kind, state, site, limit, ...options }: ListOptions,
  out: Output,
): Promise<undefined> {
  const query = { kind, state, site_id: site, limit }
  const { jobs } = await openClient(options).call('GET', '/operator/jobs', { query })
  out.printResult(jobs, () =>
    jobs.length === 0
      ? 'There are no jobs.'
      : alignColumns([
          ['ID', 'KIND', 'STATE', 'DONE', 'TOTAL', 'CREATED'],
          ...jobs.map(({ id, kind, state, done, total, date_created }) => [
            id,
            kind,
            state,
            String(done),
            String(total),
            date_created,
          ]),
        ]),
  )
}

type JobOptions = ServerOptions & { job: string; watch?: true }

/** `feria jobs show JOB [--watch]`. */
export async function showJobCommand(
  { job: id, watch, ...options }: JobOptions,
  out: Output,
): Promise<number | undefined> {
  const client = openClient(options)
  return watch ? watchJob(client, id, out) : printJob(await readJob(client, id), out)
}

/** `feria jobs cancel JOB`. */
export async function cancelJobCommand(
  { job: id, ...options }: JobOptions,
  out: Output,
): Promise<undefined> {
  printJob(
    await openClient(options).call('POST', '/operator/jobs/{id}/cancel', { path: { id } }),
    out,
  )
}

/** `feria jobs retry JOB [--watch]`. */
export async function retryJobCommand(
  { job: id, watch, ...options }: JobOptions,
  out: Output,
): Promise<number | undefined> {
  const client = openClient(options)
  const job = await client.call('POST', '/operator/jobs/{id}/retry', { path: { id } })
  return watch ? watchJob(client, id, out) : printJob(job, out)
}

/** `feria jobs result JOB [--out FILE]`: streams the file of a job to standard output or a file. */
export async function jobResultCommand(
  { job: id, out: file, ...options }: JobOptions & { out?: string },
  out: Output,
): Promise<undefined> {
  const path = `/operator/jobs/${encodeURIComponent(id)}/result`
  const answer = await openClient(options).request('GET', path)
  if (await saveBody(answer, { file, out }))
    out.printResult({ file }, () => `The file of job ${id} is in ${file}`)
}

const readJob = (client: ApiClient, id: string) =>
  client.call('GET', '/operator/jobs/{id}', { path: { id } })

function printJob(job: Job, out: Output): undefined {
  const { id, kind, state, done, total, error, result } = job
  out.printResult(job, () => [
    `job ${id}: ${kind} is ${state}, ${done} of ${total} done`,
    ...(error === null ? [] : [error]),
    ...alignColumns(figuresOf(result).map(([name, figure]) => [`  ${name}`, figure])),
  ])
}

/** Returns the figures of a result. Its lists are in the JSON of the job only. */
function figuresOf(result: Job['result']): [name: string, figure: string][] {
  return Object.entries(result ?? {}).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name, String(value)]] : [],
  )
}

/** Follows a job until it ends, across restarts of the server. Returns the exit code. */
async function watchJob(client: ApiClient, id: string, out: Output): Promise<number> {
  const progress = out.progress({ unit: 'done' })
  for (let shown = ''; ; ) {
    const job = await readPatiently(client, out, () => readJob(client, id))
    const { state, done, total } = job
    progress.update(done, Math.max(total, done))
    if (out.isJson && shown !== `${state} ${done}`) out.printResult(job, () => [])
    shown = `${state} ${done}`
    if (state !== 'waiting' && state !== 'running') {
      progress.end()
      if (!out.isJson) printJob(job, out)
      return state === 'finished' ? exitCodes.done : exitCodes.failed
    }
    await sleep(pollMs)
  }
}
