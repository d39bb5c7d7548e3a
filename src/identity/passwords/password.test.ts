import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { test } from 'node:test'
import { cheapPasswordCost, openTestApp } from '../../../test/harness/app.ts'
import { FormBrowser } from '../../../test/harness/browser.ts'
import { contract } from '../../../test/harness/contract.ts'
import { putUser } from '../../../test/harness/market.ts'
import { recommendedPasswordCost } from '../../platform/password-cost.ts'
import { systemRandom } from '../../platform/random.ts'
import { checkPassword, hashPassword } from './password.ts'

const recommended = { random: systemRandom, passwordCost: recommendedPasswordCost }
const check = (password: string, stored: string | undefined) =>
  checkPassword(recommended, { password, stored, isStranger: true })

contract(
  'users',
  'a password is stored salted, with what it was hashed by, and is found again',
  async () => {
    const [one, two] = await Promise.all([
      hashPassword(recommended, 'contraseña'),
      hashPassword(recommended, 'contraseña'),
    ])
    assert.match(one, /^scrypt\$15\$8\$3\$[0-9a-f]{32}\$[0-9a-f]{64}$/)
    assert.notEqual(one, two)
    assert.deepEqual(await check('contraseña', one), {
      isRight: true,
      isDated: false,
    })
    assert.deepEqual(await check('contrasena', one), {
      isRight: false,
      isDated: false,
    })
    const decomposed = 'contrasen\u0303a'
    assert.ok((await check(decomposed, one)).isRight, 'however it is typed')
  },
)

contract(
  'users',
  'checking a password of nobody takes as much processor time as a wrong one',
  async () => {
    const stored = await hashPassword(recommended, 'contraseña')
    const cpuMicros = async (hash: string | undefined) => {
      const before = process.cpuUsage()
      await check('a wrong one', hash)
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    const ofUser = await cpuMicros(stored)
    const ofNobody = await cpuMicros(undefined)
    // Without the hashing it would be less than a thousandth.
    assert.ok(ofNobody > ofUser / 3, `${ofNobody} against ${ofUser} µs`)
  },
)

test('nobody’s password is nothing, not even the empty one', async () => {
  for (const input of ['', 'x']) {
    assert.equal((await check(input, undefined)).isRight, false)
  }
})

contract(
  'users',
  'a password that is stored as it was once is hashed anew when its user signs in',
  async () => {
    const app = await openTestApp()
    try {
      const salt = '00112233445566778899aabbccddeeff'
      const key = scryptSync('an old password', Buffer.from(salt, 'hex'), 32, {
        N: 1024,
        r: 8,
        p: 1,
      })
      const stored = `scrypt$10$8$1$${salt}$${key.toString('hex')}`
      await putUser(app.client, 7, { nickname: 'VIEJO' })
      await app.ctx.db.rows({
        name: '',
        text: 'insert into passwords (user_id, hash, changed_at) values (7, $1, now())',
        values: [stored],
      })
      const hashNow = async () => {
        const text = 'select hash from passwords where user_id = 7'
        const [row] = await app.ctx.db.rows<{ hash: string }>({ name: '', text, values: [] })
        return row?.hash ?? ''
      }
      assert.equal((await new FormBrowser(app).signIn('VIEJO', 'a wrong one')).status, 403)
      assert.equal(await hashNow(), stored)
      assert.equal((await new FormBrowser(app).signIn('VIEJO', 'an old password')).status, 303)
      const { ln, r, p } = cheapPasswordCost
      assert.ok((await hashNow()).startsWith(`scrypt$${ln}$${r}$${p}$`))
      assert.equal((await new FormBrowser(app).signIn('VIEJO', 'an old password')).status, 303)
    } finally {
      await app.close()
    }
  },
)

test('a password that is too short, too long or of nobody is refused by name', async () => {
  const app = await openTestApp()
  try {
    await putUser(app.client, 7, { nickname: 'N' })
    const cases: [path: string, body: object, status: number, field: string][] = [
      ['7', { password: 'short' }, 400, 'password'],
      ['7', { password: 'x'.repeat(201) }, 400, 'password'],
      ['7', {}, 400, 'password'],
      ['8', { password: 'long enough' }, 404, 'User not found: 8'],
      ['x', { password: 'long enough' }, 400, 'id'],
    ]
    for (const [id, body, status, field] of cases) {
      const refused = await app.client.operator('PUT', `/operator/users/${id}/password`, body)
      assert.equal(refused.status, status)
      assert.ok(refused.body.message.startsWith(field), refused.body.message)
    }
  } finally {
    await app.close()
  }
})
