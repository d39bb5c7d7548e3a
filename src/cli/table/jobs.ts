import { jobKindNames, jobStates, startedJobKindNames } from '../../jobs/job.ts'
import { siteIds } from '../../kernel/sites.ts'
import { operatorServerOptions } from '../client/client.ts'
import { type Command, command } from '../frame/command.ts'

const section = 'Jobs'
const jobId = {
  job: { kind: 'text', as: 'JOB', says: 'The id that `feria jobs list` shows.' },
} as const
const watch = {
  kind: 'flag',
  says: 'Follow the job until it ends. Ctrl-C stops watching; the job goes on.',
} as const
const watchDetails =
  'With --watch and --json, prints a line at each step. Exits with 1 when the job failed or was cancelled.'
const jobs = () => import('../operator/jobs.ts')

/** Commands for long work of the operator. */
export const jobCommands: readonly Command[] = [
  command({
    name: 'jobs start',
    section,
    summary: 'Start a job: change many listings, file anew, or export.',
    details: `The file has the \`parameters\` of \`POST /operator/jobs\`, which docs/jobs.md describes. ${watchDetails}`,
    words: {
      kind: { kind: 'choice', of: startedJobKindNames, as: 'KIND', says: 'The kind of job.' },
      file: { kind: 'file', says: 'A JSON file. `-` reads standard input.' },
    },
    options: { watch, ...operatorServerOptions },
    examples: [
      'echo \'{"filter":{"seller_id":1001,"status":"active"},"change":{"status":"paused"}}\' | feria jobs start bulk_listing_change - --watch',
      'echo \'{"of":"orders","format":"csv","filter":{"seller":1001}}\' | feria jobs start export - --watch',
    ],
    load: async () => (await jobs()).startJobCommand,
  }),
  command({
    name: 'jobs import',
    section,
    summary: 'Upload lines of an import, which a job then imports.',
    details: `The lines are those of \`feria import\`. When the upload has ended, the import goes on without this command. ${watchDetails}`,
    words: { file: { kind: 'file', says: 'A file of lines. `-` reads standard input.' } },
    options: { watch, ...operatorServerOptions },
    examples: ['feria jobs import history.ndjson --watch'],
    load: async () => (await jobs()).importJobCommand,
  }),
  command({
    name: 'jobs list',
    section,
    summary: 'List jobs, newest first.',
    options: {
      kind: { kind: 'choice', of: jobKindNames, as: 'KIND', says: 'Only jobs of this kind.' },
      state: { kind: 'choice', of: jobStates, says: 'Only jobs in this state.' },
      site: {
        kind: 'choice',
        of: siteIds,
        as: 'SITE',
        says: 'Only jobs that change this site alone.',
      },
      limit: { kind: 'count', to: 200, says: 'At most this many. Default: 50.' },
      ...operatorServerOptions,
    },
    load: async () => (await jobs()).listJobsCommand,
  }),
  command({
    name: 'jobs show',
    section,
    summary: 'Show the progress and the figures of a job.',
    details: watchDetails,
    words: jobId,
    options: { watch, ...operatorServerOptions },
    load: async () => (await jobs()).showJobCommand,
  }),
  command({
    name: 'jobs cancel',
    section,
    summary: 'Cancel a job between two steps. What it has done stays.',
    words: jobId,
    options: operatorServerOptions,
    load: async () => (await jobs()).cancelJobCommand,
  }),
  command({
    name: 'jobs retry',
    section,
    summary: 'Let a failed job go on where it stopped.',
    details: watchDetails,
    words: jobId,
    options: { watch, ...operatorServerOptions },
    load: async () => (await jobs()).retryJobCommand,
  }),
  command({
    name: 'jobs result',
    section,
    summary: 'Print the file of a job.',
    words: jobId,
    options: { out: { kind: 'file', says: 'Write to this file.' }, ...operatorServerOptions },
    load: async () => (await jobs()).jobResultCommand,
  }),
]
