import { exportStreamNames } from '../../src/exports/streams.ts'
import { checkoutOf, jobOf, type SiteMarket } from './site-market.ts'

/** A request at what a site has. */
export interface SiteRequest {
  path: string
  body?: object
}

const span = 'from=2026-03-01&to=2026-03-31'
const order =
  (more = '') =>
  (m: SiteMarket) => [{ path: `/operator/orders/${m.order}${more}` }]
const job =
  (more = '') =>
  (m: SiteMarket) => [{ path: `/operator/jobs/${m.job}${more}` }]
/** A list of a site, by the name of its parameter. */
const list = (path: string) => (m: SiteMarket) => [
  { path: `${path}${path.includes('?') ? '&' : '?'}site_id=${m.site}` },
]
/** An export of a site from the beginning, and one that goes on after an entry. */
const exportAfter = (kind: string, entry: keyof SiteMarket) => (m: SiteMarket) => {
  const path = `/operator/exports/${kind}?site_id=${m.site}`
  return [{ path }, { path: `${path}&after=${m[entry]}` }]
}
const conversation = (m: SiteMarket) =>
  `/operator/conversations/packs/${m.pack}/sellers/${m.seller}`
const listingOf = ({ site, seller }: SiteMarket) => ({
  seller_id: seller,
  site_id: site,
  title: 'Pava',
  category_id: `${site}1580`,
  currency_id: site === 'MLB' ? 'BRL' : 'CLP',
  price: 10,
  available_quantity: 3,
})

/**
 * What each operation is asked about the things of a site. Operations about all sites, about none and about the own
 * account are left out. Each request succeeds with unlimited access, and again after it has succeeded, in this order.
 */
