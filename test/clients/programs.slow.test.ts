import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { pollUntil, programBoundMs } from '../harness/wait.ts'
import { type ClientFixture, expectedOutcome, openClientFixture } from './fixture.ts'

/** Sellers' programs in other languages, with the HTTP libraries that their users take. */
const programs: [name: string, command: string, probe: string[], script: string][] = [
  [
    'PHP with curl',
    'php',
    ['-r', 'exit(function_exists("curl_init") ? 0 : 1);'],
    'php/scenario.php',
  ],
  ['Python with requests', 'python3', ['-c', 'import requests'], 'python/with_requests.py'],
  ['Python with urllib', 'python3', ['-c', 'import urllib.request'], 'python/with_urllib.py'],
  ['Ruby with Net::HTTP', 'ruby', ['-e', 'require "net/http"'], 'ruby/scenario.rb'],
]

const longestMs = 60_000
let fixture: ClientFixture
let inbox: string
let programsRun = 0

before(async () => {
  inbox = mkdtempSync(join(tmpdir(), 'feria-inbox-'))
  fixture = await openClientFixture()
})
after(async () => {
  await fixture.close()
  rmSync(inbox, { recursive: true, force: true })
})

for (const [name, command, probe, script] of programs) {
  const isThere = spawnSync(command, probe, { stdio: 'ignore' }).status === 0
  const skip = isThere ? false : `this system has no ${name}`
  test(`${name} signs in, pages, answers, writes, publishes and receives`, { skip }, async () => {
    const settings = await fixture.settingsOf(inbox)
    const output = await run(command, [fileURLToPath(new URL(script, import.meta.url))], settings)
    assert.deepEqual(JSON.parse(output), expectedOutcome(programsRun++))
  })
}

/** Runs a program, delivers notifications meanwhile, and returns its last line. */
async function run(
  command: string,
  args: string[],
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(command, args, {
    env: { ...process.env, ...settings, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: longestMs,
  })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  let code: number | null | undefined
  child.once('close', (value) => {
    code = value
  })
  const hasEnded = async () => {
    await fixture.app.runPendingWork()
    return code !== undefined
  }
  await pollUntil('the program to end', hasEnded, programBoundMs)
  assert.equal(code, 0, `${errors}\n${output}`)
  return output.trim().split('\n').at(-1) ?? ''
}
