import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { embeddedPid, startProgram } from './harness/program.ts'
import { pollUntil } from './harness/wait.ts'

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'feria-restart-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

for (const args of [['start'], ['start', '--workers', '2']]) {
  test(`after its database is killed, feria ${args.join(' ')} answers 503 until it has started it again`, async () => {
    const data = join(folder, String(args.length))
    const program = await startProgram({
      args,
      env: { FERIA_DATA: data, FERIA_DEMO: 'off', FERIA_LOG_LEVEL: 'warn' },
    })
    try {
      const readiness = async () => (await fetch(`${program.address}/health/ready`)).status
      assert.equal(await readiness(), 200)
      process.kill(embeddedPid(data) as number, 'SIGKILL')
      const restarted = /ended on its own; starting it again/
      await pollUntil('the log to tell of it', () => restarted.test(program.output()))
      const statuses = new Set<number>()
      await pollUntil('it to be ready again', async () => {
        const status = await readiness()
        statuses.add(status)
        return status === 200
      })
      assert.deepEqual(
        [...statuses].filter((status) => status !== 200 && status !== 503),
        [],
      )
      assert.match(program.output(), /"last_lines":\[/)
    } finally {
      assert.equal(await program.stop(), 0)
    }
  })
}
