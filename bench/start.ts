import { mainFile, makeFolder, median, residentBytes, startServer } from './measure.ts'
import type { Figure } from './run.ts'

/**
 * A start on data that is there already, from the command to the first answered request, and what
 * the process then occupies at rest.
 */
export async function start({ short }: { short: boolean }): Promise<Figure[]> {
  const rounds = short ? 1 : 5
  const restMs = short ? 1_000 : 5_000
  const folder = makeFolder()
  const env = { FERIA_DATA: folder.path, FERIA_LOG_LEVEL: 'warn' }
  const warm: number[] = []
  const idle: number[] = []
  try {
    await (await startServer([mainFile, 'start'], env)).stop()
    for (let round = 0; round < rounds; round++) {
      const began = performance.now()
      const server = await startServer([mainFile, 'start'], env)
      warm.push(performance.now() - began)
      await new Promise((resolve) => setTimeout(resolve, restMs))
      idle.push(residentBytes(server.pid) / 1e6)
      await server.stop()
    }
    return [
      { name: 'start.warm_ms', value: median(warm), unit: 'ms' },
      { name: 'start.idle_mb', value: median(idle), unit: 'MB' },
    ]
  } finally {
    folder.remove()
  }
}
