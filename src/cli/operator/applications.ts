import type { RequestBody, ResponseBody } from 'feria/client'
import { type ApiClient, openClient, RequestRefused, type ServerOptions } from '../client/client.ts'
import { UsageFailure } from '../frame/failure.ts'
import { alignColumns, type Output } from '../frame/output.ts'
import { readApplications } from './pages.ts'

const path = '/operator/applications/{id}'

/** The answer of a PUT. That of a GET has no secret. */
type Application = ResponseBody<typeof path, 'put'> & { date_created?: string }
type ApplicationBody = RequestBody<typeof path, 'put'>

/** `feria applications list`. */
export async function listApplicationsCommand(
  options: ServerOptions,
  out: Output,
): Promise<undefined> {
  const applications = await readApplications(openClient(options))
  out.printResult(applications, () =>
    applications.length === 0
      ? 'There are no applications. Register one: feria applications put ID --name NAME'
      : alignColumns([
          ['ID', 'NAME', 'CALLBACK', 'TOPICS'],
          ...applications.map((application) => [
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
  const answer = await openClient(options).call('GET', path, { path: { id: application } })
  out.printResult(...display(answer))
}

type PutApplicationOptions = ServerOptions & {
  application: number
  name?: string
  callback?: string
  'no-callback'?: true
  topics?: ApplicationBody['topics']
  secret?: string
  'redirect-uris'?: string
  scopes?: NonNullable<ApplicationBody['scopes']>
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
  const newName = name ?? current?.name
  if (newName === undefined) {
    throw new UsageFailure(`There is no application ${id} yet: --name is missing.`)
  }
  const body = {
    name: newName,
    callback_url: hasCallback === false ? null : (callback ?? current?.callback_url ?? null),
    topics: topics ?? current?.topics ?? [],
    secret,
    redirect_uris: uris?.split(','),
    scopes,
    requires_pkce: pkce,
    is_public: isPublic,
    owner_id: hasOwner === undefined ? undefined : (owner ?? null),
  }
  const answer = await client.call('PUT', path, { path: { id }, body })
  out.printResult(...display(answer, current ? 'changed' : 'registered'))
  if (answer.secret) out.printNote('The secret is shown only this time: keep it.')
}

async function findApplication(client: ApiClient, id: number) {
  try {
    return await client.call('GET', path, { path: { id } })
  } catch (error) {
    if (error instanceof RequestRefused && error.status === 404) return undefined
    throw error
  }
}

/** Returns an application for output: as JSON, and as lines. */
function display(
  answer: Application,
  change?: string,
): [value: Application, words: () => string[]] {
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
  const body = { overlap_hours: overlap }
  if (which === 'client') {
    const answer = await openClient(options).call('POST', `${path}/secret`, {
      path: { id: application },
      body,
    })
    out.printResult(answer, () => [
      `client secret  ${answer.secret}`,
      `Request tokens with it from now on. The old secret is valid until ${answer.previous_secret_until}.`,
    ])
    out.printNote('The secret is shown only this time: keep it.')
    return
  }
  const signingSecrets = '/operator/applications/{application_id}/signing-secrets'
  const answer = await openClient(options).call('POST', signingSecrets, {
    path: { application_id: application },
    body,
  })
  out.printResult(answer, () => [
    `signing secret  ${answer.secret}`,
    `It signs deliveries from now on. The old secret signs them, too, for ${overlap ?? 24} hours.`,
  ])
  out.printNote('The secret is shown only this time: keep it.')
}

const authorization = '/operator/authorizations/{application_id}/{user_id}'

type AuthorizationOptions = ServerOptions & {
  application: number
  user: number
  scopes?: NonNullable<RequestBody<typeof authorization, 'put'>['scopes']>
}

/** `feria applications authorize ID USER`: records an authorization. */
export async function authorizeCommand(
  { application, user, scopes, ...options }: AuthorizationOptions,
  out: Output,
): Promise<undefined> {
  const answer = await openClient(options).call('PUT', authorization, {
    path: { application_id: application, user_id: user },
    body: { scopes },
  })
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
  const ids = { application_id: application, user_id: user }
  await openClient(options).call('DELETE', authorization, { path: ids })
  const withdrawn = { ...ids, withdrawn: true }
  out.printResult(
    withdrawn,
    () => `application ${application} no longer acts for user ${user}; its tokens are refused`,
  )
}
