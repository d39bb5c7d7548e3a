#!/usr/bin/env node
import { run } from './frame/run.ts'
import { table } from './table/table.ts'

// Whoever reads only the beginning, as `head` does, is not told of an error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
}
const code = await run(table, process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  exit: (code) => process.exit(code),
  onInterrupt: (stop) => process.once('SIGINT', stop),
})
// What was started goes on; what has failed does not.
if (code === 0) process.exitCode = 0
else process.exit(code)
