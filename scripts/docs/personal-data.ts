import { keptData } from '../../src/personal-data/kept-data.ts'
import { type ColumnPolicy, columnPolicies, personalDataMap } from '../../src/personal-data/map.ts'
import { tableOf } from './markdown.ts'

const head = `# Personal data

Feria stores personal data of the users of your marketplace. This page says where it is, and how you answer a user who asks for it or wants it erased. Which laws apply to you, and how long you have to keep what, is for you to find out.

## Export

\`GET /operator/users/{id}/personal-data\` and \`feria users export\` return everything that Feria stores about a user, one JSON object per line. \`kind\` says what it is. Files of attachments follow in pieces, in base64. The last line has the kind \`end\`: without it, the export is incomplete. What is about other parties only, such as the address of a buyer in the export of the seller, is left out.

<!-- not run: the sandbox of the page keeps its users; src/personal-data/erasure.test.ts -->
\`\`\`sh
feria users export 100000001 --out user.ndjson
\`\`\`

## Erasure

1. End what is open. Open sales lose their addresses with the erasure, and a parcel that is not sent yet could not be.
2. Give applications that should stay another owner (\`PUT /operator/applications/{id}\`). Applications of the user end, with all their authorizations and secrets.
3. Export the data first if you have to keep some of it, such as invoices with an address.
4. Start it: \`POST /operator/users/{id}/erasure\`, or \`feria users erase\`. It cannot be undone.
5. Read how far it is: \`GET /operator/users/{id}/erasure\`. It says what was erased, and what is kept and why.

<!-- not run: the sandbox of the page keeps its users; src/personal-data/erasure.test.ts -->
\`\`\`sh
feria users erase 100000001 --yes
\`\`\`

Sessions, tokens and authorizations end with the answer to the first request. From then on, a checkout of the user's items is refused. Snapshots of the sandbox that have the user are deleted whole. The rest is erased in the background, in small transactions. A crash loses none of it: the next process goes on. The erasure passes through all data until a pass finds nothing more. You can start it again at any time, for example after you have imported old data.

The user appears to others as \`ERASED_<id>\`. The id is not used again: a user, password, token, authorization, item or checkout with it answers 409 \`user_erased\`.

## What you have to do yourself

- **Backups** still have the data. Let them expire, and keep a list of erased ids apart. After you restore a backup that is older than an erasure, erase those users again.
- **Logs** of Feria have ids and paths, but no bodies. Logs of your proxy have addresses of clients. Let them expire.
- **PostgreSQL** keeps old versions of rows until \`VACUUM\`, and its write-ahead log until it is recycled or leaves your archive.
- **The file store** of a bucket with versions keeps removed files. Expire old versions with a rule of the bucket.
- **Integrators** have copies of what they read and of what they were notified about. Tell them.
- **Your own systems**, which push users and sales into Feria, must not push the data again: imports refuse lines of the user, but an order or shipment that you patch takes new comments and addresses. Erase again if they have.

## What is kept`

/** Renders the page about personal data. */
export function personalDataPage(): string {
  const kept = tableOf(
    ['Kept', 'Why'],
    keptData.map(({ data, reason }) => [data, reason]),
  )
  const policies = tableOf(
    ['Policy', 'What it means'],
    Object.entries(columnPolicies).map(([policy, text]) => [`\`${policy}\``, text]),
  )
  const tables = Object.entries(personalDataMap)
    .filter(([, { about }]) => about !== null)
    .map(([table, { about, columns, reason }]) => [
      `\`${table}\``,
      about ?? '',
      columnsText(columns),
      reason ?? '',
    ])
  const shared = Object.entries(personalDataMap)
    .filter(([, { about, columns }]) => about === null && columns.kept !== undefined)
    .map(([table, { columns, reason }]) => [`\`${table}\``, columnsText(columns), reason ?? ''])
  return [
    head,
    kept,
    '## The map',
    'Every column of the database has a policy (`src/personal-data/map.ts`). Columns with the policies `none` and `id` are not shown, nor are tables without others.',
    policies,
    '### Tables about users',
    tableOf(
      ['Table', 'Whose data', 'Columns', 'Note'],
      tables.filter(([, , text]) => text !== ''),
    ),
    '### Tables about nobody with free texts',
    tableOf(['Table', 'Columns', 'Why they stay'], shared),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n')
}

function columnsText(columns: Partial<Record<ColumnPolicy, readonly string[]>>): string {
  return (['deleted', 'replaced', 'rebuilt', 'kept', 'expires'] as const)
    .flatMap((policy) => {
      const names = columns[policy]
      if (!names) return []
      return policy === 'deleted' && Object.keys(columns).length === 1
        ? ['deleted: the row']
        : [`${policy}: ${names.map((name) => `\`${name}\``).join(', ')}`]
    })
    .join('; ')
}
