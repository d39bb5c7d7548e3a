import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TSchema } from 'typebox'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { anaId, brunoId } from '../../../test/harness/market.ts'
import {
  createMessagingMarket,
  type MessagingTokens,
  placeCustomShippingOrder,
} from '../../../test/harness/messaging.ts'
import { uploadFile } from '../../../test/harness/upload.ts'
import { LegacySendBody, SendBody } from '../schemas.ts'

/**
 * The bodies of messages are checked by hand, in an order that is fixed. Their schemas only describe them, so these
 * tests send a body for each thing that a schema says, and compare.
 */
let app: TestApp
let talk: MessagingTokens
before(async () => {
  app = await openTestApp()
  talk = await createMessagingMarket(app.client)
})
after(() => app.close())

type Path = readonly (string | number)[]
interface Part {
  path: Path
  schema: TSchema & { maxLength?: number; maxItems?: number }
  isRequired: boolean
}

/** Lists the parts of a schema. Of a list, those of its first element. */
function partsOf(schema: TSchema, path: Path = []): Part[] {
  const {
    properties = {},
    required = [],
    items,
  } = schema as {
    properties?: Record<string, TSchema>
    required?: string[]
    items?: TSchema
  }
  const fields = Object.entries(properties).flatMap(([name, field]) => [
    { path: [...path, name], schema: field, isRequired: required.includes(name) },
    ...partsOf(field, [...path, name]),
  ])
  return items ? [...fields, ...partsOf(items, [...path, 0])] : fields
}

/** Returns a copy of a body with another value at a path; undefined leaves the part out. */
function withPart(body: object, path: Path, value: unknown): object {
  const copy = structuredClone(body)
  const [last, ...before] = path.toReversed()
  const parent = before.reduceRight<Record<string, unknown>>(
    (at, key) => at[key] as Record<string, unknown>,
    copy as Record<string, unknown>,
  )
  parent[last as string] = value
  return copy
}

const bodies = {
  async SendBody() {
    const { id: packId } = await placeCustomShippingOrder(app.client)
    const file = await uploadFile(app.address, {
      token: talk.anaToken,
      filename: 'a.txt',
      content: 'a',
    })
    return {
      path: `/messages/packs/${packId}/sellers/${anaId}?tag=post_sale`,
      body: {
        from: { user_id: anaId },
        to: { user_id: brunoId, email: 'x@example.com' },
        text: 'Hola',
        attachments: [file],
      },
    }
  },
  async LegacySendBody() {
    const { id: orderId } = await placeCustomShippingOrder(app.client)
    const file = await uploadFile(app.address, {
      token: talk.anaToken,
      filename: 'a.txt',
      content: 'a',
    })
    const to = {
      user_id: brunoId,
      email: 'x@example.com',
      resource: 'orders',
      resource_id: orderId,
      site_id: 'MLA',
    }
    return {
      path: '/messages?tag=post_sale',
      body: {
        from: { user_id: anaId },
        to: [to],
        subject: 'Hola',
        text: { plain: 'Hola' },
        attachments: [file],
      },
    }
  },
}

const send = async (path: string, body: object) => {
  const { status, text } = await app.client.send('POST', path, { body, token: talk.anaToken })
  return { status, text }
}

/** Values of these fields that the schema does not allow are ignored: they decide nothing in such a body. */
const ignored = new Set([
  'SendBody to.email',
  'LegacySendBody to.0.email',
  'LegacySendBody subject',
])

for (const [name, schema] of Object.entries({ SendBody, LegacySendBody })) {
  const parts = partsOf(schema)
  const bodyOf = bodies[name as keyof typeof bodies]
  /** Sends a body of a new sale with another value in it. */
  const sendWith = async (path: Path, value: unknown) => {
    const base = await bodyOf()
    return send(base.path, withPart(base.body, path, value))
  }

  test(`${name}: a body with every field that is described is taken`, async () => {
    const { path, body } = await bodyOf()
    const { status, text } = await send(path, body)
    assert.equal(status, 201, text)
    assert.deepEqual(
      parts.filter((part) => valueAt(body, part.path) === undefined),
      [],
    )
  })

  for (const { path, schema: part, isRequired } of parts) {
    const label = path.join('.')
    const expected = isRequired ? 400 : 201
    test(`${name}: without ${label} it is ${isRequired ? 'refused' : 'taken'}`, async () => {
      const { status, text } = await sendWith(path, undefined)
      assert.equal(status, expected, text)
    })
    const wrong: unknown[] = [{ unexpected: true }, false]
    if (part.maxLength) wrong.push('x'.repeat(part.maxLength + 1))
    if (part.maxItems) wrong.push(Array.from({ length: part.maxItems + 1 }, () => 'x'))
    for (const value of wrong) {
      const written = JSON.stringify(value).slice(0, 30)
      const isIgnored = ignored.has(`${name} ${label}`)
      test(`${name}: ${label} as ${written} is ${isIgnored ? 'ignored' : 'refused'}`, async () => {
        const { status, text } = await sendWith(path, value)
        assert.ok(isIgnored ? status === 201 : status >= 400 && status < 500, `${status} ${text}`)
      })
    }
  }
}

function valueAt(body: object, path: Path): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], body)
}
