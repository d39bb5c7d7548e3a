import assert from 'node:assert/strict'
import { contract } from '../../test/harness/contract.ts'
import { digestOf, formatToken, userOfToken } from './token.ts'

const secret = '0123456789abcdef0123456789abcdef'
const now = new Date('2026-09-05T15:59:00.000Z')

contract('users', 'a token names its application, its hour and its user', () => {
  const fields = { userId: 1234567, applicationId: 123456, secret, now }
  assert.equal(formatToken(fields), `APP_USR-123456-090515-${secret}-1234567`)
  assert.equal(
    formatToken({ ...fields, applicationId: null }),
    `APP_USR-0-090515-${secret}-1234567`,
    'application 0 is none',
  )
})

contract('users', 'only the whole shape of a token says whose it is', () => {
  assert.equal(userOfToken(`APP_USR-1-090515-${secret}-77`), 77)
  for (const text of [
    '',
    'APP_USR',
    `APP_USR-1-090515-${secret}-0`,
    `APP_USR-1-090515-${secret}-077`,
    `APP_USR-1-090515-${secret}-77 `,
    ` APP_USR-1-090515-${secret}-77`,
    `APP_USR-1-090515-${secret}-77\n`,
    `APP_USR-1-090515-${secret.toUpperCase()}-77`,
    `APP_USR-1-0905150-${secret}-77`,
    `APP_USR-x-090515-${secret}-77`,
    `APP_USR-1-090515-${secret.slice(1)}-77`,
    `app_usr-1-090515-${secret}-77`,
    `APP_USR-1-090515-${secret}-12345678901234567`,
  ])
    assert.equal(userOfToken(text), undefined, JSON.stringify(text))
})

contract('users', 'a digest is of the whole token and gives nothing of it away', () => {
  const token = formatToken({ userId: 5, applicationId: 6, secret, now })
  assert.match(digestOf(token), /^[0-9a-f]{64}$/)
  assert.ok(!digestOf(token).includes(secret))
  assert.notEqual(digestOf(token), digestOf(`${token}0`))
})
