import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { openTestDatabase } from './harness/database.ts'
import { mainFile } from './harness/program.ts'
import { nextEvent } from './harness/wait.ts'

test('a process that only works tells how it is, and nothing else', async () => {
  const database = await openTestDatabase()
  const child = spawn(process.execPath, [mainFile, 'work'], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATABASE_URL: database.url,
      FERIA_MODE: 'sandbox',
      FERIA_WORK_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let output = ''
    for await (const part of child.stdout) {
      output += String(part)
      if (output.includes('/metrics')) break
    }
    const address = /Metrics: (\S+)\/metrics/.exec(output)?.[1]
    assert.ok(address, output)
    const metrics = await fetch(`${address}/metrics`)
    assert.equal(metrics.status, 200)
    assert.match(await metrics.text(), /feria_deliveries/)
    assert.equal((await fetch(`${address}/health/ready`)).status, 200)
    assert.equal((await fetch(`${address}/sites`)).status, 404)
  } finally {
    const ended = nextEvent(child, 'exit')
    child.kill('SIGTERM')
    await ended
    await database.drop()
  }
})
