import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeOperatorAccess } from './operator-access.ts'

test('the doctor says that the operator token is still on beside accounts', () => {
  const judge = (isTokenEnabled: boolean, accounts: number, owners: number) => {
    const { state, advice = '' } = judgeOperatorAccess({ isTokenEnabled, accounts, owners })
    return [state, /invite|switch-token|docs/.exec(advice)?.[0]]
  }
  assert.deepEqual(judge(true, 0, 0), ['ok', undefined])
  assert.deepEqual(judge(true, 2, 1), ['warning', 'switch-token'])
  assert.deepEqual(judge(true, 1, 0), ['warning', 'invite'])
  assert.deepEqual(judge(false, 2, 1), ['ok', undefined])
  assert.deepEqual(judge(false, 0, 0), ['warning', 'docs'])
})
