import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../harness/app.ts'
import { contract } from '../harness/contract.ts'
import { applicationId } from '../harness/sale.ts'
import { formOf, formType } from '../harness/upload.ts'
import { type Caller, type Class, callers, classes, expectedOf } from './expectations.ts'
import { operations, type Request } from './operations.ts'
import { makeTokens, makeWorld, type World } from './world.ts'

/** Every operation of the reference, asked for by everybody, against the table of `expectations.ts`. */
let app: TestApp
let world: World
let tokens: Record<Caller, string>
/** `GET /orders/{order_id}` */
let documented: string[]

before(async () => {
  app = await openTestApp({ env: { FERIA_RATE_PER_MINUTE: '1000000' } })
  world = await makeWorld(app)
  tokens = await makeTokens(world)
  await app.client.operator('PUT', `/operator/applications/${applicationId}/listeners/laptop`, {})
  const { paths } = (await app.client.get('/openapi.json')).body
  documented = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
})
after(() => app.close())

const isOperators = (operation: string) => /^\w+ \/(operator\/|metrics$)/.test(operation)
const listed = Object.entries(operations) as [
  Exclude<Class, 'operator'>,
  (typeof operations)['public'],
][]

async function send(operation: string, caller: Caller, { path, body, file }: Request) {
  const method = operation.slice(0, operation.indexOf(' '))
  const token = caller === 'none' ? {} : { authorization: `Bearer ${tokens[caller]}` }
  const type = file ? formType : 'application/json'
  const content = file ? formOf({ filename: 'a.txt', content: 'Hola' }) : JSON.stringify(body)
  const answer = await fetch(app.address + path, {
    method,
    redirect: 'manual',
    headers: { ...token, ...(content === undefined ? {} : { 'content-type': type }) },
    ...(content === undefined ? {} : { body: content }),
  })
  const text = (await answer.text()).slice(0, 200)
  return { status: answer.status, says: `${operation} by ${caller}: ${answer.status} ${text}` }
}

test('every operation of the reference is in one class of the table, and nothing else is', () => {
  const named = listed.flatMap(([, made]) => Object.keys(made))
  assert.deepEqual(named.toSorted(), documented.filter((each) => !isOperators(each)).toSorted())
})

test('every class of the table says what everybody meets', () => {
  for (const name of Object.keys(classes) as Class[]) {
    for (const caller of callers) assert.ok(expectedOf(name, caller), `${name}, ${caller}`)
  }
})

/** These check what was sent in the contract's own order. */
const checkThemselves: readonly Class[] = ['message-write', 'guide-write']

for (const [name, made] of listed) {
  contract(
    ['5', 'notifications'],
    `every caller meets what the table says: ${name} ${classes[name]}`,
    async () => {
      const wrong: string[] = []
      for (const [operation, make] of Object.entries(made)) {
        // Who is refused uses nothing up.
        const untouched = await make(world)
        for (const caller of callers) {
          // It ends the tokens of the application.
          if (name === 'grant-write') tokens = await makeTokens(world)
          const expected = expectedOf(name, caller)
          if (expected === 'ok') {
            const request = await make(world)
            const { status, says } = await send(operation, caller, request)
            const isDone = request.meets === undefined ? status < 300 : status === request.meets
            if (!isDone) wrong.push(`${says}, not ${request.meets ?? 'done'}`)
            continue
          }
          const { status, says } = await send(operation, caller, untouched)
          if (status !== expected) wrong.push(`${says}, not ${expected}`)
          if (!untouched.body || untouched.isNamedInBody || checkThemselves.includes(name)) continue
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

contract('5', `every caller meets what the table says: operator ${classes.operator}`, async () => {
  const wrong: string[] = []
  for (const operation of documented.filter(isOperators)) {
    const path = operation.slice(operation.indexOf(' ') + 1).replaceAll(/\{[a-z_]+\}/g, '1')
    for (const caller of callers) {
      const expected = expectedOf('operator', caller)
      // What changes something is done by the tests of each.
      if (expected === 'ok' && !operation.startsWith('GET ')) continue
      const { status, says } = await send(operation, caller, { path })
      const isMet = expected === 'ok' ? status !== 401 && status !== 403 : status === expected
      if (!isMet) wrong.push(`${says}, not ${expected}`)
    }
  }
  assert.deepEqual(wrong, [])
})
