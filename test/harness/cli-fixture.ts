import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runFeria, startFeria } from './command.ts'
import { type Program, startProgram } from './program.ts'
import { nextEvent } from './wait.ts'

// biome-ignore lint/suspicious/noExplicitAny: what commands print, of every shape
type Json = any

/** A program that was started as a person would, and commands that talk to it. */
export interface CliFixture {
  dataDirectory: string
  program: () => Program
  env: () => Record<string, string>
  /** Runs a command that is to succeed, and returns what it said. */
  runSuccessfully(...args: string[]): Promise<string>
  /** The same with `--json`: the values of standard output, which holds nothing else. */
  runJson(...args: string[]): Promise<Json[]>
  /** Runs a command that is to fail: with this code, and with words that say why and are no stack. */
  expectFailure(code: number, says: RegExp, ...args: string[]): Promise<void>
  startCommand(...args: string[]): ReturnType<typeof startFeria>
  /** Starts it anew on the same data and port. */
  restart(how: { killed: boolean }): Promise<void>
  close(): Promise<void>
}

export async function openCliFixture(): Promise<CliFixture> {
  const port = await freePort()
  const data = mkdtempSync(join(tmpdir(), 'feria-commands-'))
  const settings = {
    FERIA_DATA: data,
    FERIA_DEMO: 'off',
    FERIA_LOG_LEVEL: 'warn',
    PORT: String(port),
  }
  let program = await startProgram({ env: settings })
  const env = () => ({ FERIA_DATA: data, PORT: String(port), FERIA_DEMO: 'off' })
  return {
    dataDirectory: data,
    program: () => program,
    env,
    async runSuccessfully(...args) {
      const { code, output, stdout } = await runFeria(env(), ...args)
      assert.equal(code, 0, `feria ${args.join(' ')}: ${output}`)
      return stdout
    },
    async runJson(...args) {
      const { code, output, stdout } = await runFeria(env(), ...args, '--json')
      assert.equal(code, 0, `feria ${args.join(' ')}: ${output}`)
      return parseJsonLines(stdout)
    },
    async expectFailure(code, says, ...args) {
      const ran = await runFeria(env(), ...args)
      assert.equal(ran.code, code, `feria ${args.join(' ')}: ${ran.output}`)
      assert.match(ran.stderr, says, args.join(' '))
      assert.equal(ran.stdout, '', args.join(' '))
      assert.doesNotMatch(ran.output, /\n\s+at /, 'no stack trace')
    },
    startCommand: (...args) => startFeria(env(), args),
    async restart({ killed }) {
      if (killed) await program.kill({ database: true })
      else await program.stop()
      program = await startProgram({ env: settings })
    },
    async close() {
      await program.stop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** One that nobody listens on just now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await nextEvent(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await nextEvent(server, 'close')
  return port
}

/** Each line of standard output is one JSON value. */
export function parseJsonLines(stdout: string): Json[] {
  assert.ok(stdout.endsWith('\n'), stdout)
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}
