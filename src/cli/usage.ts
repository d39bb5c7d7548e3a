import { parseArgs } from 'node:util'
import { ConfigFailure } from '../platform/config.ts'
import { SchemaTooNew } from '../platform/database/migrate.ts'
import { EmbeddedFailure } from '../platform/postgres/failure.ts'

/** A command was called in a way that it does not know. */
export class UsageFailure extends Error {
  override name = 'UsageFailure'
}

/** `--name value` options and `--name` flags; throws on what is not listed. */
export function readOptions<T extends Record<string, 'text' | 'flag'>>(
  args: string[],
  wanted: T,
): { [K in keyof T]?: T[K] extends 'flag' ? boolean : string } {
  const options = Object.fromEntries(
    Object.entries(wanted).map(([name, kind]) => [
      name,
      { type: kind === 'flag' ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  return parseArgs({ args, options, strict: true, allowPositionals: false }).values as {
    [K in keyof T]?: T[K] extends 'flag' ? boolean : string
  }
}

/** The same with words beside them, as in `import DIR --dry-run`. */
export function readWords<T extends Record<string, 'text' | 'flag'>>(
  args: string[],
  wanted: T,
): { words: string[]; options: ReturnType<typeof readOptions<T>> } {
  const isOption = (index: number) => {
    const [, name = ''] = /^--([^=]+)/.exec(args[index] ?? '') ?? []
    const [, valued] = /^--([^=]+)$/.exec(args[index - 1] ?? '') ?? []
    return name !== '' || (valued !== undefined && wanted[valued] === 'text')
  }
  const words = args.filter((_arg, index) => !isOption(index))
  const rest = args.filter((_arg, index) => isOption(index))
  return { words, options: readOptions(rest, wanted) }
}

export function readCount(
  name: string,
  text: string | undefined,
  most: number,
): number | undefined {
  if (text === undefined) return undefined
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= most) return count
  throw new UsageFailure(`--${name}: expected a whole number from 1 to ${most}, got "${text}"`)
}

/** What to tell the person at the keyboard of an error that they can mend; undefined for a defect,
 * which is shown whole. */
export function sentenceFor(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof ConfigFailure || error instanceof EmbeddedFailure) return error.message
  if (error instanceof UsageFailure || error instanceof SchemaTooNew) return error.message
  const code = 'code' in error ? String(error.code) : ''
  if (code.startsWith('ERR_PARSE_ARGS')) return error.message
  if (code === 'EADDRINUSE') return `${error.message}\nSet PORT to a free one (0 takes any).`
  if (code === 'EACCES') return error.message
  if (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|28P01|28000|3D000)$/.test(code)) {
    return `The database of DATABASE_URL can not be reached (${code}). Is it running, and are its host, port, user, password and name right?`
  }
  return undefined
}
