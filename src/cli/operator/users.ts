import { readFileSync } from 'node:fs'
import { type Client, clientOf, type Json, Refused, type ServerOptions } from '../client.ts'
import { CommandFailure, UsageFailure } from '../failure.ts'
import { columns, type Output } from '../frame/output.ts'
import { readSome } from './pages.ts'

const path = '/operator/users'
const defaultLimit = 100

/** `feria users list`. */
export async function listUsers(
  { after, limit = defaultLimit, ...options }: ServerOptions & { after?: number; limit?: number },
  out: Output,
): Promise<undefined> {
  const page = { path, name: 'users', limit, ...(after === undefined ? {} : { after }) }
  const { found: users, next } = await readSome(clientOf(options), page)
  out.show({ users, next_after: next }, () =>
    users.length === 0
      ? 'There are no users. Register one: feria users put ID --site SITE --nickname NAME'
      : columns([
          ['ID', 'SITE', 'NICKNAME', 'STATUS'],
          ...users.map(({ id, site_id, nickname, status }) => [
            String(id),
            site_id,
            nickname,
            status,
          ]),
        ]),
  )
  if (next !== null) out.note(`There are more users. Continue with: --after ${next}`)
}

/** `feria users show ID`: prints a user. An unknown one fails with `Refused` (404). */
export async function showUser(
  { user, ...options }: ServerOptions & { user: number },
  out: Output,
): Promise<undefined> {
  const answer = await clientOf(options).call('GET', `${path}/${user}`)
  out.show(answer, () => linesOf(answer))
}

type Put = ServerOptions & {
  user: number
  site?: string
  nickname?: string
  email?: string
  'first-name'?: string
  'last-name'?: string
  status?: string
  body?: string
}

/** `feria users put ID …`: registers a user, or changes the given fields. */
export async function putUser(
  { user, site, nickname, email, status, body: file, ...options }: Put,
  out: Output,
): Promise<undefined> {
  const client = clientOf(options)
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
  const { id: _, ...body } = { ...current, ...changes } as Json
  if (body.site_id === undefined || body.nickname === undefined) {
    throw new UsageFailure(`There is no user ${user} yet: --site and --nickname are required.`)
  }
  const answer = await client.call('PUT', `${path}/${user}`, { body })
  out.show(answer, () => [
    `user ${user} is ${current ? 'changed' : 'registered'}`,
    ...linesOf(answer),
  ])
}

async function findUser(client: Client, id: number): Promise<Json> {
  try {
    return await client.call('GET', `${path}/${id}`)
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined
    throw error
  }
}

function readBody(file: string): object {
  try {
    return JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new CommandFailure(`${file} is not JSON: ${error.message}`)
  }
}

function linesOf(user: Json): string[] {
  const fullName = [user.first_name, user.last_name].filter(Boolean).join(' ')
  return columns([
    ['  user', String(user.id)],
    ['  site', user.site_id],
    ['  nickname', user.nickname],
    ['  status', user.status],
    ['  name', fullName || '-'],
    ['  e-mail', user.email ?? '-'],
  ])
}
