import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { command } from './command.ts'
import { completionScript, type Shell } from './completion.ts'
import type { CommandTable } from './table.ts'

const load = async () => async () => undefined
const table: CommandTable = {
  sections: ['Tests'],
  commands: [
    command({ name: 'fly', section: 'Tests', summary: "It's a plane: fly.", load }),
    command({
      name: 'seat take',
      section: 'Tests',
      summary: 'Take `one`.',
      words: { side: { kind: 'choice', of: ['window', 'aisle'], says: 'Which.' } },
      options: {
        class: { kind: 'choice', of: ['first', 'last'], says: 'Which.' },
        since: { kind: 'moment', says: 'When.' },
        quick: { kind: 'flag', says: "Don't wait." },
      },
      load,
    }),
    command({
      name: 'seat read',
      section: 'Tests',
      summary: 'Read a file.',
      words: { file: { kind: 'file', says: 'Which.' } },
      load,
    }),
  ],
}

/** What each shell is asked with: words typed so far, the last one unfinished. */
const asks: Record<Shell, (script: string, words: string[]) => string[]> = {
  bash: (script, words) => {
    const list = words.map((word) => `'${word}'`).join(' ')
    const program = `${script}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _feria; printf '%s\\n' "\${COMPREPLY[@]}"`
    return linesOf('bash', ['--norc', '-c', program])
  },
  zsh: (script, words) => {
    // What zsh's completion system would be told, printed.
    const stubs =
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own
      'compdef() { :; }; _describe() { print -rl -- ${(@P)2%%:*}; }; _files() { print -l package.json; }; compadd() { shift; print -rl -- "$@"; }'
    const list = words.map((word) => `'${word}'`).join(' ')
    const last = words.at(-1) ?? ''
    const program = `${stubs}\n${script}\nwords=(${list}); CURRENT=${words.length}; _feria`
    return linesOf('zsh', ['-f', '-c', program]).filter((word) => word.startsWith(last))
  },
  fish: (script, words) => {
    const program = `${script}\ncomplete -C "${words.join(' ')}"`
    return linesOf('fish', ['--no-config', '-c', program]).map((line) => line.split('\t')[0] ?? '')
  },
}

function linesOf(shell: string, args: string[]): string[] {
  const text = execFileSync(shell, args, { encoding: 'utf8' })
  return text.split('\n').filter((line) => line !== '')
}

for (const shell of ['bash', 'zsh', 'fish'] as const) {
  const isHere = spawnSync(shell, ['-c', 'true']).status === 0
  test(`${shell} completes commands, options, values and files`, { skip: !isHere }, () => {
    const script = completionScript(shell, table)
    const ask = (...words: string[]) => asks[shell](script, ['feria', ...words]).sort()
    assert.deepEqual(ask(''), ['fly', 'seat'])
    assert.deepEqual(ask('s'), ['seat'])
    assert.deepEqual(ask('seat', ''), ['read', 'take'])
    assert.deepEqual(ask('seat', 'take', 'w'), ['window'])
    assert.deepEqual(ask('seat', 'take', '--class', 'l'), ['last'])
    assert.deepEqual(ask('seat', 'take', 'aisle', '--class', 'first', '--q'), ['--quick'])
    assert.deepEqual(ask('seat', 'take', '--since', ''), [], 'a moment is anybody’s guess')
    assert.ok(ask('seat', 'read', 'pack').includes('package.json'))
  })
}

test('a script says nothing of shells in its words that a shell would run', () => {
  const script = completionScript('zsh', table)
  assert.ok(script.includes(`'fly:It'\\''s a plane\\: fly.'`))
  assert.ok(completionScript('fish', table).includes(`'Don'\\''t wait.'`))
})
