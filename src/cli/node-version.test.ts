import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeProblem } from './node-version.ts'

test('a Node older than the package needs is named with the needed one; any newer runs', () => {
  const runs = ['22.12.0', '22.12.1', '22.13.0', '23.0.0', '24.0.0', '26.10.0', '100.0.0']
  for (const version of runs) assert.equal(nodeProblem(version, '>=22.12'), undefined, version)
  for (const version of ['22.11.9', '22.2.0', '21.99.0', '20.20.2', '9.0.0']) {
    const says = `feria needs Node 22.12 or newer; this is Node ${version}.`
    assert.equal(nodeProblem(version, '>=22.12'), says)
  }
  assert.equal(nodeProblem('22.12.1', '>=22.12.1'), undefined)
  assert.match(nodeProblem('22.12.0', '>=22.12.1') ?? '', /22\.12\.1 or newer/)
})
