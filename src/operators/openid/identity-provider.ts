import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
} from 'openid-client'
import { type Clock, hourMs, secondMs } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { IdentityProviderSettings } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import { boundedFetch, NoUsableAnswer } from '../../platform/outbound/bounded-fetch.ts'

declare module '../../platform/context.ts' {
  interface Context {
    /** Undefined without `FERIA_OIDC_ISSUER`. */
    readonly identityProvider: IdentityProvider | undefined
  }
}

/** Time limit of one request to the provider. A flow has up to four: discovery, token, keys and user info. */
const requestSeconds = 5
/** Documents of real providers have a few kilobytes. */
const maxAnswerBytes = 256 * 1024
/** How long the answer of discovery is used. The library renews the keys of the provider itself. */
const discoveryMs = hourMs
/** Flows that one process finishes at a time. */
const maxConcurrent = 20
const requiredEndpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const
/** The longest subject identifier that the standard allows. */
const maxSubjectLength = 255

/** What identifies a flow at the provider. Only the browser keeps the verifier. */
export interface AuthorizationRequest {
  redirectUri: string
  state: string
  nonce: string
  verifier: string
}

/** What the browser brought back from the provider. */
export interface AuthorizationResponse {
  authorizationCode: string
  iss: string | undefined
}

/** A person whom the provider has signed in. */
export interface ProvenIdentity {
  subject: string
  /** How long before the answer the person signed in at the provider. Undefined if the provider does not say. */
  signInAgeMs: number | undefined
  /** Returns the e-mail address, if the provider has verified it. */
  verifiedEmail(): Promise<string | undefined>
}

/**
 * The OpenID Connect provider of the settings. It is reached only when somebody signs in with it. Its methods throw
 * `provider_unavailable` or `provider_refused`.
 */
export class IdentityProvider {
  readonly issuer: string
  /** The name by which the sign-in page shows it. */
  readonly name: string
  readonly #settings: IdentityProviderSettings
  readonly #now: Clock
  readonly #log: Pick<Log, 'warn'>
  #discovered: { configuration: Configuration; readAt: number } | undefined
  #discovery: Promise<Configuration> | undefined
  #concurrent = 0

  constructor(
    settings: IdentityProviderSettings,
    { now, log }: { now: Clock; log: Pick<Log, 'warn'> },
  ) {
    this.#settings = settings
    this.issuer = settings.issuer
    this.name = settings.name
    this.#now = now
    this.#log = log
  }

  /** Returns the address at the provider to which the browser goes. With `forcesSignIn`, the provider asks for the
   * password again. */
  async authorizationUrl(
    { redirectUri, state, nonce, verifier }: AuthorizationRequest,
    { forcesSignIn }: { forcesSignIn: boolean },
  ): Promise<string> {
    const configuration = await this.#configuration()
    const { href } = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email',
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(forcesSignIn ? { prompt: 'login', max_age: '0' } : {}),
    })
    return href
  }

  /** Exchanges the code for the identity of the person. The ID token is checked: signature, issuer, audience, times and
   * nonce. */
  async identify(
    { redirectUri, state, nonce, verifier }: AuthorizationRequest,
    { authorizationCode, iss }: AuthorizationResponse,
  ): Promise<ProvenIdentity> {
    if (this.#concurrent >= maxConcurrent) throw this.#unavailable('too many sign-ins at a time')
    this.#concurrent++
    try {
      const configuration = await this.#configuration()
      const url = new URL(redirectUri)
      url.search = new URLSearchParams({
        code: authorizationCode,
        state,
        ...(iss === undefined ? {} : { iss }),
      }).toString()
      const tokens = await this.#ask(() =>
        authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        }),
      )
      const claims = tokens.claims()
      if (!claims || claims.sub.length > maxSubjectLength) throw this.#refused('no usable subject')
      const { sub: subject } = claims
      return {
        subject,
        signInAgeMs: signInAgeOf(claims),
        verifiedEmail: async () => {
          if (claims['email'] !== undefined) return verifiedEmailOf(claims)
          if (configuration.serverMetadata().userinfo_endpoint === undefined) return undefined
          const { access_token: accessToken } = tokens
          return verifiedEmailOf(
            await this.#ask(() => fetchUserInfo(configuration, accessToken, subject)),
          )
        },
      }
    } finally {
      this.#concurrent--
    }
  }

  /** Reads the provider's configuration. Throws `provider_unavailable` unless the provider can be used. */
  async check(): Promise<void> {
    await this.#configuration()
  }

  async #configuration(): Promise<Configuration> {
    const at = this.#now().getTime()
    const cached = this.#discovered
    if (cached && Math.abs(at - cached.readAt) < discoveryMs) return cached.configuration
    this.#discovery ??= this.#discover().finally(() => {
      this.#discovery = undefined
    })
    const configuration = await this.#discovery
    this.#discovered = { configuration, readAt: at }
    return configuration
  }

  async #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings
    const url = new URL(issuer)
    try {
      const configuration = await discovery(
        url,
        clientId,
        clientSecret,
        (server, client, body, headers) => {
          const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
          const authenticate = methods.includes('client_secret_basic')
            ? ClientSecretBasic(clientSecret)
            : ClientSecretPost(clientSecret)
          authenticate(server, client, body, headers)
        },
        {
          timeout: requestSeconds,
          [customFetch]: (address, options) =>
            boundedFetch(address, options as RequestInit & { signal?: AbortSignal }, {
              maxBytes: maxAnswerBytes,
            }),
          execute: [
            // Without it, the library trusts an ID token from the token endpoint for its connection alone.
            enableNonRepudiationChecks,
            // The settings allow http on this machine only.
            ...(url.protocol === 'http:' ? [allowInsecureRequests] : []),
          ],
        },
      )
      const metadata = configuration.serverMetadata()
      const missing = requiredEndpoints.filter((name) => metadata[name] === undefined)
      if (missing.length > 0) throw new Error(`the configuration lacks ${missing.join(', ')}`)
      return configuration
    } catch (error) {
      throw this.#unavailable(error)
    }
  }

  async #ask<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request()
    } catch (error) {
      throw isUnanswered(error) ? this.#unavailable(error) : this.#refused(error)
    }
  }

  #unavailable(reason: unknown): Failure {
    this.#log.warn({ reason: textOf(reason) }, 'the identity provider gives no usable answer')
    return new Failure('provider_unavailable')
  }

  #refused(reason: unknown): Failure {
    this.#log.warn({ reason: textOf(reason) }, 'an answer of the identity provider was refused')
    return new Failure('provider_refused')
  }
}

/** Both times are of the provider's clock, so its difference from ours does not matter. */
function signInAgeOf({ iat, auth_time: signedInAt }: IDToken): number | undefined {
  return signedInAt === undefined ? undefined : Math.max(0, iat - signedInAt) * secondMs
}

function verifiedEmailOf(claims: { readonly [name: string]: unknown }): string | undefined {
  const { email, email_verified: isVerified } = claims
  return typeof email === 'string' && isVerified === true ? email : undefined
}

/** Returns the messages of an error and its causes. Their other fields can hold what the provider says of a person. */
function textOf(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason)
  return reason.cause instanceof Error
    ? `${reason.message}: ${textOf(reason.cause)}`
    : reason.message
}

/** Returns whether an error of the library comes from a missing answer. */
function isUnanswered(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof NoUsableAnswer) return true
  }
  return false
}
