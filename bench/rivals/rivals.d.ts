// What the benchmarks use of packages that a checkout does not install, so that they are checked all the same.

declare module 'pg-boss' {
  export class PgBoss {
    constructor(options: { connectionString: string })
    on(event: 'error', listener: (error: Error) => void): this
    start(): Promise<this>
    createQueue(name: string, options?: { partition?: boolean }): Promise<void>
    insert(name: string, jobs: { data: object }[]): Promise<unknown>
    work<T>(
      name: string,
      options: {
        batchSize?: number
        localConcurrency?: number
        pollingIntervalSeconds?: number
        burstWhenBatchFull?: boolean
      },
      handler: (jobs: { data: T }[]) => Promise<unknown>,
    ): Promise<string>
  }
}

declare module 'bullmq' {
  interface Options {
    connection: { host: string; port: number }
  }
  export class Queue<T = unknown> {
    readonly name: string
    constructor(name: string, options: Options)
    addBulk(
      jobs: {
        name: string
        data: T
        opts?: { removeOnComplete?: boolean; removeOnFail?: boolean }
      }[],
    ): Promise<unknown>
    close(): Promise<void>
  }
  export class Worker<T = unknown> {
    constructor(
      name: string,
      processor: (job: { data: T }) => Promise<unknown>,
      options: Options & { concurrency?: number },
    )
    on(event: 'error', listener: (error: Error) => void): this
    waitUntilReady(): Promise<unknown>
  }
}
