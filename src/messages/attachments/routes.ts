import type { IncomingHttpHeaders } from 'node:http'
import { create as contentDisposition } from 'content-disposition'
import { Type } from 'typebox'
import { fileResponse } from '../../http/file-response.ts'
import { created, type Route, type RouteResponse, route } from '../../http/route.ts'
import { Failure } from '../../kernel/failure.ts'
import { Bounded, errorBodies } from '../../kernel/schema.ts'
import { siteIds } from '../../kernel/sites.ts'
import type { Context } from '../../platform/context.ts'
import { type Attachment, downloadName } from './attachment.ts'
import { receiveAttachment } from './commands.ts'
import { loadAttachment, loadReadableAttachment, openAttachment } from './read.ts'
import { siteOfAttachment } from './site-rules.ts'

const Query = Type.Object({
  site_id: Type.Optional(Bounded(1_000, 'Required. The site of the sale.')),
  tag: Type.Optional(Bounded(1_000, '`post_sale`')),
})

/** Throws `site_id_required` or `site_id_invalid`. */
function checkSite(siteId: string | undefined): void {
  if (siteId === undefined || siteId === '') throw new Failure('site_id_required')
  if (!(siteIds as string[]).includes(siteId)) throw new Failure('site_id_invalid', siteId)
}

const postAttachment = route({
  method: 'POST',
  url: '/messages/attachments',
  scope: 'write',
  tag: 'Messages',
  summary: 'Upload a file',
  description:
    'Stores a file and returns its id, which you then send in `attachments` of a message. Send a form with one part `file`: a jpg, png, pdf or plain text of at most 25 MB; the content decides, not the name. A file that is not attached within 48 hours is removed. 400 `bad_request`: the file is empty, too large, of another type, or has an invalid name. 403 `limit_exceeded`: your unattached files take too much room. 500 `internal_server_error`: the file was not saved, try again later.',
  refuses: {
    site_id_required: '',
    file_empty: '',
    file_too_large: '',
    filename_invalid: '',
    unattached_full: '100',
    file_not_saved: '',
  },
  query: Query,
  body: Type.Object({ file: Type.String({ format: 'binary', examples: ['factura.png'] }) }),
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
  summary: 'Download an attachment',
  description:
    'Returns the file. The uploader may read it until it is attached, then the seller and the buyer of the pack may. Send `Range` for a part of the file, and `If-None-Match` with the `ETag` that you have to get 304 when nothing changed. 404 `not_found`: there is no such attachment, or you may not read it. 500 `internal_server_error`: the file cannot be read now, try again later. 400 `bad_request`: `site_id` is missing or no site.',
  refuses: {
    site_id_required: '',
    not_found: 'Attachment not found: 468424240_0b41b1b1-8a7e-4f57-a1d2-0f3c9a6d5e11.png',
    file_not_accessed: '',
  },
  params: Type.Object({ attachment_id: Type.String() }),
  query: Query,
  headers: Type.Object({
    range: Type.Optional(
      Type.String({ description: 'The part of the file to return, such as `bytes=0-1023`.' }),
    ),
    'if-range': Type.Optional(
      Type.String({ description: '`ETag` of the file that the part belongs to.' }),
    ),
    'if-none-match': Type.Optional(
      Type.String({ description: '`ETag` of the copy that you have.' }),
    ),
  }),
  answers: { 200: File, 206: File, 304: Type.Null(), 416: errorBodies.general },
  async handle(ctx, { params, query, headers, caller }) {
    checkSite(query.site_id)
    const attachment = await loadReadableAttachment(ctx, {
      id: params.attachment_id,
      readerId: caller.userId,
    })
    return fileAnswer(ctx, attachment, headers)
  },
})

const getForOperator = route({
  method: 'GET',
  url: '/operator/messages/attachments/:attachment_id',
  scope: 'operator',
  permission: 'messages:read',
  sites: siteOfAttachment,
  tag: 'Operator: messages',
  summary: 'Download any attachment',
  description:
    'Returns the file of any attachment, also of a message that was held back. Headers work as in `GET /messages/attachments/{attachment_id}`. 404 `not_found`: there is no such attachment. 500 `internal_server_error`: the file cannot be read now, try again later.',
  refuses: {
    not_found: 'Attachment not found: 468424240_0b41b1b1-8a7e-4f57-a1d2-0f3c9a6d5e11.png',
    file_not_accessed: '',
  },
  params: Type.Object({ attachment_id: Type.String() }),
  answers: { 200: File, 206: File, 304: Type.Null(), 416: errorBodies.general },
  async handle(ctx, { params, headers }) {
    return fileAnswer(ctx, await loadAttachment(ctx, params.attachment_id), headers)
  },
})

/** Answers with the file or the requested part of it: 200, 206, 304 or 416. */
async function fileAnswer(
  ctx: Context,
  attachment: Attachment,
  headers: IncomingHttpHeaders,
): Promise<RouteResponse> {
  const { size, sha256, type, charset } = attachment
  return fileResponse(headers, {
    size,
    etag: `"${sha256}"`,
    contentType: charset === null ? type : `${type}; charset=${charset}`,
    contentDisposition: contentDisposition(downloadName(attachment)),
    open: (part) => openAttachment(ctx, attachment, part),
  })
}

export const attachmentRoutes: Route[] = [postAttachment, getAttachment]
export const attachmentAdminRoutes: Route[] = [getForOperator]
