import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { curlCommandOf } from '../../console/src/api/curl.ts'

/** Runs a command in a shell whose `curl` prints its arguments, one per line. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\n' "$@"; }\n${command}`
  const env = { ...process.env, TOKEN: 'APP_USR-1' }
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env }).trimEnd().split('\n')
}

test('a copied command sends the token of the shell variable, and everything else as it is', () => {
  const command = curlCommandOf({
    method: 'PUT',
    url: 'http://127.0.0.1/x?q=$HOME',
    headers: { 'content-type': 'application/json', 'content-length': 9 },
    body: `{"a":"it's $TOKEN"}`,
    tokenVariable: 'TOKEN',
  })
  assert.deepEqual(argumentsOf(command), [
    ...['-X', 'PUT', 'http://127.0.0.1/x?q=$HOME'],
    ...['-H', 'authorization: Bearer APP_USR-1'],
    ...['-H', 'content-type: application/json'],
    ...['--data-raw', `{"a":"it's $TOKEN"}`],
  ])
})

test('without a token variable a command has no authorization', () => {
  const command = curlCommandOf({ method: 'GET', url: 'http://127.0.0.1/', headers: {} })
  assert.deepEqual(argumentsOf(command), ['-X', 'GET', 'http://127.0.0.1/'])
})
