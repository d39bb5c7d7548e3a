import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { ResponseBody } from 'feria/client'
import { openClient, type ServerOptions } from '../client/client.ts'
import { CommandFailure } from '../frame/failure.ts'
import { alignColumns, type Output } from '../frame/output.ts'

const erasurePath = '/operator/users/{id}/erasure'
type Erasure = ResponseBody<typeof erasurePath, 'get'>

/** `feria users export USER`: streams the personal data of a user to standard output or a file. */
export async function exportUserCommand(
  { user, out: file, ...options }: ServerOptions & { user: number; out?: string },
  out: Output,
): Promise<undefined> {
  const { body } = await openClient(options).request('GET', `/operator/users/${user}/personal-data`)
  const lines = completeLines(Readable.fromWeb(body as ReadableStream))
  if (file === undefined) {
    for await (const line of lines) out.write(line)
    return
  }
  // The file gets its name only when it is complete.
  await pipeline(lines, createWriteStream(`${file}.part`))
  await rename(`${file}.part`, file)
  out.printResult({ file }, () => `The personal data of user ${user} is in ${file}`)
}

/** Yields the lines of an export. Throws if the last one does not say that it is complete. */
async function* completeLines(source: Readable): AsyncGenerator<string> {
  let last = ''
  for await (const line of createInterface({
    input: source,
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    last = line
    yield `${line}\n`
  }
  if (last.startsWith('{"kind":"end"')) return
  throw new CommandFailure(
    'The export is incomplete. Repeat it; the log of the server has the cause.',
  )
}

/** `feria users erase USER`: starts the erasure of a user with `--yes`, otherwise shows it. */
export async function eraseUserCommand(
  { user, yes = false, ...options }: ServerOptions & { user: number; yes?: boolean },
  out: Output,
): Promise<undefined> {
  const client = openClient(options)
  const path = { path: { id: user } }
  const erasure = yes
    ? await client.call('POST', erasurePath, path)
    : await client.call('GET', erasurePath, path)
  out.printResult(erasure, () => linesOf(erasure))
}

function linesOf({ user_id, state, step, erased, kept, date_finished }: Erasure): string[] {
  const progress =
    state === 'running'
      ? `The erasure of user ${user_id} is running: ${step}. Show it: feria users erase ${user_id}`
      : `The erasure of user ${user_id} finished at ${date_finished}`
  const counts = Object.entries(erased).map(([data, n]) => [`  ${data}`, String(n)])
  return [
    progress,
    ...alignColumns([['  ERASED', 'ROWS'], ...counts]),
    ...alignColumns([['  KEPT', 'WHY'], ...kept.map(({ data, reason }) => [`  ${data}`, reason])]),
  ]
}
