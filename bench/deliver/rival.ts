/** Whether a side is built on a job queue of others: its package is installed for benchmarks only. */
export const isRival = (side: string): boolean => /^(pgboss|bullmq)/.test(side)
