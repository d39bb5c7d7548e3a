import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { test } from 'node:test'
import { format } from 'node:util'

const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8')

test('the example of the README runs and prints what stands below it', async (t) => {
  const [, code = '', printed] = /```ts\n(.*?)```\n\n```\n(.*?)\n```/s.exec(readme) ?? []
  const here = new URL('./', import.meta.url)
  const module = stripTypeScriptTypes(code).replaceAll("from './", `from '${here}`)
  const log = t.mock.method(console, 'log', () => undefined)
  await import(`data:text/javascript,${encodeURIComponent(module)}`)
  assert.equal(format(...(log.mock.calls[0]?.arguments ?? [])), printed)
})
