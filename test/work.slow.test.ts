import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { freePort } from './harness/cli-fixture.ts'
import { runFeria, startFeria } from './harness/command.ts'
import { openTestDatabase } from './harness/database.ts'
import { mainFile, startProgram } from './harness/program.ts'
import { nextEvent, pollUntil, programBoundMs } from './harness/wait.ts'

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
    const text = await metrics.text()
    assert.match(text, /feria_deliveries/)
    // The first failure is an increase only if there was a zero before.
    assert.match(text, /^feria_loop_failures_total\{loop="fan-out"\} 0$/m)
    assert.equal((await fetch(`${address}/health/ready`)).status, 200)
    assert.equal((await fetch(`${address}/sites`)).status, 404)
  } finally {
    const ended = nextEvent(child, 'exit')
    child.kill('SIGTERM')
    await ended
    await database.drop()
  }
})

test('a server shows in its metrics, and doctor says, whether any process does the background work', async () => {
  const database = await openTestDatabase()
  const env = {
    DATABASE_URL: database.url,
    FERIA_MODE: 'sandbox',
    FERIA_DEMO: 'off',
    FERIA_LOG_LEVEL: 'warn',
    FERIA_OPERATOR_TOKEN: 'operator-token-of-the-tests',
    PORT: String(await freePort()),
  }
  const workersIn = async (address: string) => {
    const headers = { authorization: `Bearer ${env.FERIA_OPERATOR_TOKEN}` }
    const answer = await fetch(`${address}/metrics`, { headers })
    return Number(/^feria_workers (\d+)$/m.exec(await answer.text())?.[1])
  }
  const workersCheck = async () => {
    const { checks } = JSON.parse((await runFeria(env, 'doctor', '--json')).stdout)
    return checks.find(({ name }: { name: string }) => name === 'workers')
  }
  const server = await startProgram({ args: ['serve'], env })
  try {
    assert.equal(await workersIn(server.address), 0)
    // A server without workers takes requests as ever, so it stays in rotation.
    assert.equal((await fetch(`${server.address}/health/ready`)).status, 200)
    assert.deepEqual(await workersCheck(), {
      name: 'workers',
      state: 'warning',
      says: 'no process does background work: nothing is sent',
      advice: 'Run feria work beside feria serve, or feria start.',
    })
    const worker = startFeria(env, ['work'])
    await pollUntil('a worker', async () => (await workersIn(server.address)) === 1, programBoundMs)
    assert.equal((await workersCheck()).state, 'ok')
    worker.child.kill('SIGKILL')
    await worker.ended
    await pollUntil('no worker', async () => (await workersIn(server.address)) === 0)
  } finally {
    await server.stop()
    await database.drop()
  }
})