export const siteRequests: Readonly<Record<string, (market: SiteMarket) => SiteRequest[]>> = {
  'GET /operator/catalog/alias_suggestions': list('/operator/catalog/alias_suggestions'),
  'GET /operator/search/synonyms': list('/operator/search/synonyms'),
  'GET /operator/search/synonyms/lookup': list('/operator/search/synonyms/lookup?q=pava'),
  'POST /operator/search/synonyms': ({ site }) => [
    {
      path: '/operator/search/synonyms',
      body: { site_id: site, action: 'add', words: ['zzuno', 'zzdos'] },
    },
  ],
  'GET /operator/users': list('/operator/users'),
  'GET /operator/users/:id': (m) => [
    { path: `/operator/users/${m.seller}` },
    { path: `/operator/users/${m.buyer}` },
  ],
  'GET /operator/users/:id/history': (m) => [{ path: `/operator/users/${m.seller}/history` }],
  'PUT /operator/users/:id': (m) => [
    { path: `/operator/users/${m.buyer}`, body: { site_id: m.site, nickname: 'zzput' } },
  ],
  'GET /operator/orders/search': (m) => [
    { path: `/operator/orders/search?seller=${m.seller}` },
    { path: `/operator/orders/search?seller=${m.seller}&buyer=${m.buyer}&display=complete` },
    { path: `/operator/orders/search?seller=${m.seller}&search_type=scan` },
  ],
  'GET /operator/orders': (m) =>
    [
      '',
      '&sort=total_amount_asc&limit=1',
      `&q=${m.order}`,
      `&q=${m.item}`,
      `&seller=${m.seller}`,
    ].map((more) => ({ path: `/operator/orders?site_id=${m.site}${more}` })),
  'GET /operator/orders/:order_id': order(),
  'GET /operator/orders/:order_id/history': order('/history'),
  'GET /operator/orders/:order_id/notifications': order('/notifications'),
  'PATCH /operator/orders/:order_id': (m) => [
    { path: `/operator/orders/${m.order}`, body: { tags: { add: ['zzpatched'] } } },
  ],
  'POST /operator/orders/:order_id/payments': (m) => [
    {
      path: `/operator/orders/${m.order}/payments`,
      body: { status: 'pending', transaction_amount: 1 },
    },
  ],
  'POST /operator/orders': (m) => [{ path: '/operator/orders', body: checkoutOf(m) }],
  'PUT /operator/users/:user_id/invoices/:invoice_id': (m) =>
    m.site === 'MLB'
      ? [
          {
            path: `/operator/users/${m.seller}/invoices/${m.invoice}`,
            body: { invoice_number: 2, amount: 2 },
          },
        ]
      : [],
  'GET /operator/claims/:id': (m) => [{ path: `/operator/claims/${m.claim}` }],
  'PUT /operator/claims/:id': (m) => [
    { path: `/operator/claims/${m.claim}`, body: { fulfilled: true } },
    { path: `/operator/claims/${m.claim}`, body: { order_id: m.order, fulfilled: false } },
  ],
  'GET /operator/shipments/:shipping_id': (m) => [{ path: `/operator/shipments/${m.shipment}` }],
  'PATCH /operator/shipments/:shipping_id': (m) => [
    { path: `/operator/shipments/${m.shipment}`, body: { tracking_number: 'zz1' } },
  ],
  'GET /operator/exports/orders': exportAfter('orders', 'order'),
  'GET /operator/exports/payments': exportAfter('payments', 'payment'),
  'GET /operator/exports/shipments': exportAfter('shipments', 'shipment'),
  'GET /operator/exports/listings': exportAfter('listings', 'item'),
  'GET /operator/exports/claims': exportAfter('claims', 'claim'),
  'GET /operator/exports/messages': exportAfter('messages', 'message'),
  'GET /operator/exports/users': list('/operator/exports/users'),
  'GET /operator/reports/sales': list(`/operator/reports/sales?${span}`),
  'GET /operator/reports/refunds': list(`/operator/reports/refunds?${span}`),
  'GET /operator/reports/claims': list(`/operator/reports/claims?${span}`),
  'GET /operator/conversations': (m) => [{ path: `/operator/conversations?seller_id=${m.seller}` }],
  'GET /operator/conversations/packs/:pack_id/sellers/:seller_id': (m) => [
    { path: conversation(m) },
  ],
  'GET /operator/conversations/packs/:pack_id/sellers/:seller_id/history': (m) => [
    { path: `${conversation(m)}/history` },
  ],
  'PATCH /operator/conversations/packs/:pack_id/sellers/:seller_id': (m) => [
    { path: conversation(m), body: { block: 'blocked_by_buyer' } },
  ],
  'GET /operator/messages/moderated': list('/operator/messages/moderated'),
  'GET /operator/messages/:message_id': (m) => [{ path: `/operator/messages/${m.message}` }],
  'GET /operator/messages/attachments/:attachment_id': (m) => [
    { path: `/operator/messages/attachments/${m.attachment}` },
  ],
  'GET /operator/moderation/decisions': list('/operator/moderation/decisions'),
  'GET /operator/moderation/rules': list('/operator/moderation/rules'),
  'PUT /operator/moderation/rules/:rule': ({ site }) => [
    { path: '/operator/moderation/rules/link.short', body: { enabled: false, site_id: site } },
  ],
  'GET /operator/moderation/terms': list('/operator/moderation/terms'),
  'POST /operator/moderation/terms': ({ site }) => [
    {
      path: '/operator/moderation/terms',
      body: {
        kind: 'word',
        value: 'zzotra',
        reason: 'OUT_OF_PLACE_LANGUAGE',
        site_id: site,
      },
    },
  ],
  'POST /operator/moderation/try': ({ site }) => [
    {
      path: '/operator/moderation/try',
      body: { text: 'zz', site_id: site, writer: 'seller' },
    },
  ],
  'GET /operator/questions/:question_id': (m) => [{ path: `/operator/questions/${m.question}` }],
  'PATCH /operator/questions/:question_id': (m) => [
    { path: `/operator/questions/${m.question}`, body: { hold: true } },
  ],
  'GET /operator/items/:id': (m) => [{ path: `/operator/items/${m.item}?seller_id=${m.seller}` }],
  'GET /operator/items/:id/history': (m) => [{ path: `/operator/items/${m.item}/history` }],
  'PUT /operator/items/:id': (m) => [{ path: `/operator/items/${m.item}`, body: listingOf(m) }],
  'PUT /operator/pictures/:picture_id/errors': (m) => [
    {
      path: `/operator/pictures/${m.picture}/errors`,
      body: { item_id: m.item, message: 'x', source: 'https://example.com/b.jpg' },
    },
  ],
  'GET /operator/quotations/:quotation_id': (m) =>
    m.site === 'MLC' ? [{ path: `/operator/quotations/${m.quotation}` }] : [],
  'PUT /operator/quotations/:quotation_id': (m) =>
    m.site === 'MLC'
      ? [
          {
            path: `/operator/quotations/${m.quotation}`,
            body: { item_id: m.estate, user_id: m.buyer },
          },
        ]
      : [],
  'GET /operator/jobs': list('/operator/jobs'),
  'GET /operator/jobs/:id': job(),
  'POST /operator/jobs': ({ site }) => [
    { path: '/operator/jobs', body: jobOf(site) },
    ...exportStreamNames.map((of) => ({
      path: '/operator/jobs',
      body: { kind: 'export', parameters: { of, filter: { site_id: site } } },
    })),
  ],
  'POST /operator/jobs/:id/cancel': job('/cancel'),
  'GET /operator/jobs/:id/result': job('/result'),
  'POST /operator/jobs/:id/retry': job('/retry'),
  'POST /operator/messages/:message_id/overrule': (m) => [
    { path: `/operator/messages/${m.message}/overrule` },
  ],
  'DELETE /operator/authorizations/:application_id/:user_id': (m) => [
    { path: `/operator/authorizations/${m.application}/${m.buyer}` },
  ],
  'POST /operator/tokens/revoke': (m) => [
    { path: '/operator/tokens/revoke', body: { access_token: m.accessToken } },
  ],
  'DELETE /operator/questions/:question_id': (m) => [{ path: `/operator/questions/${m.question}` }],
  'DELETE /operator/pictures/:picture_id/errors': (m) => [
    { path: `/operator/pictures/${m.picture}/errors` },
  ],
  'DELETE /operator/moderation/terms/:id': (m) => [
    { path: `/operator/moderation/terms/${m.term}` },
  ],
  'DELETE /operator/search/synonyms/:id': (m) => [
    { path: `/operator/search/synonyms/${m.synonyms}` },
  ],
}
