import { type Static, Type } from 'typebox'
import { created, noContent, ok, type Route, route } from '../../../http/route.ts'
import { siteInBody, siteInQuery } from '../../../http/site-rule.ts'
import { etagOf, withEtagField } from '../../../http/versions.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badField } from '../../../kernel/failure.ts'
import { OrNull, Site, StrictObject, Timestamp } from '../../../kernel/schema.ts'
import type { Context } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { synonymLimits } from '../words/synonyms.ts'
import { queryWords } from '../words/words.ts'
import {
  makeSynonymChange,
  maxSynonymChanges,
  type SynonymChange,
  synonymActions,
} from './change.ts'
import { siteOfSynonyms, synonymsNotFound } from './site-rules.ts'
import { synonymsChanged, synonymsOf } from './site-synonyms.ts'
import {
  countSynonymChanges,
  deleteSynonymChange,
  findSynonymChange,
  listSynonymChanges,
  saveSynonymChange,
  saveSynonymsVersion,
} from './store.ts'
import { versionedSynonyms } from './versioned-synonyms.ts'

const tag = 'Operator: listings'
const Action = Type.Enum([...synonymActions], {
  description:
    '`add` makes all the words synonyms of each other. `remove` takes a pair of words apart, whichever group has them',
})
const Words = Type.Array(
  Type.String({
    minLength: 1,
    maxLength: (synonymLimits.wordLength + 10) * synonymLimits.words,
    format: 'one-line',
    examples: ['heladera'],
  }),
  {
    minItems: 2,
    maxItems: synonymLimits.phrases,
    description: `Words or phrases of at most ${synonymLimits.words} words: 2 to ${synonymLimits.phrases} to add, 2 to remove. Capitals, accents and the plural make no difference`,
    examples: [['heladera', 'nevera', 'refrigerador']],
  },
)
const ChangeAnswer = Type.Object({
  id: Type.String({ description: 'Id of the change', examples: ['6f1d2a90c4b7e835'] }),
  site_id: Site,
  action: Action,
  words: Words,
  note: OrNull(Type.String()),
  date_created: Timestamp,
})
const ChangeBody = StrictObject({
  site_id: Site,
  action: Action,
  words: Words,
  note: Type.Optional(
    OrNull(
      Type.String({ minLength: 1, maxLength: 500, description: 'Your remark. Default: none' }),
    ),
  ),
})

const getSynonyms = route({
  method: 'GET',
  url: '/operator/search/synonyms',
  scope: 'operator',
  permission: 'catalog:read',
  sites: siteInQuery,
  tag,
  summary: 'List your synonyms of the search',
  description:
    'Returns your changes to the synonyms of a site, the oldest first. Look up a word to see the built-in ones, too: `GET /operator/search/synonyms/lookup`.',
  query: Type.Object({ site_id: Site }),
  answers: { 200: Type.Object({ results: Type.Array(withEtagField(ChangeAnswer)) }) },
  async handle({ db, now }, { query: { site_id } }) {
    const changes = await listSynonymChanges(db, site_id)
    const results = changes.map((change) => ({
      ...changeView(change),
      etag: etagOf(change, now()),
    }))
    return ok({ results })
  },
})

const postSynonyms = route({
  method: 'POST',
  url: '/operator/search/synonyms',
  scope: 'operator',
  permission: 'catalog:write',
  sites: siteInBody,
  audits: 'synonym',
  versioned: versionedSynonyms(({ body }) => changeOf(body as ChangeBody, new Date(0)).id),
  tag,
  summary: 'Add or remove synonyms of the search',
  description: `Changes which words the listing search of a site takes for the same: with \`add\`, a search for one of the words finds listings with any of them. With \`remove\`, two words are no longer synonyms; that wins over every group with both. Groups are not merged: of *a, b* and *b, c*, only *b* finds all three. The same words again replace the change. It applies within moments. A site has at most ${maxSynonymChanges} changes. 400 \`bad_request\`: a field has a wrong value.`,
  refuses: { bad_request: 'words[1]: expected at most 4 words' },
  body: ChangeBody,
  answers: { 200: ChangeAnswer, 201: ChangeAnswer },
  async handle({ audit, db, now, random }, { body }) {
    const change = changeOf(body, now())
    const { siteId } = change
    audit.target(change.id)
    const replaced = await db.transaction(async (tx) => {
      await announceChange(tx, { siteId, random })
      const before = await findSynonymChange(tx, change.id)
      audit.change({ before: before ? auditedChange(before) : null, after: auditedChange(change) })
      const stored = await saveSynonymChange(tx, change)
      if (!stored && (await countSynonymChanges(tx, siteId)) > maxSynonymChanges) {
        throw badField('site_id', `a site with less than ${maxSynonymChanges} changes: delete some`)
      }
      return stored
    })
    const saved = replaced ?? change
    return { ...(replaced ? ok : created)(changeView(saved)), state: saved }
  },
})

