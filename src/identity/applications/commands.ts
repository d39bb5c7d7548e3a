import type { AuditedChange } from '../../kernel/audit.ts'
import { hourMs, timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import { type Application, findApplication } from '../store.ts'
import { digestOf } from '../token.ts'
import { publishRevocation } from '../tokens.ts'
import {
  findClient,
  type OAuthClient,
  replaceSecret,
  revokeClientCredentials,
  revokeTokensBeyondScopes,
  type SavedApplication,
  saveApplication,
} from './store.ts'

const defaultOverlapHours = 24

/**
 * Saves an application and revokes tokens with a scope that it has lost. When the owner changes, it also revokes the
 * application's own tokens and stores `secretHash` as its secret. Otherwise a person who acted for the former owner
 * could act for the new one.
 */
export async function writeApplication(
  { audit, db }: Pick<Context, 'audit' | 'db'>,
  { keepsSecret, ...application }: SavedApplication & { keepsSecret: boolean },
): Promise<{ isNew: boolean; client: OAuthClient; hasNewOwner: boolean }> {
  const { id, now } = application
  return db.transaction(async (tx) => {
    const [before, saved] = [await findClient(tx, id), await findApplication(tx, id)]
    const formerOwnerId = before?.ownerId ?? null
    const ownerId = application.client?.ownerId
    const hasNewOwner = formerOwnerId !== null && ownerId !== undefined && ownerId !== formerOwnerId
    const isNew = await saveApplication(tx, {
      ...application,
      keepsSecret: keepsSecret && !hasNewOwner,
    })
    const client = (await findClient(tx, id)) as OAuthClient
    const change: AuditedChange = {
      before: saved && before ? auditedApplication(saved, before) : null,
      after: auditedApplication(application, client),
    }
    // The application of a user goes when the user is erased.
    if (client.ownerId === null) audit.change(change)
    else audit.personal(client.ownerId, change)
    for (const userId of new Set([formerOwnerId, client.ownerId])) {
      if (userId !== null) audit.relate('user', userId)
    }
    const userIds = hasNewOwner
      ? await revokeClientCredentials(tx, { id, ownerId: formerOwnerId, now })
      : []
    if (before && losesScopes(before, client)) {
      userIds.push(...(await revokeTokensBeyondScopes(tx, { id, scopes: client.scopes, now })))
    }
    for (const userId of new Set(userIds)) publishRevocation(tx, userId)
    return { isNew, client, hasNewOwner }
  })
}

/** Returns the settings of an application that the audit log compares. */
function auditedApplication(application: Application, client: OAuthClient): object {
  return {
    name: application.name,
    description: client.description,
    callback_url: application.callbackUrl,
    topics: application.topics,
    redirect_uris: client.redirectUris,
    scopes: client.scopes,
    requires_pkce: client.requiresPkce,
    is_public: client.isPublic,
    owner_id: client.ownerId,
  }
}

const losesScopes = (before: OAuthClient, after: OAuthClient) =>
  before.scopes.some((scope) => !after.scopes.includes(scope))

/** Replaces the secret of an application and returns the new one. The previous secret works for another
 * `overlap_hours`, 24 by default. Throws `not_found`. */
export async function rotateSecret(
  { audit, db, now, random }: Pick<Context, 'audit' | 'db' | 'now' | 'random'>,
  { id, overlap_hours: hours = defaultOverlapHours }: { id: number; overlap_hours?: number },
): Promise<object> {
  const secret = random.hex(20)
  const until = new Date(now().getTime() + hours * hourMs)
  const replacement = { id, secretHash: digestOf(secret), until, now: now() }
  await db.transaction(async (tx) => {
    audit.change({ before: null, after: { previous_secret_until: timestamp(until) } })
    if (!(await replaceSecret(tx, replacement))) {
      throw new Failure('not_found', `Application not found: ${id}`)
    }
  })
  return { id, secret, previous_secret_until: timestamp(until) }
}
