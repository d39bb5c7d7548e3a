import { type FailureCode, failuresBySubject } from '../../src/kernel/failure.ts'
import { tableOf } from './markdown.ts'

type Subject = keyof typeof failuresBySubject

const sections: Readonly<Record<Subject, { title: string; text?: string }>> = {
  order: { title: 'Orders, shipments and ratings' },
  item: { title: 'Items and questions' },
  access: { title: 'Tokens and access' },
  oauth: {
    title: 'Sign-in and OAuth',
    text: `\`POST /oauth/token\` and \`POST /oauth/revoke\` answer \`{ "message", "error", "error_description", "status", "cause" }\`.
\`error_description\` repeats \`message\` for OAuth clients (RFC 6749). A wrong value has the error \`invalid_request\` there.
Pages show an error as a page.`,
  },
  messageRead: {
    title: 'Reading messages',
    text: 'These errors, and those of attachments, have the general body.',
  },
  message: {
    title: 'Sending messages',
    text: `The body is \`{"status_code", "code", "message"}\`. \`code\` is the \`error\` of the table.
If several errors apply, you get the first of the table.`,
  },
  guide: {
    title: 'Action guide',
    text: 'The body is `{"cause", "error", "message", "status", "status_code"}`. `cause` is a string, and `status_code` repeats `status`.',
  },
  attachment: { title: 'Attachments' },
  notification: { title: 'Notifications' },
  request: { title: 'Any request' },
  operator: { title: 'Operator interface' },
  sandbox: { title: 'Sandbox' },
}

const head = `# All errors

Every error has an HTTP status and a JSON body. Programs read \`error\` and \`status\`; \`message\` is for people.

\`\`\`json
{ "message": "Order not found.", "error": "order_not_found", "status": 404, "cause": [] }
\`\`\`

In the tables, \`{detail}\` stands for text that depends on the request. For a wrong value it is \`field: expected …\`, and the field is a path such as \`lines[0].quantity\`. Every answer has an \`x-request-id\`; quote it to the operator, whose log has the same id.

A \`validation_error\` of an item lists up to 100 errors in \`cause\`; \`message\` is the first of them. Elsewhere \`cause\` is empty.

\`\`\`json
{ "message": "price: expected more than 0", "error": "validation_error", "status": 400, "cause": [
  { "code": "item.price.invalid", "field": "price", "message": "price: expected more than 0" },
  { "code": "item.attributes.missing_required", "field": "attributes",
    "message": "attributes: expected BRAND (Marca), which every listing in MLA1443 has" } ] }
\`\`\`

Retry 429 and 503 after the seconds in \`Retry-After\`, and other 5xx with growing pauses. Do not repeat other 4xx without a change.`

const bounds = `## Bounds of a request

The server refuses a request beyond these bounds with \`bad_request\`, which names the field and the bound:

- A JSON body has at most 20,000 values, 1,000 fields in one object, 1,000 elements in one list and 32 levels.
- One text has at most 200,000 characters.
- A form has at most 100 fields. A form with files has at most 100 parts.

Many fields have lower limits. The reference (\`/docs\`) shows them.`

/** Returns docs/errors.md. */
export function errorsPage(): string {
  const parts = (Object.keys(sections) as Subject[]).map((subject) => {
    const { title, text } = sections[subject]
    return [`## ${title}`, ...(text ? [text.replaceAll('\n', ' ')] : []), tableFor(subject)].join(
      '\n\n',
    )
  })
  return `${[head, ...parts, bounds].join('\n\n')}\n`
}

function tableFor(subject: Subject): string {
  const failures = Object.entries(failuresBySubject[subject]) as [
    FailureCode,
    { status: number; error: string; says: string; when: string },
  ][]
  // Clients of the action guide read the key of the table as `cause`.
  const isGuide = subject === 'guide'
  return tableOf(
    ['Status', '`error`', ...(isGuide ? ['`cause`'] : []), '`message`', 'When'],
    failures.map(([key, { status, error, says, when }]) => [
      String(status),
      `\`${error}\``,
      ...(isGuide ? [`\`${key}\``] : []),
      says,
      when,
    ]),
  )
}
