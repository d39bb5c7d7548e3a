import { badField, Failure } from '../../kernel/failure.ts'
import { parseId } from '../../kernel/ids.ts'
import { type SiteId, siteIds } from '../../kernel/sites.ts'

/** What somebody asks to send, before it is known whether they may. */
export interface MessageInput {
  fromId: number
  /** Null where a relayed e-mail address stands for the other party. */
  toId: number | null
  text: string
  attachmentIds: readonly string[]
}

/** What the legacy way of sending says besides (contract 7.3): what the message is about. */
export interface MessageAboutInput extends MessageInput {
  subject: string | null
  resource: 'orders' | 'packs'
  resourceId: number
  siteId: SiteId
}

/** What is about to be written, once it is known that it may. */
export interface Draft {
  fromId: number
  text: string
  subject: string | null
  applicationId: number | null
  attachmentIds: readonly string[]
  /** The option of the action guide that is used; `isFreeText` when the seller wrote the words. */
  option?: { id: string; isFreeText: boolean }
}

interface Limits {
  /** Domain of the addresses by which parties write to each other without knowing them. */
  relayDomain: string
}

type Fields = Readonly<Record<string, unknown>>

/** Reads a message to a pack (contract 4.2). Throws the first refusal of 7.3 that fits, in the order of
 * wire 1. */
export function readMessageInput(body: unknown, limits: Limits): MessageInput {
  const fields = bodyFields(body)
  const fromId = senderOf(fields)
  const toId = receiverOf(asRecord(fields['to']), fromId, limits)
  return { fromId, toId, text: textOf(fields['text']), attachmentIds: idsOf(fields['attachments']) }
}

/** Reads a message that names what it is about, as old clients send it. */
export function readMessageAboutInput(body: unknown, limits: Limits): MessageAboutInput {
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

/** Returns the fields of an object; none of what is no object. */
function asRecord(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function senderOf(fields: Fields): number {
  const id = asRecord(fields['from'])['user_id']
  if (isMissing(id)) throw new Failure('from_required')
  // Who is no user has no access to anything.
  return parseId(String(id)) ?? 0
}

/** Numbers and strings alike (wire 3). */
function receiverOf(to: Fields, fromId: number, { relayDomain }: Limits): number | null {
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
