import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Provider } from 'oidc-provider'
import type { TestApp } from './app.ts'
import type { TestResponse } from './client.ts'
import { sendAs, succeed } from './operators.ts'

export const clientId = 'feria'
const clientSecret = 'a secret of the client at the provider'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A server on this machine, as an OpenID Connect provider of the settings. */
export interface ProviderServer {
  issuer: string
  /** The settings of an app that uses it. */
  env: Record<string, string>
  /** Paths of the requests that it got. */
  requests: string[]
  /** Replaces what answers. */
  handle(handler: Handler): void
  close(): Promise<void>
}

/** Opens a server that refuses everything until it gets a handler. */
export async function openProviderServer(): Promise<ProviderServer> {
  const requests: string[] = []
  let handler: Handler = (_request, response) => response.writeHead(503).end()
  const server = createServer((request, response) => {
    requests.push(request.url?.split('?', 1)[0] ?? '')
    handler(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    env: {
      FERIA_OIDC_ISSUER: issuer,
      FERIA_OIDC_CLIENT_ID: clientId,
      FERIA_OIDC_CLIENT_SECRET: clientSecret,
      FERIA_OIDC_NAME: 'Example Login',
    },
    requests,
    handle: (next) => {
      handler = next
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** What the provider knows of a person, by the login. */
export type People = Record<string, { email: string; email_verified: boolean }>

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** Lets a certified provider answer, with its own pages for signing in and for consent. */
export function serveCertifiedProvider(
  server: ProviderServer,
  { redirectUri, people }: { redirectUri: string; people: People },
): void {
  const provider = withoutWarnings(
    () =>
      new Provider(server.issuer, {
        clients: [
          { client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] },
        ],
        claims: { openid: ['sub'], email: ['email', 'email_verified'] },
        cookies: { keys: ['a key of the tests'] },
        jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', kid: 'test' }] },
        ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
        findAccount: (_context: unknown, id: string) => ({
          accountId: id,
          claims: () => ({ sub: id, ...people[id] }),
        }),
      }),
  )
  server.handle(provider.callback())
}

const hiddenField = /<input type="hidden" name="(\w+)" value="([^"]*)"/g

/** Runs `work` without the warnings that its pages and its store in memory are not for production. */
function withoutWarnings<T>(work: () => T): T {
  const { warn } = console
  console.warn = () => {}
  try {
    return work()
  } finally {
    console.warn = warn
  }
}

/** What a scripted provider does, where it differs from an honest one. */
export interface ProviderScript {
  /** Changes of the ID token. */
  claims?: Record<string, unknown>
  /** The key that signs it, instead of the published one. */
  signedBy?: KeyObject
  header?: Record<string, unknown>
  /** Changes of the configuration. */
  configuration?: Record<string, unknown>
  userInfo?: Record<string, unknown>
  /** Answers of a path instead of the usual ones. */
  paths?: Record<string, Handler>
}

/** Lets a provider answer that has no pages and does as it is told. It accepts the codes of `scriptedCode`. */
export function serveScriptedProvider(server: ProviderServer, script: () => ProviderScript): void {
  const { issuer } = server
  const documents: Record<string, (code: URLSearchParams) => object> = {
    [configurationPath]: () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      userinfo_endpoint: `${issuer}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...script().configuration,
    }),
    '/keys': () => ({
      keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1', use: 'sig', alg: 'RS256' }],
    }),
    '/token': (code) => ({
      access_token: 'access',
      token_type: 'Bearer',
      expires_in: 60,
      id_token: signIdToken(issuer, code, script()),
    }),
    '/userinfo': () => script().userInfo ?? {},
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    const special = script().paths?.[path]
    if (special) {
      special(request, response)
      return
    }
    const form = new URLSearchParams(await text(request))
    const document = documents[path]?.(new URLSearchParams(form.get('code') ?? ''))
    response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(document ?? {}))
  }
  server.handle((request, response) => void answer(request, response))
}

export const configurationPath = '/.well-known/openid-configuration'

/** Returns a code of a scripted provider for a flow. It says who signs in. */
export function scriptedCode(authorizationUrl: string, sub = 'ana'): string {
  const nonce = new URL(authorizationUrl).searchParams.get('nonce') ?? ''
  return new URLSearchParams({ nonce, sub }).toString()
}

function signIdToken(issuer: string, code: URLSearchParams, script: ProviderScript): string {
  const seconds = Math.floor(Date.now() / 1_000)
  const { nonce, sub } = Object.fromEntries(code)
  const claims = {
    iss: issuer,
    sub,
    aud: clientId,
    iat: seconds,
    exp: seconds + 60,
    nonce,
    email: `${sub}@example.com`,
    email_verified: true,
    ...script.claims,
  }
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const signed = `${encode({ alg: 'RS256', kid: '1', ...script.header })}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(signed), script.signedBy ?? privateKey)
  return `${signed}.${signature.toString('base64url')}`
}

/** A browser that keeps cookies and fills the forms of the provider. */
export class ProviderBrowser {
  readonly #cookies = new Map<string, string>()

  /** Signs in at the provider and returns what it sends the browser back with. */
  async signIn(authorizationUrl: string, login: string): Promise<Record<string, string>> {
    const { origin } = new URL(authorizationUrl)
    let address = authorizationUrl
    let form: URLSearchParams | undefined
    for (let step = 0; step < 20; step++) {
      const response = await this.#request(address, form)
      const location = response.headers.get('location')
      const html = await response.text()
      if (location === null) {
        assert.equal(response.status, 200, html)
        address = new URL(/<form[^>]* action="([^"]+)"/.exec(html)?.[1] ?? '', address).href
        form = new URLSearchParams()
        for (const [, name = '', value = ''] of html.matchAll(hiddenField)) form.set(name, value)
        if (form.get('prompt') === 'login') {
          form.set('login', login)
          form.set('password', 'any')
        }
        continue
      }
      address = new URL(location, address).href
      form = undefined
      if (!address.startsWith(origin)) return Object.fromEntries(new URL(address).searchParams)
    }
    assert.fail('the provider does not send the browser back')
  }

  async #request(address: string, form: URLSearchParams | undefined): Promise<Response> {
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie },
      ...(form ? { method: 'POST', body: form } : {}),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return response
  }
}

