import { hash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { created, noContent, ok, type Route, route } from '../../../http/route.ts'
import { siteInBody, siteInQuery } from '../../../http/site-rule.ts'
import { etagOf, withEtagField } from '../../../http/versions.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badField, Failure } from '../../../kernel/failure.ts'
import { OrNull, Site, StrictObject, Timestamp } from '../../../kernel/schema.ts'
import { siteIds } from '../../../kernel/sites.ts'
import { moderate } from '../../../moderation/moderate.ts'
import { moderationReasons, termReasons } from '../../../moderation/reason.ts'
import {
  isPublicSuffix,
  type ModerationTerm,
  termKinds,
  termWords,
} from '../../../moderation/terms.ts'
import { currentTerms } from './current.ts'
import { siteOfTerm } from './site-rules.ts'
import { deleteTerm, findTerm, listTerms, saveTerm, saveTermsVersion } from './store.ts'
import { versionedTerm } from './versioned.ts'

const tag = 'Operator: moderation'
const Kind = Type.Enum([...termKinds], {
  description:
    '`word` (or phrase) and `domain` (with its subdomains) are refused, `allowed_word` and `allowed_domain` are no longer refused',
})
const Reason = Type.Enum([...moderationReasons])

export const TermBody = StrictObject({
  kind: Kind,
  value: Type.String({
    minLength: 1,
    maxLength: 120,
    description: 'The word or phrase, or a domain such as `example.com`',
    examples: ['pava'],
  }),
  reason: Type.Optional(
    OrNull(
      Type.Enum([...moderationReasons], {
        description:
          'Why it is refused, which the writer learns. Required for `word` and `domain`, null or left out for the others',
      }),
    ),
  ),
  site_id: Type.Optional(
    OrNull(
      Type.Enum(siteIds, { description: 'The site it applies to. Null, the default: all sites' }),
    ),
  ),
  note: Type.Optional(
    OrNull(
      Type.String({ minLength: 1, maxLength: 500, description: 'Your remark. Default: none' }),
    ),
  ),
})
const TermAnswer = Type.Object({
  id: Type.String(),
  kind: Kind,
  value: Type.String({ examples: ['pava'] }),
  reason: OrNull(Reason),
  site_id: OrNull(Site),
  note: OrNull(Type.String()),
  date_created: Timestamp,
})

/** Returns the term of a request. Throws a `bad_request` that names the field. */
export function termOf(body: Static<typeof TermBody>, now: Date): ModerationTerm {
  const { kind, reason = null, site_id: siteId = null, note = null } = body
  const isAllowed = kind === 'allowed_word' || kind === 'allowed_domain'
  if (isAllowed && reason !== null) throw badField('reason', `none for kind ${kind}`)
  if (!isAllowed && reason === null) throw badField('reason', `a reason for kind ${kind}`)
  if (reason !== null && !termReasons.includes(reason)) {
    throw badField('reason', `another one: ${reason} is about copies, not about words`)
  }
  const isDomain = kind === 'domain' || kind === 'allowed_domain'
  const value = isDomain ? domainOf(body.value, kind === 'domain') : wordOf(body.value)
  const id = hash('sha256', [kind, value, siteId ?? ''].join(' ')).slice(0, 16)
  return { id, kind, value, reason, siteId, note, dateCreated: now }
}

const maxPhraseWords = 6

/** Returns the term that a text stands for, in lower case and with single spaces. Throws `bad_request`. */
function wordOf(text: string): string {
  const words = termWords(text)
  const length = words.join('').length
  const isPlain = words.every((word) => !/[*#|?]/.test(word))
  if (words.length > maxPhraseWords || length < 3 || !isPlain) {
    throw badField(
      'value',
      `1 to ${maxPhraseWords} words of letters and digits, 3 of them at least`,
    )
  }
  return text.trim().toLowerCase().replace(/\s+/g, ' ')
}

/** Returns the domain that a text stands for, in lower case. A suffix that many owners share cannot be refused.
 * Throws `bad_request`. */
function domainOf(text: string, isRefused: boolean): string {
  const domain = text.trim().toLowerCase().replace(/\.$/, '')
  if (!/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]+$/.test(domain)) {
    throw badField('value', 'a domain such as example.com, without https:// and path')
  }
  if (isRefused && isPublicSuffix(domain)) {
    throw badField('value', `a registered domain: ${domain} is a suffix that many owners share`)
  }
  return domain
}

const postTerm = route({
  method: 'POST',
  url: '/operator/moderation/terms',
  scope: 'operator',
  permission: 'moderation:write',
  sites: siteInBody,
  audits: 'moderation_term',
  versioned: versionedTerm(({ body }) => termOf(body as Static<typeof TermBody>, new Date(0)).id),
  tag,
  summary: 'Refuse or allow a word or a domain',
  description:
    'Saves a term, which applies from the next message on. A `word` (or phrase) and a `domain` (with its subdomains) are refused for `reason`; an `allowed_word` and an `allowed_domain` are no longer refused. Without `site_id` the term applies to all sites. A term with the same kind, value and site is replaced. 400 `bad_request`: a field has a wrong value.',
  refuses: { bad_request: 'reason: expected a reason for kind word' },
  body: TermBody,
  answers: { 200: TermAnswer, 201: TermAnswer },
  async handle({ audit, db, now, random }, { body }) {
    const term = termOf(body, now())
    const { id } = term
    audit.target(id)
    const replaced = await db.transaction(async (tx) => {
      // First, so that concurrent changes run one after the other.
      await saveTermsVersion(tx, random.hex(16))
      const before = await findTerm(tx, id)
      audit.change({ before: before ? auditedTerm(before) : null, after: auditedTerm(term) })
      return saveTerm(tx, term)
    })
    const saved = replaced ?? term
    return { ...(replaced ? ok : created)(termView(saved)), state: saved }
  },
})

const getTerms = route({
  method: 'GET',
  url: '/operator/moderation/terms',
  scope: 'operator',
  permission: 'moderation:read',
  sites: siteInQuery,
  tag,
  summary: 'List the terms of moderation',
  description:
    'Returns the words and domains that you refuse or allow. With `site_id` it returns the terms of that site and those of all sites.',
  query: Type.Object({ kind: Type.Optional(Kind), site_id: Type.Optional(Site) }),
  answers: { 200: Type.Object({ results: Type.Array(withEtagField(TermAnswer)) }) },
  async handle({ db, now }, { query: { kind, site_id } }) {
    const terms = await listTerms(db)
    const matching = terms.filter(
      (term) =>
        (kind === undefined || term.kind === kind) &&
        (site_id === undefined || term.siteId === null || term.siteId === site_id),
    )
    const results = matching.map((term) => ({ ...termView(term), etag: etagOf(term, now()) }))
    return ok({ results })
  },
})

const removeTerm = route({
  method: 'DELETE',
  url: '/operator/moderation/terms/:id',
  scope: 'operator',
  permission: 'moderation:write',
  sites: siteOfTerm,
  audits: 'moderation_term',
  versioned: versionedTerm(({ params: { id } }) => String(id)),
  tag,
  summary: 'Delete a term of moderation',
  description:
    'Deletes a term. It no longer applies from the next message on. 404 `not_found`: there is no such term.',
  refuses: { not_found: 'Term not found: word-1' },
  params: Type.Object({ id: Type.String() }),
  answers: { 204: Type.Null() },
  async handle({ audit, db, random }, { params: { id } }) {
    await db.transaction(async (tx) => {
      await saveTermsVersion(tx, random.hex(16))
      const term = await findTerm(tx, id)
      if (!term) throw new Failure('not_found', `Term not found: ${id}`)
      audit.change({ before: auditedTerm(term), after: null })
      deleteTerm(tx, id)
    })
    return noContent()
  },
})

/** Returns the fields of a term that the audit log compares. */
function auditedTerm({ kind, value, reason, siteId, note }: ModerationTerm): object {
  return { kind, value, reason, site_id: siteId, note }
}

const TryAnswer = Type.Object({
  status: Type.Enum(['clean', 'rejected']),
  reason: OrNull(Reason),
  rule: OrNull(
    Type.String({ description: 'Id of the rule that matched; `operator:<id>` for a term.' }),
  ),
  from: OrNull(Type.Integer({ description: 'Start of the match, in UTF-16 units.' })),
  to: OrNull(Type.Integer({ description: 'End of the match (exclusive), in UTF-16 units.' })),
  cause: OrNull(Type.String({ description: 'The part of the text that matched.' })),
})

const tryText = route({
  method: 'POST',
  url: '/operator/moderation/try',
  scope: 'operator',
  permission: 'moderation:read',
  sites: siteInBody,
  audits: 'moderation_term',
  tag,
  summary: 'Try moderation on a text',
  description:
    'Returns whether moderation would refuse a text now, by which rule and for which part. It uses the terms in force, and sends and stores nothing. It cannot find `AUTOMATIC_MESSAGE`, which depends on the messages sent before.',
  body: StrictObject({
    text: Type.String({ minLength: 1, maxLength: 3500 }),
    site_id: Site,
    writer: Type.Enum(['seller', 'buyer']),
    billing_asked: Type.Optional(Type.Boolean()),
  }),
  answers: { 200: TryAnswer },
  async handle({ db }, { body: { text, site_id: siteId, writer, billing_asked } }) {
    const terms = await currentTerms(db)
    const finding = moderate(text, { siteId, writer, terms, billingAsked: billing_asked ?? false })
    return ok({
      status: finding ? 'rejected' : 'clean',
      reason: finding?.reason ?? null,
      rule: finding?.rule ?? null,
      from: finding?.from ?? null,
      to: finding?.to ?? null,
      cause: finding ? text.slice(finding.from, finding.to) : null,
    })
  },
})

function termView({ siteId, dateCreated, ...term }: ModerationTerm): object {
  return { ...term, site_id: siteId, date_created: timestamp(dateCreated) }
}

export const moderationAdminRoutes: Route[] = [getTerms, postTerm, removeTerm, tryText]
