import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { nextEvent, programBoundMs } from '../harness/wait.ts'

/** Runs `bench/run.ts` with a folder of its own for temporary files. */
function startBench(t: TestContext, args: string[], env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'feria-test-bench-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const child = spawn(process.execPath, ['bench/run.ts', ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  const ended = nextEvent(child, 'close', { boundMs: programBoundMs }).then(([code]) => ({
    code: code as number | null,
    stderr,
  }))
  return { child, folder, lines: createInterface(child.stdout), ended }
}

async function until(lines: AsyncIterable<string>, wanted: RegExp): Promise<void> {
  for await (const line of lines) if (wanted.test(line)) return
  throw new Error(`no line matches ${wanted}`)
}

/** Processes that run with this folder in their environment or arguments (Linux). */
function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        const [args, env] = ['cmdline', 'environ'].map((file) =>
          readFileSync(`/proc/${pid}/${file}`, 'utf8'),
        )
        return args?.includes(folder) || env?.includes(folder)
      } catch {
        return false
      }
    })
}

test('a benchmark whose database stops names the cause in a line, ends with 1 and leaves nothing running', async (t) => {
  const { folder, lines, ended } = startBench(t, ['order-search', '--short'])
  await until(lines, /^reading all of it once/)
  const [file = ''] = globSync(`${folder}/*/postgres/postmaster.pid`)
  process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGQUIT')
  const { code, stderr } = await ended
  assert.equal(code, 1)
  const failureLines = stderr.split('\n').filter((line) => line.startsWith('order-search failed: '))
  assert.equal(failureLines.length, 1, stderr)
  assert.match(failureLines[0] ?? '', /PostgreSQL: LOG: +received immediate shutdown request/)
  assert.doesNotMatch(stderr, /Unhandled|^ {4}at /m)
  assert.deepEqual(processesOf(folder), [])
  assert.deepEqual(readdirSync(folder), [])
})

test('a benchmark that is interrupted stops its servers', async (t) => {
  const { child, folder, lines, ended } = startBench(t, ['order-search', '--short'])
  await until(lines, /^building keys/)
  child.kill('SIGTERM')
  const { code, stderr } = await ended
  assert.equal(code, 130)
  assert.match(stderr, /^order-search was interrupted/m)
  assert.deepEqual(processesOf(folder), [])
  assert.deepEqual(readdirSync(folder), [])
})

test('a program that finds its port taken says so', async (t) => {
  const { startServer } = await import('../../bench/measure.ts')
  const portHolder = createServer().listen(0, '127.0.0.1')
  t.after(() => portHolder.close())
  await nextEvent(portHolder, 'listening')
  const { port } = portHolder.address() as { port: number }
  const program = `require('node:net').createServer().listen(${port}, '127.0.0.1')`
  await assert.rejects(startServer(['-e', program], {}), {
    message: /ended with code 1: Error: listen EADDRINUSE: address already in use/,
  })
})

test('an unknown benchmark or option is refused with the names of all', async (t) => {
  const names: string[] = []
  for (const args of [['nonsense'], ['--shrot'], ['order-read', 'import']]) {
    const { ended } = startBench(t, args)
    const { code, stderr } = await ended
    assert.equal(code, 1)
    const line = /^NAME is one of: (.+)$/m.exec(stderr)?.[1] ?? ''
    names.push(...line.split(', '))
  }
  const files = globSync(['docs/**/*.md', 'bench/results/*.{md,json}'])
  const texts = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const documented = [...texts.matchAll(/npm run bench -- ([\w-]+)/g)].map(([, name]) => name)
  assert.ok(documented.length > 15, `${documented.length} commands`)
  for (const name of documented) assert.ok(name && names.includes(name), `npm run bench -- ${name}`)
})

test('a setting that is wrong ends a benchmark before it starts anything', async (t) => {
  const { ended } = startBench(t, ['order-search', '--short'], { FERIA_BENCH_ORDERS: 'many' })
  assert.deepEqual(await ended, {
    code: 1,
    stderr: 'order-search failed: FERIA_BENCH_ORDERS: expected a positive number, got "many"\n',
  })
})
