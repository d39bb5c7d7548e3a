import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { freePort } from './harness/cli-fixture.ts'
import { mainFile, type Program, startProgram } from './harness/program.ts'
import { nextEvent, pollUntil, programBoundMs } from './harness/wait.ts'

/**
 * The README's ten minutes as an integrator, block by block, as a newcomer pastes them: only ports are
 * others, and `npm run feria --` is the program itself. A request that is refused ends its block.
 */
const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const chapter = page.slice(
  page.indexOf('## Ten minutes as an integrator'),
  page.indexOf('## Ten minutes as an operator'),
)
const [introduction = '', ...steps] = chapter.split(/^(?=\d+\. )/m)

const blocksOf = (markdown: string) =>
  [...markdown.matchAll(/^( *)```sh\n(.*?)^ *```$/gms)].map(([, indent = '', block = '']) =>
    block.replaceAll(RegExp(`^${indent}`, 'gm'), ''),
  )

/** The blocks of a step by its number. */
function blocksOfStep(number: number): string[] {
  const step = steps.find((each) => each.startsWith(`${number}. `))
  assert.ok(step, `step ${number}`)
  return blocksOf(step)
}

const hasTools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0)
const skip = hasTools ? false : 'there is no bash with curl to paste the commands into'

let folder: string
let program: Program
const children: ChildProcess[] = []
const receivers: Server[] = []

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'feria-readme-'))
  if (skip) return
  const env = { FERIA_DATA: join(folder, 'data'), FERIA_LOG_LEVEL: 'warn' }
  program = await startProgram({ env })
})
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const server of receivers) closeNow(server)
  await program?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function closeNow(server: Server): void {
  server.closeAllConnections()
  server.close()
}

/** Lines of the greeting that are to be pasted first. */
const greetingCommands = () =>
  program
    .output()
    .split('\n')
    .filter((line) => /^ {2}[A-Z]+=/.test(line))
    .join('\n')

/** A shell in which everything of before was pasted already. */
function shell(block: string, receiver: number): ChildProcess {
  const port = new URL(program.address).port
  const script = [
    'set -eo pipefail',
    'curl() { command curl -sS --fail-with-body "$@"; echo; }',
    `npm() { shift 3; exec '${process.execPath}' '${mainFile}' "$@"; }`,
    greetingCommands(),
    ...blocksOf(introduction),
    block,
  ].join('\n')
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
  const child = spawn(
    'bash',
    ['-c', script.replaceAll(':8080', `:${port}`).replaceAll(':9000', `:${receiver}`)],
    {
      cwd: folder,
      env: { PATH, HOME, NODE_COMPILE_CACHE, PORT: port, FERIA_DATA: join(folder, 'data') },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  children.push(child)
  return child
}

async function paste(block: string, receiver = 9000): Promise<string> {
  const child = shell(block, receiver)
  const { stdout, stderr } = child
  assert.ok(stdout && stderr)
  const said = await Promise.all([
    text(stdout),
    text(stderr),
    nextEvent(child, 'exit', { boundMs: programBoundMs }),
  ])
  const [out, error, [code]] = said
  assert.equal(code, 0, `${block}\n${out}\n${error}`)
  return out
}

test('the README has eleven steps, each with something to paste', () => {
  assert.equal(steps.length, 11)
  for (let number = 1; number <= 11; number++) assert.ok(blocksOfStep(number).length > 0)
})

test('steps 1 to 7 of the README are answered as they stand', { skip }, async (t) => {
  for (let number = 1; number <= 7; number++) {
    await t.test(`step ${number}`, async () => {
      for (const block of blocksOfStep(number)) {
        const said = await paste(block)
        if (number === 7) assert.match(said, /206 .*x-content-missing: shipping/is)
      }
    })
  }
})

test('after steps 8 to 10 of the README listen hears what step 11 triggers', { skip }, async () => {
  // Another receiver than the README's, which can be asked for what it got and be stopped.
  const port = await freePort()
  const received: { topic: string; resource: string; attempts: number }[] = []
  const open = async () => {
    const server = createServer(async (request, response) => {
      received.push(JSON.parse(await text(request)))
      response.end()
    })
    receivers.push(server)
    server.listen(port, '127.0.0.1')
    await nextEvent(server, 'listening')
    assert.equal((server.address() as AddressInfo).port, port)
    return server
  }
  const got = (topic: string, attempts = 1) =>
    received.some((each) => each.topic === topic && each.attempts === attempts)
  let receiver = await open()
  const [, register = ''] = blocksOfStep(8)
  await paste(register, port)
  for (const block of blocksOfStep(9)) await paste(block, port)
  await pollUntil('the notification of step 9', () => got('orders_v2'))

  const [miss = '', explain = ''] = blocksOfStep(10)
  const [patch = '', missed = '', advance = ''] = miss.trimEnd().split('\n')
  closeNow(receiver)
  await nextEvent(receiver, 'close')
  await paste(patch, port)
  await pollUntil('the missed one', async () => (await paste(missed, port)).includes('orders_v2'))
  receiver = await open()
  await paste(advance, port)
  await pollUntil('the retry', () => got('orders_v2', 2))
  assert.match(await paste(explain, port), /orders_v2/)

  const [listen = '', make = ''] = blocksOfStep(11)
  const listening = shell(listen, port)
  let heard = ''
  listening.stdout?.on('data', (part: Buffer) => {
    heard += part.toString()
  })
  await pollUntil('it to listen', () => heard.includes('Listening for application'))
  const [list = '', trigger = '', simulate = ''] = make.trimEnd().split('\n')
  assert.match(await paste(list, port), /questions/)
  await paste(trigger, port)
  await pollUntil('the question to be heard', () =>
    / questions +\/questions\/\d+ +200 /.test(heard),
  )
  assert.ok(got('questions'))

  const simulating = shell(simulate, port)
  await pollUntil(
    'traffic to be heard',
    () => (heard.match(/ orders_v2 /g)?.length ?? 0) >= 2,
    60_000,
  )
  // The five minutes of the simulation go by the sandbox's clock.
  await paste(`curl -X POST -H "$O" -H "$J" -d '{"advance":"12h"}' $A/operator/clock`, port)
  if (simulating.exitCode === null) await nextEvent(simulating, 'exit')
  assert.equal(simulating.exitCode, 0)
  listening.kill('SIGTERM')
  if (listening.exitCode === null) await nextEvent(listening, 'exit')
  closeNow(receiver)
})
