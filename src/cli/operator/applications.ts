import {
  type ApiClient,
  type Json,
  openClient,
  RequestRefused,
  type ServerOptions,
} from '../client/client.ts'
import { UsageFailure } from '../frame/failure.ts'
import { alignColumns, type Output } from '../frame/output.ts'
import { readAll } from './pages.ts'

const path = '/operator/applications'

/** `feria applications list`. */
export async function listApplicationsCommand(
  options: ServerOptions,
  out: Output,
): Promise<undefined> {
  const applications = await readAll(openClient(options), path, 'applications')
  out.printResult(applications, () =>
    applications.length === 0
      ? 'There are no applications. Register one: feria applications put ID --name NAME'
      : alignColumns([
          ['ID', 'NAME', 'CALLBACK', 'TOPICS'],
          ...applications.map((application: Json) => [
            String(application.id),
            application.name,
            application.callback_url ?? '-',
            application.topics.join(',') || '-',
          ]),
        ]),
  )
}

/** `feria applications show ID`. */
export async function showApplicationCommand(
  { application, ...options }: ServerOptions & { application: number },
  out: Output,
): Promise<undefined> {
  out.printResult(...display(await openClient(options).call('GET', `${path}/${application}`)))
}

type PutApplicationOptions = ServerOptions & {
  application: number
  name?: string
  callback?: string
  'no-callback'?: true
  topics?: readonly string[]
  secret?: string
  'redirect-uris'?: string
  scopes?: readonly string[]
  pkce?: true
  'no-pkce'?: true
  public?: true
  'no-public'?: true
  owner?: number
  'no-owner'?: true
}

/** Returns true for `--name`, false for `--no-name`, undefined for neither. Throws `UsageFailure` for both. */
function flagOf(
  options: PutApplicationOptions,
  name: 'callback' | 'pkce' | 'public' | 'owner',
): boolean | undefined {
  const [yes, no] = [options[name] !== undefined, options[`no-${name}`] === true]
  if (yes && no) throw new UsageFailure(`Give either --${name} or --no-${name}.`)
  return yes || no ? yes : undefined
}

/** `feria applications put ID …`: registers an application, or changes the given fields. */
export async function putApplicationCommand(
  { application: id, name, topics, secret, scopes, ...options }: PutApplicationOptions,
  out: Output,
): Promise<undefined> {
  const { callback, owner, 'redirect-uris': uris } = options
  const flags = { application: id, ...options }
  const hasCallback = flagOf(flags, 'callback')
  const [pkce, isPublic] = [flagOf(flags, 'pkce'), flagOf(flags, 'public')]
  const hasOwner = flagOf(flags, 'owner')
  const client = openClient(options)
  const current = await findApplication(client, id)
  if (!current && name === undefined) {
    throw new UsageFailure(`There is no application ${id} yet: --name is missing.`)
  }
  const body = {
    name: name ?? current.name,
    callback_url: hasCallback === false ? null : (callback ?? current?.callback_url ?? null),
    topics: topics ?? current?.topics ?? [],
    ...(secret === undefined ? {} : { secret }),
    ...(uris === undefined ? {} : { redirect_uris: uris.split(',') }),
    ...(scopes === undefined ? {} : { scopes }),
    ...(pkce === undefined ? {} : { requires_pkce: pkce }),
    ...(isPublic === undefined ? {} : { is_public: isPublic }),
    ...(hasOwner === undefined ? {} : { owner_id: owner ?? null }),
  }
  const answer = await client.call('PUT', `${path}/${id}`, { body })
  out.printResult(...display(answer, current ? 'changed' : 'registered'))
  if (answer.secret) out.printNote('The secret is shown only this time: keep it.')
}

async function findApplication(client: ApiClient, id: number): Promise<Json> {
  try {
    return await client.call('GET', `${path}/${id}`)
  } catch (error) {
    if (error instanceof RequestRefused && error.status === 404) return undefined
    throw error
  }
}

/** Returns an application for output: as JSON, and as lines. */
function display(answer: Json, change?: string): [value: Json, words: () => string[]] {
  const { id, name, callback_url: callback, topics, secret } = answer
  return [
    answer,
    () => [
      `application ${id}${change ? ` is ${change}` : ''}`,
      ...alignColumns([
        ['  name', name],
        ['  callback', callback ?? 'none'],
        ['  topics', topics.join(', ') || 'none'],
        ['  redirects', answer.redirect_uris.join(' ') || 'none'],
        ['  scopes', answer.scopes.join(', ')],
        ['  PKCE', answer.requires_pkce ? 'required' : 'optional'],
        ['  client', answer.is_public ? 'public' : 'confidential'],
        ['  acts for', answer.owner_id === null ? 'nobody by itself' : `user ${answer.owner_id}`],
        ...(secret ? [['  secret', secret]] : []),
        ...(answer.date_created ? [['  registered', answer.date_created]] : []),
      ]),
    ],
  ]
}

type RotateSecretOptions = ServerOptions & {
  application: number
  'overlap-hours'?: number
  which?: 'signing' | 'client'
}

/** `feria applications rotate-secret ID`: replaces the signing secret or the client secret. */
export async function rotateSecretCommand(
  { application, 'overlap-hours': overlap, which = 'signing', ...options }: RotateSecretOptions,
  out: Output,
): Promise<undefined> {
  const body = overlap === undefined ? {} : { overlap_hours: overlap }
  if (which === 'client') {
    const url = `${path}/${application}/secret`
    const answer = await openClient(options).call('POST', url, { body })
    out.printResult(answer, () => [
      `client secret  ${answer.secret}`,
      `Request tokens with it from now on. The old secret is valid until ${answer.previous_secret_until}.`,
    ])
    out.printNote('The secret is shown only this time: keep it.')
    return
  }
  const url = `${path}/${application}/signing-secrets`
  const answer = await openClient(options).call('POST', url, { body })
  out.printResult(answer, () => [
    `signing secret  ${answer.secret}`,
    `It signs deliveries from now on. The old secret signs them, too, for ${overlap ?? 24} hours.`,
  ])
  out.printNote('The secret is shown only this time: keep it.')
}

type AuthorizationOptions = ServerOptions & {
  application: number
  user: number
  scopes?: readonly string[]
}

/** `feria applications authorize ID USER`: records an authorization. */
export async function authorizeCommand(
  { application, user, scopes, ...options }: AuthorizationOptions,
  out: Output,
): Promise<undefined> {
  const url = `/operator/authorizations/${application}/${user}`
  const body = scopes ? { scopes } : {}
  const answer = await openClient(options).call('PUT', url, { body })
  out.printResult(
    answer,
    () => `user ${user} authorizes application ${application} (${answer.scopes.join(', ')})`,
  )
}

/** `feria applications withdraw ID USER`: ends an authorization. */
export async function withdrawCommand(
  { application, user, ...options }: AuthorizationOptions,
  out: Output,
): Promise<undefined> {
  await openClient(options).call('DELETE', `/operator/authorizations/${application}/${user}`)
  const withdrawn = { application_id: application, user_id: user, withdrawn: true }
  out.printResult(
    withdrawn,
    () => `application ${application} no longer acts for user ${user}; its tokens are refused`,
  )
}