const deleteSynonyms = route({
  method: 'DELETE',
  url: '/operator/search/synonyms/:id',
  scope: 'operator',
  permission: 'catalog:write',
  sites: siteOfSynonyms,
  audits: 'synonym',
  versioned: versionedSynonyms(({ params: { id } }) => String(id)),
  tag,
  summary: 'Delete a change of synonyms',
  description:
    'Takes back a change: an added group is no longer one, a removed pair is what the built-in list says. It applies within moments. 404 `not_found`: there is no such change.',
  refuses: { not_found: 'Synonyms not found: 6f1d2a90c4b7e835' },
  params: Type.Object({
    id: Type.String({ description: 'Id of the change', examples: ['6f1d2a90c4b7e835'] }),
  }),
  answers: { 204: Type.Null() },
  async handle({ audit, db, random }, { params: { id } }) {
    await db.transaction(async (tx) => {
      const change = await findSynonymChange(tx, id)
      if (change) {
        await announceChange(tx, { ...change, random })
        audit.change({ before: auditedChange(change), after: null })
      }
      if (!(await deleteSynonymChange(tx, id))) {
        throw synonymsNotFound(id)
      }
    })
    return noContent()
  },
})

/** Returns the fields of a change that the audit log compares. */
function auditedChange({ siteId, action, words, note }: SynonymChange): object {
  return { site_id: siteId, action, words, note }
}

/** Makes concurrent changes of a site run one after the other, and tells all processes with the commit. */
async function announceChange(
  tx: Tx,
  { siteId, random }: Pick<SynonymChange, 'siteId'> & Pick<Context, 'random'>,
): Promise<void> {
  await saveSynonymsVersion(tx, { siteId, version: random.hex(16) })
  tx.publish(synonymsChanged, siteId)
}

const lookUpSynonyms = route({
  method: 'GET',
  url: '/operator/search/synonyms/lookup',
  scope: 'operator',
  permission: 'catalog:read',
  sites: siteInQuery,
  tag,
  summary: 'Look up synonyms of the search',
  description:
    'Returns what the listing search of a site takes for the same as the words of a query: built-in synonyms with your changes. Of words that overlap, the longest phrase is first.',
  query: Type.Object({
    site_id: Site,
    q: Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'The query',
      examples: ['heladera no frost'],
    }),
  }),
  answers: {
    200: Type.Object({
      results: Type.Array(
        Type.Object({
          words: Type.String({ description: 'Words of the query', examples: ['heladera'] }),
          synonyms: Type.Array(Type.String({ examples: ['nevera'] }), {
            description: 'Words that are searched for as well',
          }),
        }),
      ),
    }),
  },
  async handle(ctx, { query: { site_id, q } }) {
    const synonyms = await synonymsOf(ctx, site_id)
    const words = queryWords(q)
    const results = words.flatMap((_, at) =>
      synonyms.alternativesAt(words, at).map(({ length, texts }) => ({
        words: words
          .slice(at, at + length)
          .map(({ typed }) => typed)
          .join(' '),
        synonyms: texts,
      })),
    )
    return ok({ results })
  },
})

type ChangeBody = Static<typeof ChangeBody>

/** Returns the change of a request. Throws a `bad_request` that names the field. */
function changeOf({ site_id: siteId, action, words, note = null }: ChangeBody, now: Date) {
  return makeSynonymChange({ siteId, action, words, note, dateCreated: now })
}

function changeView({ siteId, dateCreated, ...change }: SynonymChange): object {
  return { ...change, site_id: siteId, date_created: timestamp(dateCreated) }
}

/** The operations to change the synonyms of the listing search. */
export const synonymsAdminRoutes: Route[] = [
  getSynonyms,
  postSynonyms,
  deleteSynonyms,
  lookUpSynonyms,
]
