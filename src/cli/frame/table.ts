import { UsageFailure } from '../failure.ts'
import type { Command } from './command.ts'
import { meant } from './suggest.ts'

/** All commands, in the order of the help, and the headings that they stand under. */
export interface Table {
  sections: readonly string[]
  commands: readonly Command[]
}

/** A command with what stands behind its name, or the first word of several commands. */
export type ResolvedCommand =
  | { kind: 'command'; command: Command; args: readonly string[] }
  | { kind: 'group'; group: string; args: readonly string[] }

/** Throws `UsageFailure` when there is no such command. */
export function find({ commands }: Table, args: readonly string[]): ResolvedCommand {
  const [first = '', second = ''] = args
  const two = commands.find(({ name }) => name === `${first} ${second}`)
  if (two) return { kind: 'command', command: two, args: args.slice(2) }
  const one = commands.find(({ name }) => name === first)
  const members = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (one) return { kind: 'command', command: one, args: args.slice(1) }
  if (members.length > 0) {
    if (second === '' || second.startsWith('-')) {
      return { kind: 'group', group: first, args: args.slice(1) }
    }
    const known = members.map(({ name }) => name.split(' ')[1] ?? '')
    throw new UsageFailure(
      `There is no command "${first} ${second}".${meant(second, known)}\nRun: feria ${first} ${known.join('|')}`,
    )
  }
  const known = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]
  throw new UsageFailure(`There is no command "${first}".${meant(first, known)}\nRun: feria help`)
}

/** What may stand behind these words of a command line as the next word of a command. */
export function nextWords({ commands }: Table, path: string): Map<string, string> {
  const next = new Map<string, string>()
  const head = path === '' ? '' : `${path} `
  for (const { name, summary } of commands) {
    if (!name.startsWith(head)) continue
    const [word = '', ...rest] = name.slice(head.length).split(' ')
    const several = commands.filter((each) => each.name.startsWith(`${head}${word} `))
    const verbs = several.map((each) => each.name.split(' ')[1]).join(', ')
    if (!next.has(word)) next.set(word, rest.length > 0 ? verbs : summary)
  }
  return next
}