type Client = Pick<TestApp, 'client'>

/** What a browser sends to finish a flow. */
export interface FlowBody {
  state: string
  verifier: string
  authorization_code: string
  iss?: string
  code?: string
}

export const signInPath = '/operator/sign-in/openid'

/** Begins a flow, as the console does. */
export function begin(
  app: Client,
  path: string = signInPath,
  token?: string,
): Promise<{ authorization_url: string; state: string; verifier: string }> {
  return succeed(
    app.client.send('POST', `${path}/begin`, {
      body: {},
      ...(token === undefined ? {} : { token }),
    }),
  )
}

/** Goes to the provider and comes back. Returns what the browser sends to finish the flow. */
export async function goToProvider(
  app: Client,
  login: string,
  {
    path = signInPath,
    token,
    browser = new ProviderBrowser(),
  }: { path?: string; token?: string; browser?: ProviderBrowser } = {},
): Promise<FlowBody> {
  const { authorization_url, state, verifier } = await begin(app, path, token)
  const answer = await browser.signIn(authorization_url, login)
  assert.equal(answer['state'], state)
  return {
    state,
    verifier,
    authorization_code: answer['code'] ?? '',
    ...(answer['iss'] === undefined ? {} : { iss: answer['iss'] }),
  }
}

/** Finishes a sign-in. */
export function finishSignIn(app: Client, body: FlowBody): Promise<TestResponse> {
  return app.client.send('POST', signInPath, { body })
}

/** Signs in with the provider and returns the token of the session. */
export async function signInWith(app: Client, login: string): Promise<string> {
  return (await succeed(finishSignIn(app, await goToProvider(app, login)))).token
}

/** Links the account of a session to a person at the provider. */
export async function linkAccount(app: Client, token: string, login: string): Promise<void> {
  const path = '/operator/accounts/me/identity'
  await succeed(sendAs(app, token, 'POST', path, await goToProvider(app, login, { path, token })))
}
