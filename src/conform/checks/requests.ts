import { refusal } from './bodies.ts'
import type { ConformCheck } from './check.ts'
import { hasLength, isError, responsePasses, valueIs } from './rules.ts'

/** A token request in the formats that clients of other languages use. `invalid_client` shows that it was parsed. */
const fields = 'grant_type=refresh_token&client_id=1&client_secret=wrong&refresh_token=TG-1'
const parts = fields
  .split('&')
  .map((field) => field.split('='))
  .map(([name, value]) => {
    return `--feria\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  })
const tokenRequests: readonly (readonly [name: string, type: string, body: string])[] = [
  ['a form', 'application/x-www-form-urlencoded', fields],
  ['a form that is said to be JSON', 'application/json', fields],
  ['multipart', 'multipart/form-data; boundary=feria', `${parts.join('')}--feria--\r\n`],
]

const search = 'GET /orders/search?seller={user}&limit=1'

/** Checks of requests that existing clients send and the contract does not describe. */
const requests: readonly Omit<ConformCheck, 'section' | 'open'>[] = [
  {
    says: 'an unknown parameter is ignored and reported',
    ask: 'GET /orders/{order}?colour=red',
    gives: 200,
    head: { 'x-feria-ignored': /^colour$/ },
  },
  {
    says: 'an unknown parameter does not count as a filter',
    ask: 'GET /orders/search?colour=red',
    gives: 400,
    body: refusal,
  },
  {
    says: 'a strict request with an unknown parameter is refused',
    ask: 'GET /orders/{order}?colour=red',
    headers: { 'x-feria-strict': 'true' },
    gives: 400,
    body: refusal,
    holds: [isError('bad_request', /^colour: /)],
  },
  {
    says: 'me is the caller in a search',
    ask: 'GET /orders/search?seller=me&limit=1',
    gives: 200,
    holds: [hasLength('results', { most: 1 })],
  },
  {
    says: 'me is the caller in a path',
    ask: 'GET /users/me/items/search?limit=1',
    gives: 200,
    holds: [valueIs('seller_id', '{user}')],
  },
  {
    says: 'a site is named in lower case',
    ask: 'GET /sites/mla',
    as: 'nobody',
    gives: 200,
    holds: [valueIs('id', 'MLA')],
  },
  {
    says: 'a parameter may be repeated with the same value',
    ask: `${search}&seller={user}`,
    gives: 200,
  },
  {
    says: 'a repeated parameter is a list',
    ask: `${search}&tags=no_such_tag&tags=nor_this`,
    gives: 200,
    holds: [hasLength('results', { most: 0 })],
  },
  {
    says: 'a date without a time is a whole day',
    ask: `${search}&order.date_created.from=2000-01-01&order.date_created.to=2099-12-31`,
    gives: 200,
    holds: [hasLength('results', { least: 1 })],
  },
  {
    says: 'an impossible date is refused',
    ask: `${search}&order.date_created.from=2026-02-30`,
    gives: 400,
    body: refusal,
  },
  {
    says: 'JSON is read with any content type, and an unknown field is reported',
    ask: 'POST /orders/{order}/notes',
    headers: { 'content-type': 'text/plain' },
    send: { note: 'x', colour: 'red' },
    gives: 201,
    head: { 'x-feria-ignored': /^colour$/ },
    writes: true,
    keeps: { plain_note: 'note.id' },
  },
  {
    says: 'an operation without a body accepts any content type',
    ask: 'DELETE /orders/{order}/notes/{plain_note}',
    headers: { 'content-type': 'application/json' },
    gives: 200,
    writes: true,
  },
  {
    says: 'an unknown path of a resource is not found',
    ask: 'GET /items/visits',
    gives: 404,
    body: refusal,
    holds: [isError('not_found', /^No resource /)],
  },
  {
    says: 'every answer has the remaining rate',
    ask: 'GET /sites',
    as: 'nobody',
    gives: 200,
    head: { ratelimit: /r=\d+;t=\d+/, 'x-ratelimit-remaining': /^\d+$/ },
  },
  ...tokenRequests.map(([name, type, body]) => ({
    says: `a token is requested as ${name}`,
    ask: 'POST /oauth/token',
    as: 'nobody' as const,
    headers: { 'content-type': type },
    send: body,
    gives: [400, 401],
    // A failed attempt counts towards the limit of guesses.
    writes: true as const,
    holds: [
      responsePasses(
        'invalid_client',
        (answer: { error?: string } | undefined) => answer?.error === 'invalid_client',
      ),
    ],
  })),
]

export const requestChecks: readonly ConformCheck[] = requests.map((check) => ({
  ...check,
  section: '10',
  open: true,
}))
