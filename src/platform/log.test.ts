import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

const module = new URL('./log.ts', import.meta.url).href

function printedBy(source: string): string {
  const program = `import { makeLog } from '${module}'; const log = makeLog('info'); ${source}`
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
}

test('what was logged last is there however the process ends', () => {
  for (const end of ['', 'process.exit(0)', 'setTimeout(() => process.exit(0), 5)']) {
    const line = JSON.parse(printedBy(`log.info({ order: 7 }, 'last words'); ${end}`))
    assert.deepEqual([line.order, line.msg], [7, 'last words'], end)
  }
})

test('a line below the level is not written', () => {
  assert.equal(printedBy("log.debug({}, 'chatter')"), '')
})
