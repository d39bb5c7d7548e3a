import { badField, Failure } from '../../kernel/failure.ts'
import { parseId } from '../../kernel/ids.ts'
import { type SiteId, siteIds } from '../../kernel/sites.ts'

/** A message to send, before permissions are checked. */
export interface MessageInput {
  fromId: number
  /** Null when a relay e-mail address names the other party. */
  toId: number | null
  text: string
  attachmentIds: readonly string[]
}

/** A message in the legacy format, which also names the order or pack that it is about. */
export interface LegacyMessageInput extends MessageInput {
  subject: string | null
  resource: 'orders' | 'packs'
  resourceId: number
  siteId: SiteId
}

interface MessageInputConfig {
  /** The only domain of e-mail addresses that may stand for a receiver. */
  relayDomain: string
}

type Fields = Readonly<Record<string, unknown>>

/** Reads the body of a message to a pack. Throws the first error that applies, in the order of the checks below. */
export function readMessageInput(body: unknown, limits: MessageInputConfig): MessageInput {
  const fields = bodyFields(body)
  const fromId = senderOf(fields)
  const toId = receiverOf(asRecord(fields['to']), fromId, limits)
  return { fromId, toId, text: textOf(fields['text']), attachmentIds: idsOf(fields['attachments']) }
}

/** Reads the body of a message in the legacy format. Throws the first error that applies. */
export function readLegacyMessageInput(
  body: unknown,
  limits: MessageInputConfig,
): LegacyMessageInput {
  const fields = bodyFields(body)
  const fromId = senderOf(fields)
  const to = asRecord(Array.isArray(fields['to']) ? fields['to'][0] : fields['to'])
  const toId = receiverOf(to, fromId, limits)
  const resource = to['resource']
  if (isMissing(resource)) throw new Failure('resource_required')
  const resourceId = parseId(String(to['resource_id'] ?? ''))
  if ((resource !== 'orders' && resource !== 'packs') || resourceId === undefined) {
    throw new Failure('invalid_resource')
  }
  const siteId = to['site_id']
  if (isMissing(siteId)) throw new Failure('to_site_required')
  if (!(siteIds as readonly unknown[]).includes(siteId)) throw new Failure('invalid_to_site')
  const { plain } = asRecord(fields['text'])
  return {
    fromId,
    toId,
    resource,
    resourceId,
    siteId: siteId as SiteId,
    subject: typeof fields['subject'] === 'string' ? fields['subject'].slice(0, 200) : null,
    text: textOf(plain ?? fields['text']),
    attachmentIds: idsOf(fields['attachments']),
  }
}

function bodyFields(body: unknown): Fields {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  if (!isObject) throw new Failure('json_body_required')
  return body as Fields
}

/** Returns the fields of an object, or an empty record for any other value. */
function asRecord(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function senderOf(fields: Fields): number {
  const id = asRecord(fields['from'])['user_id']
  if (isMissing(id)) throw new Failure('from_required')
  // User 0 exists nowhere, so `sender_denied` follows.
  return parseId(String(id)) ?? 0
}

/** Accepts numbers and strings. Returns null when a relay e-mail address names the receiver. */
function receiverOf(
  to: Fields,
  fromId: number,
  { relayDomain }: MessageInputConfig,
): number | null {
  const id = to['user_id']
  if (isMissing(id)) throw new Failure('to_required')
  if (Number(id) === 0 && String(id).trim() !== '') {
    const email = String(to['email'] ?? '').toLowerCase()
    if (!email.endsWith(`@${relayDomain}`)) throw new Failure('unsafe_email')
    return null
  }
  const toId = parseId(String(id))
  if (toId === undefined) throw new Failure('invalid_to')
  if (toId === fromId) throw new Failure('to_oneself')
  return toId
}

function textOf(text: unknown): string {
  return typeof text === 'string' ? text : ''
}

function idsOf(ids: unknown): string[] {
  if (isMissing(ids)) return []
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) {
    throw badField('attachments', 'a list of the ids that uploads answered')
  }
  return ids
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
