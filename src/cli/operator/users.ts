import { readFileSync } from 'node:fs'
import { type Client, clientOf, type Json, Refused, type ServerOptions } from '../client.ts'
import { CommandFailure, UsageFailure } from '../failure.ts'
import { columns, type Output } from '../frame/output.ts'
import { readSome } from './pages.ts'

const path = '/operator/users'
const usualLimit = 100

/** `feria users list`. */
export async function listUsers(
  { after, limit = usualLimit, ...options }: ServerOptions & { after?: number; limit?: number },
  out: Output,
): Promise<undefined> {
  const asked = { path, name: 'users', limit, ...(after === undefined ? {} : { after }) }
  const { found, next } = await readSome(clientOf(options), asked)
  out.show({ users: found, next_after: next }, () =>
    found.length === 0
      ? 'There are no users here.'
      : columns([
          ['ID', 'SITE', 'NICKNAME', 'STATUS'],
          ...found.map(({ id, site_id, nickname, status }) => [
            String(id),
            site_id,
            nickname,
            status,
          ]),
        ]),
  )
  if (next !== null) out.note(`There are more: --after ${next}`)
}

/** `feria users show ID`. */
export async function showUser(
  { user, ...options }: ServerOptions & { user: number },
  out: Output,
): Promise<undefined> {
  const answer = await clientOf(options).call('GET', `${path}/${user}`)
  out.show(answer, () => wordsOf(answer))
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

/** `feria users put ID …`: what is not said stays as it is. */
export async function putUser(
  { user, site, nickname, email, status, body: file, ...options }: Put,
  out: Output,
): Promise<undefined> {
  const client = clientOf(options)
  const known = await findUser(client, user)
  const said = {
    ...(file === undefined ? {} : readBody(file)),
    ...(site === undefined ? {} : { site_id: site }),
    ...(nickname === undefined ? {} : { nickname }),
    ...(email === undefined ? {} : { email }),
    ...(options['first-name'] === undefined ? {} : { first_name: options['first-name'] }),
    ...(options['last-name'] === undefined ? {} : { last_name: options['last-name'] }),
    ...(status === undefined ? {} : { status }),
  }
  const { id: _, ...body } = { ...known, ...said } as Json
  if (body.site_id === undefined || body.nickname === undefined) {
    throw new UsageFailure(`There is no user ${user} yet: --site and --nickname are required.`)
  }
  const answer = await client.call('PUT', `${path}/${user}`, { body })
  out.show(answer, () => [
    `user ${user} is ${known ? 'changed' : 'registered'}`,
    ...wordsOf(answer),
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

function wordsOf(user: Json): string[] {
  const full = [user.first_name, user.last_name].filter(Boolean).join(' ')
  return columns([
    ['  user', String(user.id)],
    ['  site', user.site_id],
    ['  nickname', user.nickname],
    ['  status', user.status],
    ['  name', full || '-'],
    ['  e-mail', user.email ?? '-'],
  ])
}
