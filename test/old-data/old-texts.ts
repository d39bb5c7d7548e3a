/** A statement that leaves the rows of one derivation as an earlier version would have. */
export interface OldTextFixture {
  table: string
  texts: readonly string[]
  /** The column of the version. */
  version: string
  ageSql: string
}

const parts = `'{"id":1}'`

export const oldTexts = {
  'order texts': {
    table: 'orders',
    texts: ['body'],
    version: 'body_version',
    ageSql: `update orders set body = '"id":' || id::text || ',"old":true', body_version = 0`,
  },
  'user texts': {
    table: 'users',
    texts: ['as_buyer', 'as_buyer_new', 'as_seller', 'nickname_folded'],
    version: 'text_version',
    ageSql: `update users set as_buyer = ${parts}, as_buyer_new = ${parts}, as_seller = ${parts},
      nickname_folded = 'x', text_version = 0`,
  },
  'shipment texts': {
    table: 'shipments',
    texts: ['as_part'],
    version: 'text_version',
    ageSql: `update shipments set as_part = ${parts}, text_version = 0`,
  },
  'feedback texts': {
    table: 'feedback',
    texts: ['as_part'],
    version: 'text_version',
    ageSql: `update feedback set as_part = replace(as_part, '"fulfilled"', '"old":1,"fulfilled"'),
      text_version = 0`,
  },
} as const satisfies Record<string, OldTextFixture>
