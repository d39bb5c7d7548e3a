import { AsyncResource } from 'node:async_hooks'
import { openSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { after, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { trackPromises } from './promise-tracking.ts'

/**
 * Runs test files one after another in this process, each as a suite of its own, until none is left.
 * `test/run.ts` starts a few workers, so that the program is loaded once per worker and not once per
 * file (0.9 s each).
 */
interface TestFileQueue {
  /** The files that one worker runs in a row. */
  groups: string[][]
  /** Holds one empty file per claimed group. */
  claims: string
  timeoutMs: number
  filesPerWorker: number
}

const queue = JSON.parse(process.env['FERIA_TEST_QUEUE'] ?? '') as TestFileQueue

/** Returns true for exactly one worker: exclusive creation is atomic between processes. */
function claimGroup(index: number): boolean {
  try {
    openSync(join(queue.claims, String(index)), 'wx')
    return true
  } catch {
    return false
  }
}

/** Belongs to no test. A file that began in the scope of the one before would be registered as its part. */
const outsideTests = new AsyncResource('test files')

function runFile(file: string): Promise<void> {
  return new Promise((done) => {
    // A suite that was canceled at its time limit may never run its last hook.
    setTimeout(done, queue.timeoutMs + 5_000).unref()
    trackPromises(true)
    const register = async () => {
      try {
        await import(pathToFileURL(file).href)
      } catch (error) {
        test('the file loads', () => {
          throw error
        })
      } finally {
        // Registered last, so it runs after the hooks of the file itself.
        after(() => done())
        trackPromises(false)
      }
    }
    outsideTests.runInAsyncScope(() => {
      describe(relative(process.cwd(), file), { timeout: queue.timeoutMs }, register)
    })
  })
}

/** `node:test` reports an unhandled error without its stack if it does not know its test. */
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    console.error(`${event} in ${process.env['FERIA_TEST_FILE']}:`, error)
  })
}

/** Time for the report to leave before the process is ended. */
const flushMs = 5_000

let filesRun = 0
for (const [index, files] of queue.groups.entries()) {
  if (filesRun >= queue.filesPerWorker || !claimGroup(index)) continue
  for (const file of files) {
    process.env['FERIA_TEST_FILE'] = file
    await runFile(resolve(file))
    filesRun++
  }
}
// A test that failed may have left a server open, which would keep this process from ending.
setTimeout(() => {
  console.error(`still open after the last file: ${process.getActiveResourcesInfo().join(', ')}`)
  process.exit()
}, flushMs).unref()
