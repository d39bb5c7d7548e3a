import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { routes } from '../../src/app/routes.ts'
import { openTestApp, type TestApp } from '../harness/app.ts'
import { contract } from '../harness/contract.ts'
import { applicationId } from '../harness/market.ts'
import { formContentType, multipartForm } from '../harness/upload.ts'
import {
  type AccessClass,
  accessClasses,
  type CallerKind,
  callerKinds,
  expectedStatusOf,
} from './expectations.ts'
import { type AuthorizationFixture, createAuthorizationFixture, makeTokens } from './fixture.ts'
import { type OperationRequest, operationRequests } from './operations.ts'

/** Every operation of the reference, asked for by everybody, against the table of `expectations.ts`. */
let app: TestApp
let world: AuthorizationFixture
let tokens: Record<CallerKind, string>
/** `GET /orders/{order_id}` */
let documented: string[]

before(async () => {
  app = await openTestApp({ env: { FERIA_RATE_PER_MINUTE: '1000000' } })
  world = await createAuthorizationFixture(app)
  tokens = await makeTokens(world)
  await app.client.operator('PUT', `/operator/applications/${applicationId}/listeners/laptop`, {})
  const { paths } = (await app.client.get('/openapi.json')).body
  documented = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
})
after(() => app.close())

const isOperators = (operation: string) =>
  /^\w+ \/(operator\/|metrics$)/.test(operation) &&
  !/\/operator\/(sign-in(\/openid(\/begin)?)?|invitations\/accept)$/.test(operation)
/** `operator-roles.test.ts` says who may call these: accounts, and not the operator's token. */
const ownAccountOperations = new Set(
  routes
    .filter(({ permission }) => permission === 'own-account')
    .map(({ method, url }) => `${method} ${url.replaceAll(/:([a-z_]+)/g, '{$1}')}`),
)
const classifiedOperations = Object.entries(operationRequests) as [
  Exclude<AccessClass, 'operator'>,
  (typeof operationRequests)['public'],
][]

async function send(operation: string, caller: CallerKind, { path, body, file }: OperationRequest) {
  const method = operation.slice(0, operation.indexOf(' '))
  const form = multipartForm({ filename: 'a.txt', content: 'Hola' })
  const { status, text } = await app.client.send(method, path, {
    redirect: 'manual',
    ...(caller === 'none' ? {} : { token: tokens[caller] }),
    ...(file ? { body: form, headers: { 'content-type': formContentType } } : { body }),
  })
  return { status, says: `${operation} by ${caller}: ${status} ${text.slice(0, 200)}` }
}

test('every operation of the reference is in one class of the table, and nothing else is', () => {
  const named = classifiedOperations.flatMap(([, makers]) => Object.keys(makers))
  assert.deepEqual(named.toSorted(), documented.filter((each) => !isOperators(each)).toSorted())
})

test('every class of the table says what everybody meets', () => {
  for (const name of Object.keys(accessClasses) as AccessClass[]) {
    for (const caller of callerKinds)
      assert.ok(expectedStatusOf(name, caller), `${name}, ${caller}`)
  }
})

/** These check what was sent in the contract's own order. */
const bodyFirstClasses: readonly AccessClass[] = ['message-write', 'guide-write']

for (const [name, makers] of classifiedOperations) {
  contract(
    ['5', 'notifications'],
    `every caller meets what the table says: ${name} ${accessClasses[name]}`,
    async () => {
      const wrong: string[] = []
      for (const [operation, make] of Object.entries(makers)) {
        // Who is refused uses nothing up.
        const untouched = await make(world)
        for (const caller of callerKinds) {
          // It ends the tokens of the application.
          if (name === 'grant-write') tokens = await makeTokens(world)
          const expected = expectedStatusOf(name, caller)
          if (expected === 'ok') {
            const request = await make(world)
            const { status, says } = await send(operation, caller, request)
            const isDone =
              request.expectedStatus === undefined
                ? status < 300
                : status === request.expectedStatus
            if (!isDone) wrong.push(`${says}, not ${request.expectedStatus ?? 'done'}`)
            continue
          }
          const { status, says } = await send(operation, caller, untouched)
          if (status !== expected) wrong.push(`${says}, not ${expected}`)
          if (!untouched.body || untouched.isNamedInBody || bodyFirstClasses.includes(name))
            continue
          const early = await send(operation, caller, {
            ...untouched,
            body: { of: { no: 'sense' } },
          })
          if (early.status !== expected) wrong.push(`without sense, ${early.says}, not ${expected}`)
        }
      }
      assert.deepEqual(wrong, [])
    },
  )
}

contract(
  '5',
  `every caller meets what the table says: operator ${accessClasses.operator}`,
  async () => {
    const wrong: string[] = []
    for (const operation of documented.filter(isOperators)) {
      const path = operation.slice(operation.indexOf(' ') + 1).replaceAll(/\{[a-z_]+\}/g, '1')
      for (const caller of callerKinds) {
        const expected = expectedStatusOf('operator', caller)
        // What changes something is done by the tests of each.
        if (expected === 'ok' && !operation.startsWith('GET ')) continue
        const { status, says } = await send(operation, caller, { path })
        const isMet =
          expected === 'ok'
            ? status !== 401 && (status !== 403 || ownAccountOperations.has(operation))
            : status === expected
        if (!isMet) wrong.push(`${says}, not ${expected}`)
      }
    }
    assert.deepEqual(wrong, [])
  },
)
