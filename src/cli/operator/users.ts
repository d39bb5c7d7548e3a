import { readFileSync } from 'node:fs'
import type { RequestBody, ResponseBody } from 'feria/client'
import { type ApiClient, openClient, RequestRefused, type ServerOptions } from '../client/client.ts'
import { CommandFailure, UsageFailure } from '../frame/failure.ts'
import { alignColumns, type Output } from '../frame/output.ts'

const path = '/operator/users/{id}'

type User = ResponseBody<typeof path, 'get'>
type UserBody = RequestBody<typeof path, 'put'>

const defaultLimit = 100

type ListOptions = ServerOptions & { after?: number; limit?: number; site?: UserBody['site_id'] }

/** `feria users list`. */
export async function listUsersCommand(
  { after, limit = defaultLimit, site, ...options }: ListOptions,
  out: Output,
): Promise<undefined> {
  const page = await openClient(options).call('GET', '/operator/users', {
    query: { after, limit, site_id: site },
  })
  const { users, next_after: next } = page
  out.printResult({ users, next_after: next }, () =>
    users.length === 0
      ? 'There are no users. Register one: feria users put ID --site SITE --nickname NAME'
      : alignColumns([
          ['ID', 'SITE', 'NICKNAME', 'STATUS'],
          ...users.map(({ id, site_id, nickname, status }) => [
            String(id),
            site_id,
            nickname,
            status,
          ]),
        ]),
  )
  if (next !== null) out.printNote(`There are more users. Continue with: --after ${next}`)
}

/** `feria users show ID`: prints a user. An unknown one fails with `RequestRefused` (404). */
export async function showUserCommand(
  { user, ...options }: ServerOptions & { user: number },
  out: Output,
): Promise<undefined> {
  const answer = await openClient(options).call('GET', path, { path: { id: user } })
  out.printResult(answer, () => linesOf(answer))
}

type PutUserOptions = ServerOptions & {
  user: number
  site?: UserBody['site_id']
  nickname?: string
  email?: string
  'first-name'?: string
  'last-name'?: string
  status?: NonNullable<UserBody['status']>
  body?: string
}

/** `feria users put ID …`: registers a user, or changes the given fields. */
export async function putUserCommand(
  { user, site, nickname, email, status, body: file, ...options }: PutUserOptions,
  out: Output,
): Promise<undefined> {
  const client = openClient(options)
  const current = await findUser(client, user)
  const changes = {
    ...(file === undefined ? {} : readBody(file)),
    ...(site === undefined ? {} : { site_id: site }),
    ...(nickname === undefined ? {} : { nickname }),
    ...(email === undefined ? {} : { email }),
    ...(options['first-name'] === undefined ? {} : { first_name: options['first-name'] }),
    ...(options['last-name'] === undefined ? {} : { last_name: options['last-name'] }),
    ...(status === undefined ? {} : { status }),
  }
  const { id: _, site_id, nickname: newNickname, ...others } = { ...noUser, ...current, ...changes }
  if (site_id === undefined || newNickname === undefined) {
    throw new UsageFailure(`There is no user ${user} yet: --site and --nickname are required.`)
  }
  const answer = await client.call('PUT', path, {
    path: { id: user },
    body: { site_id, nickname: newNickname, ...others },
  })
  out.printResult(answer, () => [
    `user ${user} is ${current ? 'changed' : 'registered'}`,
    ...linesOf(answer),
  ])
}

const noUser: Partial<User> = {}

async function findUser(client: ApiClient, id: number): Promise<User | undefined> {
  try {
    return await client.call('GET', path, { path: { id } })
  } catch (error) {
    if (error instanceof RequestRefused && error.status === 404) return undefined
    throw error
  }
}

/** Reads fields of a user. The server checks them. */
function readBody(file: string): Partial<UserBody> {
  try {
    return JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new CommandFailure(`${file} is not JSON: ${error.message}`)
  }
}

function linesOf(user: User): string[] {
  const fullName = [user.first_name, user.last_name].filter(Boolean).join(' ')
  return alignColumns([
    ['  user', String(user.id)],
    ['  site', user.site_id],
    ['  nickname', user.nickname],
    ['  status', user.status],
    ['  name', fullName || '-'],
    ['  e-mail', user.email ?? '-'],
  ])
}
