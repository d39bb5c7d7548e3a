import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { routes } from '../../src/app/routes.ts'
import { operatorPermissions } from '../../src/http/permissions.ts'
import type { Route } from '../../src/http/route.ts'
import { type BuiltInRole, builtInRoleNames, builtInRoles } from '../../src/operators/role.ts'
import { openTestApp, type TestApp } from '../harness/app.ts'
import { createKey, openAccount } from '../harness/operators.ts'

/** What each role may call, and whose sites limit it. A change of it is seen in review, because the table is committed. */
const committedTable = readFileSync(new URL('operator-roles.txt', import.meta.url), 'utf8')

const operatorRoutes = routes.filter(({ scope }) => scope === 'operator')

const rows = operatorRoutes.map(({ method, url, permission, sites }) => {
  const cells = builtInRoleNames.map((role) => {
    if (permission === 'own-account') return 'own'
    return builtInRoles[role].some((granted) => granted === permission) ? 'yes' : '-'
  })
  return [`${method} ${url}`, permission, `[${sites?.name}]`, ...cells].join('  ')
})
const table = [
  ['operation', 'permission', '[sites of]', ...builtInRoleNames].join('  '),
  ...rows.toSorted(),
  '',
]

test('each role may call the operations of the committed table, and no others', () => {
  const wanted = committedTable.split('\n')
  const difference = [
    ...wanted.filter((line) => !table.includes(line)).map((line) => `- ${line}`),
    ...table.filter((line) => !wanted.includes(line)).map((line) => `+ ${line}`),
  ]
  assert.deepEqual(difference, [], 'Check the change, then write it into operator-roles.txt.')
  assert.deepEqual(wanted, table)
})

/** Returns what the committed table says of a role at an operation. */
function committedCell({ method, url }: Route, role: BuiltInRole): string | undefined {
  const row = committedTable.split('\n').find((line) => line.startsWith(`${method} ${url}  `))
  return row?.split('  ')[3 + builtInRoleNames.indexOf(role)]
}

let app: TestApp
const keys = new Map<BuiltInRole, string>()
const sessions = new Map<BuiltInRole, string>()
before(async () => {
  app = await openTestApp({ env: { FERIA_RATE_PER_MINUTE: '1000000' } })
  for (const role of builtInRoleNames) {
    keys.set(role, (await createKey(app, { role })).key)
    sessions.set(role, (await openAccount(app, { email: `${role}@example.com`, role })).token)
  }
})
after(() => app.close())

/** The refusals that say that an operator may not call. */
const refusals = ['permission_denied', 'account_required', 'verification_required']

async function refusalOf({ method, url }: Route, token: string) {
  // An id that nothing has and a body that fits nothing: who may call changes nothing.
  const path = url.replaceAll(/:[a-z_]+/g, 'nothing')
  const body = method === 'GET' ? undefined : { of: { no: 'sense' } }
  const { status, body: answer } = await app.client.send(method, path, { token, body })
  return status === 401 ? 'operator_only' : refusals.find((code) => code === answer?.error)
}

for (const role of builtInRoleNames) {
  test(`an account and a key with the role ${role} meet what the table says`, async () => {
    const wrong: string[] = []
    for (const route of operatorRoutes) {
      const cell = committedCell(route, role)
      const byAccount = cell === '-' ? 'permission_denied' : undefined
      const isForAccounts = cell === 'own' || (cell === 'yes' && route.isSensitive)
      const byKey = isForAccounts ? 'account_required' : byAccount
      const codes = [
        await refusalOf(route, sessions.get(role) ?? ''),
        await refusalOf(route, keys.get(role) ?? ''),
      ]
      if (codes[0] !== byAccount || codes[1] !== byKey) {
        wrong.push(`${route.method} ${route.url}: ${codes}, not ${byAccount},${byKey}`)
      }
    }
    assert.deepEqual(wrong, [])
  })
}

test('every permission is required by an operation', () => {
  const required = new Set(routes.map(({ permission }) => permission))
  assert.deepEqual(
    operatorPermissions.filter((permission) => !required.has(permission)),
    [],
  )
})

test('the owner may do everything, and a reader changes nothing', () => {
  assert.deepEqual(builtInRoles.owner, operatorPermissions)
  const reading = operatorRoutes.filter(({ permission }) => permission?.endsWith(':read'))
  const changing = reading.filter(({ method, url }) => method !== 'GET' && !trials.includes(url))
  assert.deepEqual(changing, [])
})

/** These only try something out. */
const trials = ['/operator/moderation/try', '/operator/moderation/preview']
