import { hash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { created, nothing, ok, type Route, route } from '../../../http/route.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badField, Failure } from '../../../kernel/failure.ts'
import { OrNull, Site, Strict, Text, Timestamp } from '../../../kernel/schema.ts'
import { moderate } from '../moderate.ts'
import { moderationReasons, termReasons } from '../reason.ts'
import { isSharedEnding } from '../rules/links.ts'
import { currentTerms } from './current.ts'
import { deleteTerm, listTerms, saveTerm, saveTermsVersion } from './store.ts'
import { type Term, termKinds, termWords } from './terms.ts'

const tag = 'Operator: moderation'
const Kind = Type.Enum([...termKinds])
const Reason = Type.Enum([...moderationReasons])

const TermBody = Strict({
  kind: Kind,
  value: Text(120),
  reason: Type.Optional(OrNull(Reason)),
  site_id: Type.Optional(OrNull(Site)),
  note: Type.Optional(OrNull(Text(500))),
})
const TermAnswer = Type.Object({
  id: Type.String(),
  kind: Kind,
  value: Type.String(),
  reason: OrNull(Reason),
  site_id: OrNull(Site),
  note: OrNull(Type.String()),
  date_created: Timestamp,
})

/** The term that the operator's words make. Throws a `bad_request` that names the field. */
function termOf(body: Static<typeof TermBody>, now: Date): Term {
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

const longestPhrase = 6

function wordOf(text: string): string {
  const words = termWords(text)
  const length = words.join('').length
  const isPlain = words.every((word) => !/[*#|?]/.test(word))
  if (words.length > longestPhrase || length < 3 || !isPlain) {
    throw badField('value', `1 to ${longestPhrase} words of letters and digits, 3 of them at least`)
  }
  return text.trim().toLowerCase().replace(/\s+/g, ' ')
}

function domainOf(text: string, isRefused: boolean): string {
  const domain = text.trim().toLowerCase().replace(/\.$/, '')
  if (!/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]+$/.test(domain)) {
    throw badField('value', 'a domain such as example.com, without https:// and path')
  }
  if (isRefused && isSharedEnding(domain)) {
    throw badField('value', `a domain of somebody's, ${domain} is an ending that many share`)
  }
  return domain
}

const postTerm = route({
  method: 'POST',
  url: '/operator/moderation/terms',
  scope: 'operator',
  tag,
  summary: 'Refuse or allow a word or a domain, from the next message on',
  description:
    'A `word` (or phrase) and a `domain` (with its subdomains) are refused for `reason`; an `allowed_word` and an `allowed_domain` are not refused any more. Without `site_id` on all sites. The same kind, value and site again replaces the term.',
  body: TermBody,
  answers: { 200: TermAnswer, 201: TermAnswer },
  async handle({ db, now, random }, { body }) {
    const term = termOf(body, now())
    const known = await db.transaction(async (tx) => {
      // First, so that two changes at the same time wait for each other here.
      await saveTermsVersion(tx, random.hex(16))
      return saveTerm(tx, term)
    })
    return known ? ok(termView(known)) : created(termView(term))
  },
})

const getTerms = route({
  method: 'GET',
  url: '/operator/moderation/terms',
  scope: 'operator',
  tag,
  summary: 'The words and domains that the operator refuses or allows',
  query: Type.Object({ kind: Type.Optional(Kind), site_id: Type.Optional(Site) }),
  answers: { 200: Type.Object({ results: Type.Array(TermAnswer) }) },
  async handle({ db }, { query: { kind, site_id } }) {
    const terms = await listTerms(db)
    const asked = terms.filter(
      (term) =>
        (kind === undefined || term.kind === kind) &&
        (site_id === undefined || term.siteId === null || term.siteId === site_id),
    )
    return ok({ results: asked.map(termView) })
  },
})

const removeTerm = route({
  method: 'DELETE',
  url: '/operator/moderation/terms/:id',
  scope: 'operator',
  tag,
  summary: 'Take a word or domain back, from the next message on',
  params: Type.Object({ id: Type.String() }),
  answers: { 204: Type.Null() },
  async handle({ db, random }, { params: { id } }) {
    await db.transaction(async (tx) => {
      await saveTermsVersion(tx, random.hex(16))
      const kind = await deleteTerm(tx, id)
      if (kind === undefined) throw new Failure('not_found', `Term not found: ${id}`)
    })
    return nothing()
  },
})

const Verdict = Type.Object({
  status: Type.Enum(['clean', 'rejected']),
  reason: OrNull(Reason),
  rule: OrNull(Type.String({ description: '`operator:<id>` for a term of the operator’s' })),
  from: OrNull(Type.Integer({ description: 'where in the text it begins, in UTF-16 units' })),
  to: OrNull(Type.Integer({ description: 'where it ends' })),
  cause: OrNull(Type.String({ description: 'the text between the two' })),
})

const tryText = route({
  method: 'POST',
  url: '/operator/moderation/try',
  scope: 'operator',
  tag,
  summary: 'What moderation would say of a text, and why',
  description:
    'Judged as a message would be right now, with the terms in force; nothing is sent or kept. Copies (AUTOMATIC_MESSAGE) are known by what was sent, not by a text.',
  body: Strict({
    text: Type.String({ minLength: 1, maxLength: 3500 }),
    site_id: Site,
    writer: Type.Enum(['seller', 'buyer']),
    billing_asked: Type.Optional(Type.Boolean()),
  }),
  answers: { 200: Verdict },
  async handle({ db }, { body: { text, site_id: siteId, writer, billing_asked } }) {
    const terms = await currentTerms(db)
    const found = moderate(text, { siteId, writer, terms, billingAsked: billing_asked ?? false })
    return ok({
      status: found ? 'rejected' : 'clean',
      reason: found?.reason ?? null,
      rule: found?.rule ?? null,
      from: found?.from ?? null,
      to: found?.to ?? null,
      cause: found ? text.slice(found.from, found.to) : null,
    })
  },
})

function termView({ siteId, dateCreated, ...term }: Term): object {
  return { ...term, site_id: siteId, date_created: timestamp(dateCreated) }
}

export const moderationAdminRoutes: Route[] = [getTerms, postTerm, removeTerm, tryText]
