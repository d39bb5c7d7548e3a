import type { IncomingHttpHeaders } from 'node:http'
import { create as contentDisposition } from 'content-disposition'
import { Type } from 'typebox'
import { bodyOf } from '../../http/failure.ts'
import { type Answer, created, type Route, route } from '../../http/route.ts'
import { Failure } from '../../kernel/failure.ts'
import { Bounded, errorBodies } from '../../kernel/schema.ts'
import { siteIds } from '../../kernel/sites.ts'
import type { Context } from '../../platform/context.ts'
import { type Attachment, downloadName } from './attachment.ts'
import { receiveAttachment } from './commands.ts'
import { requestedRange } from './range.ts'
import { anyAttachment, openAttachment, readableAttachment } from './read.ts'

const Query = Type.Object({
  site_id: Type.Optional(Bounded(1_000, 'Required: the site of the sale')),
  tag: Type.Optional(Bounded(1_000, '`post_sale`')),
})

/** Contract 7.4. */
function checkSite(siteId: string | undefined): void {
  if (siteId === undefined || siteId === '') throw new Failure('site_id_required')
  if (!(siteIds as string[]).includes(siteId)) throw new Failure('site_id_invalid', siteId)
}

const postAttachment = route({
  method: 'POST',
  url: '/messages/attachments',
  scope: 'write',
  tag: 'Messages',
  summary: 'Upload a file, to be attached to a message',
  description:
    'Contract 4.2. A form with one part `file`: a jpg, png, pdf or plain text (by its content, whatever its name) of at most 25 MB. What is not attached within 48 hours is removed; until then it counts against the room that each user has for such files. Refusals: contract 7.4.',
  query: Query,
  body: Type.Object({ file: Type.String({ format: 'binary' }) }),
  takesFiles: true,
  answers: {
    201: Type.Object({ id: Type.String({ description: '`<user_id>_<uuid>.<extension>`' }) }),
  },
  async handle(ctx, { query, caller, headers, files }) {
    checkSite(query.site_id)
    const { 'content-length': length } = headers
    const announced = length === undefined ? undefined : Number(length)
    const upload = { userId: caller.userId, announced, files }
    return created({ id: await receiveAttachment(ctx, upload) })
  },
})

const File = Type.String({ format: 'binary' })

const getAttachment = route({
  method: 'GET',
  url: '/messages/attachments/:attachment_id',
  scope: 'read',
  tag: 'Messages',
  summary: 'The content of an attachment, for who uploaded it or the parties of its pack',
  description:
    'Contract 4.2. Sent to be saved, not shown. A part of it with `Range`; 304 when it is known by its `ETag`.',
  params: Type.Object({ attachment_id: Type.String() }),
  query: Query,
  headers: Type.Object({
    range: Type.Optional(Type.String({ description: 'A part of the file: `bytes=0-1023`' })),
    'if-range': Type.Optional(Type.String({ description: 'The `ETag` that the part belongs to' })),
    'if-none-match': Type.Optional(
      Type.String({ description: 'The `ETag` that is there already' }),
    ),
  }),
  answers: { 200: File, 206: File, 304: Type.Null(), 416: errorBodies.general },
  async handle(ctx, { params, query, headers, caller }) {
    checkSite(query.site_id)
    const asked = { id: params.attachment_id, readerId: caller.userId }
    const found = await readableAttachment(ctx, asked)
    return contentOf(ctx, found, headers)
  },
})

const getForOperator = route({
  method: 'GET',
  url: '/operator/messages/attachments/:attachment_id',
  scope: 'operator',
  tag: 'Operator: messages',
  summary: 'The content of an attachment, whoever may read it',
  description: 'As `/messages/attachments/{attachment_id}`, also of a message that was held back.',
  params: Type.Object({ attachment_id: Type.String() }),
  answers: { 200: File, 206: File, 304: Type.Null(), 416: errorBodies.general },
  async handle(ctx, { params, headers }) {
    return contentOf(ctx, await anyAttachment(ctx, params.attachment_id), headers)
  },
})

/** The content, or what of it is asked for. */
async function contentOf(
  ctx: Context,
  found: Attachment,
  headers: IncomingHttpHeaders,
): Promise<Answer> {
  const { size, sha256 } = found
  const etag = `"${sha256}"`
  const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = headers
  const conditions = {
    ...(range === undefined ? {} : { range }),
    ...(typeof ifRange === 'string' ? { 'if-range': ifRange } : {}),
    ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
  }
  const part = requestedRange(conditions, { size, etag })
  if (part === 'unchanged') return { status: 304, headers: { etag, ...keeping } }
  if (part === 'unsatisfiable') return unsatisfiable(size)
  const { start, end } = part === 'whole' ? { start: 0, end: size - 1 } : part
  return {
    status: part === 'whole' ? 200 : 206,
    content: await openAttachment(ctx, found, { start, end }),
    headers: {
      ...headersOf(found),
      etag,
      'content-length': String(end - start + 1),
      ...(part === 'whole' ? {} : { 'content-range': `bytes ${start}-${end}/${size}` }),
    },
  }
}

/** Whoever may read it today may not tomorrow: every copy is asked for again. */
const keeping = { 'cache-control': 'private, no-cache' }

function headersOf(attachment: Attachment): Record<string, string> {
  const { type, charset } = attachment
  return {
    'content-type': charset === null ? type : `${type}; charset=${charset}`,
    'content-disposition': contentDisposition(downloadName(attachment)),
    // Should anything show it all the same, it can do nothing there.
    'content-security-policy': "default-src 'none'; sandbox",
    'accept-ranges': 'bytes',
    ...keeping,
  }
}

function unsatisfiable(size: number): Answer {
  const failure = new Failure('range_not_satisfiable')
  return {
    status: failure.status,
    body: bodyOf(failure),
    headers: { 'content-range': `bytes */${size}` },
  }
}

export const attachmentRoutes: Route[] = [postAttachment, getAttachment]
export const attachmentAdminRoutes: Route[] = [getForOperator]
