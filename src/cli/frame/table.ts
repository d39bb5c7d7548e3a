import type { Command } from './command.ts'
import { UsageFailure } from './failure.ts'
import { didYouMean } from './suggest.ts'

/** All commands in the order of the help, and the headings. */
export interface CommandTable {
  sections: readonly string[]
  commands: readonly Command[]
}

/** A command with its arguments, or the first word of a group of commands. */
export type ResolvedCommand =
  | { kind: 'command'; command: Command; args: readonly string[] }
  | { kind: 'group'; group: string; args: readonly string[] }

/** Returns the command or group of a command line. Throws `UsageFailure` if there is none. */
export function resolveCommand(
  { commands }: CommandTable,
  args: readonly string[],
): ResolvedCommand {
  const [first = '', second = ''] = args
  const path = `${first} ${second}`
  const two = commands.find(({ name, formerName }) => name === path || formerName === path)
  if (two) return { kind: 'command', command: two, args: args.slice(2) }
  const one = commands.find(({ name }) => name === first)
  const members = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (one) return { kind: 'command', command: one, args: args.slice(1) }
  if (members.length > 0) {
    if (second === '' || second.startsWith('-')) {
      return { kind: 'group', group: first, args: args.slice(1) }
    }
    const names = members.map(({ name }) => name.split(' ')[1] ?? '')
    throw new UsageFailure(
      `There is no command "${first} ${second}".${didYouMean(second, names)}\nRun: feria ${first} ${names.join('|')}`,
    )
  }
  const names = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]
  throw new UsageFailure(
    `There is no command "${first}".${didYouMean(first, names)}\nRun: feria help`,
  )
}

/** Returns the words that may follow `path` in the name of a command, with their descriptions. */
export function nextWords({ commands }: CommandTable, path: string): Map<string, string> {
  const next = new Map<string, string>()
  const head = path === '' ? '' : `${path} `
  for (const { name, summary } of commands) {
    if (!name.startsWith(head)) continue
    const [word = '', ...rest] = name.slice(head.length).split(' ')
    const members = commands.filter((command) => command.name.startsWith(`${head}${word} `))
    const verbs = members.map((member) => member.name.split(' ')[1]).join(', ')
    if (!next.has(word)) next.set(word, rest.length > 0 ? verbs : summary)
  }
  return next
}
