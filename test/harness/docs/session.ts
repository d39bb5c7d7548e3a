import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../cli-fixture.ts'
import { mainFile } from '../program.ts'
import { pollUntil } from '../wait.ts'
import { type Block, root } from './blocks.ts'
import { differenceOf, isShown, jsonValuesOf } from './expected.ts'

const blockTimeoutMs = 90_000
/** Ports of receivers in the pages. Each page gets free ones in their place. */
const receiverPorts = [9000, 3000]
/** What stands before a port. Other numbers of the pages may be equal to one. */
const portPrefix = '(?<=(?:127\\.0\\.0\\.1|localhost):|listen\\()'

/** A shell in which the blocks of a page are pasted one after the other. */
export interface Session {
  /** Runs a block and compares what it answers with what the page shows. */
  run(block: Block): Promise<void>
  close(): Promise<void>
}

/**
 * Opens a shell with the greeting's variables, exported, in an empty folder. The commands are what the pages say,
 * except that ports are others, `feria` and `npm run feria --` are the checkout's program, and curl tells its status.
 */
export async function openSession({
  port,
  setup,
  env = {},
  eventuallyMs = 15_000,
}: {
  port: string
  /** Commands that are run first: the variables of the greeting. */
  setup: string
  env?: Record<string, string>
  /** How long what a block shows may take to appear. */
  eventuallyMs?: number
}): Promise<Session> {
  const folder = mkdtempSync(join(tmpdir(), 'feria-docs-'))
  const home = join(folder, 'home')
  mkdirSync(home)
  // `import … from 'feria/client'` finds the checkout.
  mkdirSync(join(home, 'node_modules'))
  symlinkSync(root, join(home, 'node_modules', 'feria'))
  const ports = new Map([['8080', port]])
  for (const receiver of receiverPorts) ports.set(String(receiver), String(await freePort()))
  const withPorts = (text: string, pairs: Iterable<[string, string]>) =>
    [...pairs].reduce(
      (all, [from, to]) => all.replaceAll(RegExp(`${portPrefix}${from}\\b`, 'g'), to),
      text,
    )
  const localized = (text: string) => withPorts(text, ports)
  // The page's ports again, so that what is shown can be compared.
  const published = (text: string) =>
    withPorts(
      text,
      [...ports].map(([from, to]) => [to, from] as [string, string]),
    )

  const { PATH, NODE_COMPILE_CACHE } = process.env
  const shell = spawn('bash', ['--noprofile', '--norc'], {
    cwd: home,
    env: { PATH, HOME: home, NODE_COMPILE_CACHE, PORT: port, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  shell.stdin.on('error', () => {})
  const marks = createInterface({ input: shell.stdout })[Symbol.asyncIterator]()
  const terminals: { pid: number; out: string }[] = []
  let count = 0

  const outputOf = (file: string) =>
    published(readFileSync(`${file}.out`, 'utf8') + readFileSync(`${file}.err`, 'utf8'))
  const terminalOutput = () => terminals.map(({ out }) => outputOf(out)).join('\n')

  /** Pastes lines; resolves with the word that ends them, or undefined when the shell has ended. */
  async function paste(lines: string): Promise<string | undefined> {
    shell.stdin.write(`${lines}\n`)
    const timer = setTimeout(() => shell.kill('SIGKILL'), blockTimeoutMs)
    const next = await marks.next()
    clearTimeout(timer)
    return next.done ? undefined : next.value
  }

  async function execute(block: Block): Promise<{ output: string; stdout: string }> {
    const where = `${block.page}:${block.line}`
    const file = join(folder, `block-${count++}`)
    writeFileSync(`${file}.sh`, scriptOf({ ...block, text: localized(block.text) }, file))
    const redirected = `</dev/null >"${file}.out" 2>"${file}.err"`
    if (block.terminal !== undefined) {
      writeFileSync(`${file}.out`, '')
      writeFileSync(`${file}.err`, '')
      const pid = await paste(`( source "${file}.sh" ) ${redirected} &\necho $!`)
      terminals.push({ pid: Number(pid), out: file })
      const { terminal } = block
      await pollUntil(`${where} to print "${terminal}"`, () => isShown(terminal, outputOf(file)))
      return { output: outputOf(file), stdout: published(readFileSync(`${file}.out`, 'utf8')) }
    }
    const folderOf = block.target === 'checkout' ? root : home
    const done = await paste(`cd "${folderOf}"\nsource "${file}.sh" ${redirected}\necho done`)
    const output = outputOf(file)
    assert.equal(done, 'done', `${where} fails:\n${block.text}\n${output}`)
    const statuses = [...output.matchAll(/^#status (\d+)$/gm)].map(([, status]) => Number(status))
    const refused = statuses.filter((status) => status >= 400)
    assert.deepEqual(
      refused,
      block.refused,
      `${where} is answered with ${refused.join(', ') || 'no refusal'}:\n${block.text}\n${output}`,
    )
    return { output, stdout: published(readFileSync(`${file}.out`, 'utf8')) }
  }

  /** Returns what is not as the page shows it. */
  function problemOf(block: Block, { output, stdout }: { output: string; stdout: string }) {
    const missing = block.shows.find((text) => !isShown(text, `${output}\n${terminalOutput()}`))
    if (missing !== undefined) return `nothing shows "${missing}"`
    return block.expected ? answerProblem(block.expected, stdout) : undefined
  }

  await paste(prelude)
  assert.equal(
    await paste(`${localized(setup)}\necho ready`),
    'ready',
    'the greeting can be pasted',
  )

  return {
    async run(block) {
      if (block.file !== undefined) {
        writeFileSync(join(home, block.file), `${localized(block.text)}\n`)
        return
      }
      let result = await execute(block)
      let problem = problemOf(block, result)
      const end = performance.now() + eventuallyMs
      while (problem !== undefined && performance.now() < end) {
        // What is notified or counted is there a moment later: a person types slower than this.
        await new Promise((resolve) => setTimeout(resolve, 250))
        if (onlyReads(block)) result = await execute(block)
        problem = problemOf(block, result)
      }
      assert.equal(
        problem,
        undefined,
        `${block.page}:${block.line}: ${problem}\n${block.text}\n${result.output}\n${terminalOutput()}`,
      )
    },
    async close() {
      for (const { pid } of terminals) endGroup(pid)
      await endShell(shell)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const prelude = [
  'set -eo pipefail; set -am; shopt -s inherit_errexit 2>/dev/null || true',
  `feria() { '${process.execPath}' '${mainFile}' "$@"; }`,
  // Its arguments behind the `--` that the pages write.
  `npm() { case "$*" in`,
  `  "run feria -- "*) shift 3; feria "$@";;`,
  `  "run --silent feria -- "*) shift 4; feria "$@";;`,
  // Installing would change the checkout, and the tests run already.
  `  "run simulate "*|"run types"*) command npm "$@";;`,
  `  *) echo "npm $* is not run here: mark the block" >&2; return 1;;`,
  `esac; }`,
  `curl() { command curl -sS -w '%{stderr}\\n#status %{http_code}\\n' "$@" && echo; }`,
  'echo ready',
].join('\n')

function scriptOf(block: Block, file: string): string {
  const node = `'${process.execPath}' --conditions=feria-source`
  const program = (extension: string, command: string, text = block.text) => {
    // Beside node_modules, where imports are looked for.
    const name = `${file.split('/').at(-1)}.${extension}`
    return `cat > ${name} <<'END_OF_BLOCK'\n${text}\nEND_OF_BLOCK\n${command} ${name}`
  }
  switch (block.language) {
    case 'ts':
      return program('ts', node)
    case 'js':
      return program('mjs', node)
    case 'python':
      return program('py', 'python3')
    case 'php':
      return program(
        'php',
        'php',
        block.text.startsWith('<?') ? block.text : `<?php\n${block.text}`,
      )
    case 'http':
      return requestScript(block.text)
    default:
      return block.text
  }
}

/** Sends a request as a page writes it; without an `Authorization` it is the operator's or the demo seller's. */
export function requestScript(text: string): string {
  const [head = '', ...rest] = text.split(/\n\s*\n/)
  const [first = '', ...headers] = head.split('\n')
  const [method = '', path = ''] = first.split(' ')
  const body = rest.join('\n\n').trim()
  const hasHeader = (name: string) =>
    headers.some((header) => header.toLowerCase().startsWith(`${name}:`))
  const all = [
    ...headers,
    ...(hasHeader('authorization') ? [] : [path.startsWith('/operator') ? '$O' : '$S']),
    ...(body === '' || hasHeader('content-type') ? [] : ['Content-Type: application/json']),
  ]
  const command = [
    `curl -X ${method}`,
    ...all.map((header) => `-H "${header}"`),
    ...(body === '' ? [] : ['--data-binary @-']),
    `"$A${path}"`,
  ].join(' ')
  return body === '' ? command : `${command} <<END_OF_BODY\n${body}\nEND_OF_BODY`
}

/** Whether the block may be run again: it changes nothing. */
function onlyReads({ language, text }: Block): boolean {
  if (language === 'http') return text.startsWith('GET ')
  if (language !== 'sh' && language !== 'bash') return false
  const changes = /(^| )(-X|-d|-T|-F|--data\S*|--form) /m.test(text)
  const commands = [...text.matchAll(/\bferia(?: --)? ([a-z-]+)(?: ([a-z-]+))?/g)]
  return !changes && commands.every(([, , verb = '']) => /^(list|show|status|explain)$/.test(verb))
}

function answerProblem(expected: Block, stdout: string): string | undefined {
  if (expected.language === 'http') {
    const missing = expected.text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .find((line) => !isShown(line, stdout))
    return missing === undefined ? undefined : `no line is "${missing}"`
  }
  const differences = jsonValuesOf(stdout).map((value) =>
    differenceOf(JSON.parse(expected.text), value),
  )
  if (differences.includes(undefined)) return undefined
  return differences.at(-1) ?? 'the answer is no JSON'
}

/** Ends a terminal with what it has started. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // It has ended already.
  }
}

async function endShell(shell: ChildProcess): Promise<void> {
  if (shell.exitCode !== null || shell.signalCode !== null) return
  const exited = once(shell, 'exit')
  shell.kill('SIGKILL')
  await exited
}
