import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { test } from 'node:test'
import { format } from 'node:util'

/** Declares the test that the example of a library's README runs and prints what stands below it. `folder` is that of the
 * README. */
export function testReadmeExample(folder: URL): void {
  test('the example of the README runs and prints what stands below it', async (t) => {
    const readme = readFileSync(new URL('README.md', folder), 'utf8')
    const [, code = '', printed] = /```ts\n(.*?)```\n\n```\n(.*?)\n```/s.exec(readme) ?? []
    const module = stripTypeScriptTypes(code).replaceAll("from './", `from '${folder}`)
    const log = t.mock.method(console, 'log', () => undefined)
    await import(`data:text/javascript,${encodeURIComponent(module)}`)
    assert.equal(format(...(log.mock.calls[0]?.arguments ?? [])), printed)
  })
}
