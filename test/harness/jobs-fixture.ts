import { Type } from 'typebox'
import { createJob } from '../../src/jobs/commands.ts'
import type { Job } from '../../src/jobs/job.ts'
import { type JobKind, jobKind } from '../../src/jobs/kind.ts'
import { JobRunner } from '../../src/jobs/runner.ts'
import { findJob } from '../../src/jobs/store.ts'
import { StrictObject } from '../../src/kernel/schema.ts'
import type { Context } from '../../src/platform/context.ts'
import { openTestApp, type TestApp } from './app.ts'
import { openTestDatabase } from './database.ts'

/** Two processes on one database and one file store, and a kind whose steps can be watched. */
export interface JobsFixture {
  app: TestApp
  /** The contexts of both processes. */
  first: Context
  second: Context
  /** Its step `n` notes `n`, and writes a part of the file. */
  counting: JobKind
  /** Runs before each step of `counting`, outside of its transaction. */
  beforeStep: (n: number, ctx: Context) => Promise<void> | void
  /** Runs at the end of each step of `counting`, in its transaction. */
  inStep: (n: number, ctx: Context) => Promise<void> | void
  runner(ctx?: Context, options?: { most?: number }): JobRunner
  /** Turns until nothing is due. */
  run(runner?: JobRunner): Promise<void>
  start(steps: number): Promise<string>
  read(id: string): Promise<Job>
  /** What the steps of a job have noted, in order. */
  notesOf(id: string): Promise<number[]>
  /** Moves both clocks. */
  advance(ms: number): void
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>
  reset(): Promise<void>
  close(): Promise<void>
}

export async function openJobsFixture(): Promise<JobsFixture> {
  const database = await openTestDatabase()
  const app = await openTestApp({ databaseUrl: database.url })
  const second = await openTestApp({ databaseUrl: database.url })
  const query: JobsFixture['query'] = (text, values = []) =>
    app.ctx.db.rows({ name: '', text, values })
  await query('create table noted_steps (job_id text, n int)')

  const counting = jobKind({
    name: 'counting',
    parameters: StrictObject({ steps: Type.Integer(), name: Type.String() }),
    file: () => ({ extension: 'txt', type: 'text/plain' }),
    permission: () => 'jobs:write',
    start: async (_, { steps }) => ({ checkpoint: { n: 0 }, total: steps }),
    async step(ctx, { parameters: { steps, name }, checkpoint: { n } }) {
      await fixture.beforeStep(n, ctx)
      return {
        part: contentOf(n),
        async commit(tx) {
          tx.write({
            name: '',
            text: 'insert into noted_steps (job_id, n) values ($1, $2)',
            values: [name, n],
          })
          await fixture.inStep(n, ctx)
          const result = { steps: n + 1 }
          return { checkpoint: { n: n + 1 }, done: 1, result, isLast: n + 1 === steps }
        },
      }
    },
    restOfFile: ({ n }) => `end after ${n}\n`,
  })

  let created = 0
  const names = new Map<string, string>()
  const fixture: JobsFixture = {
    app,
    first: app.ctx,
    second: { ...second.ctx, files: app.ctx.files },
    counting,
    beforeStep: () => {},
    inStep: () => {},
    runner: (ctx = app.ctx, options = {}) => new JobRunner(ctx, { kinds: [counting], ...options }),
    async run(runner = fixture.runner()) {
      await runner.turn()
      await runner.idle()
    },
    async start(steps) {
      const name = `job ${created++}`
      const { id } = await createJob(app.ctx, {
        kind: counting,
        parameters: { steps, name },
        actor: { kind: 'token' },
      })
      names.set(id, name)
      return id
    },
    async read(id) {
      const job = await findJob(app.ctx.db, id)
      if (!job) throw new Error(`there is no job ${id}`)
      return job
    },
    async notesOf(id) {
      const rows = await query<{ n: number }>(
        'select n from noted_steps where job_id = $1 order by n',
        [names.get(id)],
      )
      return rows.map(({ n }) => n)
    },
    advance(ms) {
      app.advance(ms)
      second.advance(ms)
    },
    query,
    async reset() {
      for (const table of ['jobs', 'job_files', 'noted_steps']) await query(`delete from ${table}`)
      fixture.beforeStep = () => {}
      fixture.inStep = () => {}
    },
    async close() {
      await second.close()
      await app.close()
      await database.drop()
    },
  }
  return fixture
}

async function* contentOf(n: number) {
  yield Buffer.from(`step ${n}\n`)
}
