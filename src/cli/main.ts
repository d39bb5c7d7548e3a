#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { nodeProblem } from './node-version.ts'

// A Node that is too old fails on the rest of the program with a stack trace: load it only after the check.
const file = new URL('../../package.json', import.meta.url)
const { engines } = JSON.parse(readFileSync(file, 'utf8'))
const problem = nodeProblem(process.versions.node, engines.node)
if (problem) {
  process.stderr.write(`${problem}\n`)
  process.exit(1)
} else {
  start()
}

/** Runs the command of this process. */
async function start(): Promise<void> {
  // A reader that closes the pipe early, such as `head`, is no error.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0)
      throw error
    })
  }
  const { run } = await import('./frame/run.ts')
  const { table } = await import('./table/table.ts')
  const code = await run(table, process.argv.slice(2), {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    exit: (code) => process.exit(code),
    onInterrupt: (stop) => process.once('SIGINT', stop),
  })
  // A started server keeps the process running. A failed command ends it at once.
  if (code === 0) process.exitCode = 0
  else process.exit(code)
}
