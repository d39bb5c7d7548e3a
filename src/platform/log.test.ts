import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { makeLog } from './log.ts'

const module = new URL('./log.ts', import.meta.url).href

const programOf = (source: string) =>
  `import { makeLog } from '${module}'; const log = makeLog('info'); ${source}`

function printedBy(source: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '-e', programOf(source)], {
    encoding: 'utf8',
  })
}

test('what was logged last is there however the process ends', () => {
  for (const end of ['', 'process.exit(0)', 'setTimeout(() => process.exit(0), 5)']) {
    const line = JSON.parse(printedBy(`log.info({ order: 7 }, 'last words'); ${end}`))
    assert.deepEqual([line.order, line.msg], [7, 'last words'], end)
  }
})

test('a line below the level is not written', () => {
  assert.equal(printedBy("log.debug({}, 'chatter')"), '')
})

test('lines come whole, in their order and with their time, however many there are', () => {
  const began = Date.now()
  const later = "await new Promise((resolve) => setTimeout(resolve, 20)); log.info({}, 'later')"
  const source = `for (let n = 0; n < 5_000; n++) log.info({ n, word: 'ñandú' }, 'said'); ${later}`
  const lines = printedBy(source).trimEnd().split('\n')
  const end = JSON.parse(lines.pop() ?? '')
  assert.equal(lines.length, 5_000)
  let last = began
  for (const [n, line] of lines.entries()) {
    const { time, ...rest } = JSON.parse(line)
    assert.deepEqual(rest, { level: 30, n, word: 'ñandú', msg: 'said' })
    const at = Date.parse(time)
    assert.ok(at >= last && at <= Date.now(), time)
    last = at
  }
  assert.ok(Date.parse(end.time) > last)
})

test('a line is there a moment later, though nothing follows it', { timeout: 20_000 }, async () => {
  const source = "log.info({}, 'alone'); setTimeout(() => {}, 600_000)"
  const program = spawn(process.execPath, ['--input-type=module', '-e', programOf(source)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [chunk] = await once(program.stdout, 'data')
    assert.equal(JSON.parse(chunk.toString()).msg, 'alone')
  } finally {
    program.kill()
  }
})

const plain = { request: 'a1-2', method: 'GET', path: '/sites', status: 200, ms: 0.125 }
const user = { userId: 123456789, applicationId: 5503910054141466 }

test('the line of a request names its caller, whatever its path holds it is one line', () => {
  const lines: string[] = []
  const log = makeLog('info', { write: (line) => void lines.push(line) })
  const forged = '/"},\n{"level":60,"msg":"\\u0000\u2028ñ'
  log.answered({ ...plain, caller: undefined })
  log.answered({ ...plain, caller: user })
  log.answered({ ...plain, path: forged, caller: { ...user, applicationId: null } })
  const expected = { ...plain, level: 30, msg: 'answered' }
  assert.deepEqual(
    lines.map((line) => {
      assert.match(line, /^[^\n]+\n$/)
      const { time: _, ...rest } = JSON.parse(line)
      return rest
    }),
    [
      expected,
      { ...expected, user: user.userId, application: user.applicationId },
      { ...expected, path: forged, user: user.userId, application: null },
    ],
  )
})

test('requests are not logged below the level of their lines', () => {
  const lines: string[] = []
  const log = makeLog('warn', { write: (line) => void lines.push(line) })
  log.answered({ ...plain, caller: user })
  assert.deepEqual(lines, [])
})
