import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openTestDatabase, skipWithoutClones, type TestDatabase } from './harness/database.ts'
import {
  type Block,
  blocksOfPage,
  commandPages,
  isCommand,
  type Target,
} from './harness/docs/blocks.ts'
import { openSession, type Session } from './harness/docs/session.ts'
import { type Program, startProgram } from './harness/program.ts'
import { pollUntil } from './harness/wait.ts'

/**
 * Every command of the README and of docs/ does what the page says, pasted as it stands. The blocks of a page run in
 * their order in one shell. Each page finds a fresh sandbox: a snapshot of the demo data is loaded before it.
 * `FERIA_DOCS_PAGES=orders,README npm test -- test/docs-commands.slow.test.ts` runs some pages alone.
 */
const hasTools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0)
const skip = hasTools ? false : 'there is no bash with curl to paste the commands into'

const interpreters: Readonly<Record<string, string>> = { php: 'php', python: 'python3' }
const hasInterpreter = ({ language }: Block) =>
  interpreters[language] === undefined ||
  spawnSync(interpreters[language], ['--version']).status === 0

const wanted = process.env['FERIA_DOCS_PAGES']?.split(',')
const pages = commandPages()
  .filter((page) => !wanted || wanted.some((part) => page.includes(part)))
  .map((page) => ({
    page,
    blocks: blocksOfPage(page).filter(
      (block) => (isCommand(block) || block.file !== undefined) && block.notRun === undefined,
    ),
  }))
  .filter(({ blocks }) => blocks.some(isCommand))

const readmeVariables = () => {
  const block = blocksOfPage('README.md').find(({ text }) => /^A=http/m.test(text))
  assert.ok(block, 'the README sets $A, $J, $S, $B and $O')
  return block.text
}

let folder: string
let sandbox: Program
let productionDatabase: TestDatabase | undefined
let production: Program | undefined

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'feria-docs-commands-'))
  if (skip || pages.length === 0) return
  sandbox = await startProgram({
    env: { FERIA_DATA: join(folder, 'data'), FERIA_LOG_LEVEL: 'warn' },
  })
  await snapshot('PUT', '/operator/sandbox/snapshots/docs')
})
after(async () => {
  await production?.stop()
  await sandbox?.stop()
  await productionDatabase?.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function snapshot(method: string, path: string): Promise<void> {
  const headers = { authorization: 'Bearer feria-sandbox-operator' }
  const answer = await fetch(sandbox.address + path, { method, headers })
  assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.text()}`)
}

/** Lines of the greeting that a newcomer pastes: the variables. */
const greetingVariables = () =>
  sandbox
    .output()
    .split('\n')
    .filter((line) => /^ {2}[A-Z]+=/.test(line))
    .join('\n')

const operatorToken = 'a-long-random-token-of-the-operator'

async function openTarget(target: Target): Promise<Session> {
  if (target === 'checkout') return openSession({ port: '65001', setup: '' })
  if (target === 'sandbox') {
    const env = { FERIA_DATA: join(folder, 'data') }
    const setup = `${greetingVariables()}\n${readmeVariables()}`
    return openSession({ port: new URL(sandbox.address).port, setup, env })
  }
  productionDatabase ??= await openTestDatabase()
  const env = {
    DATABASE_URL: productionDatabase.url,
    FERIA_OPERATOR_TOKEN: operatorToken,
    FERIA_PUBLIC_URL: 'http://127.0.0.1:8080',
    FERIA_DATA: join(folder, 'production'),
    FERIA_LOG_LEVEL: 'warn',
  }
  production ??= await startProgram({ env })
  const setup = `OPERATOR=${operatorToken}\n${readmeVariables()}`
  return openSession({ port: new URL(production.address).port, setup, env })
}

for (const { page, blocks } of pages) {
  test(`the commands of ${page} work as they are pasted`, { skip }, async (t) => {
    const sessions = new Map<Target, Session>()
    try {
      if (blocks.some(({ target }) => target === 'sandbox')) {
        await snapshot('POST', '/operator/sandbox/snapshots/docs/load')
        await pollUntil('the sandbox to serve the snapshot', async () => {
          return (await fetch(`${sandbox.address}/health/ready`)).ok
        })
      }
      for (const block of blocks) {
        if (!hasInterpreter(block)) {
          t.diagnostic(`${page}:${block.line} is not run: there is no ${block.language}`)
          continue
        }
        if (block.target === 'production' && skipWithoutClones('')) continue
        const session = sessions.get(block.target) ?? (await openTarget(block.target))
        sessions.set(block.target, session)
        await session.run(block)
      }
    } finally {
      for (const session of sessions.values()) await session.close()
    }
  })
}
