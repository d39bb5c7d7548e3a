import { Type } from 'typebox'
import { created, ok, type Route, route } from '../../http/route.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { Bounded } from '../../kernel/schema.ts'
import type { Context } from '../../platform/context.ts'
import { findOwnedOrder, parseOrderId, partyErrors, partyRefusals } from '../routes.ts'
import { NoteAnswer, NotesAnswer } from './schemas.ts'
import {
  countOrderNotes,
  deleteOrderNote,
  insertOrderNote,
  listOrderNotes,
  type NoteListKey,
  updateOrderNote,
} from './store.ts'
import { orderNoteView } from './view.ts'

const tag = 'Orders'
const params = Type.Object({ order_id: Type.String() })
const noteParams = Type.Object({ order_id: Type.String(), note_id: Type.String() })
const body = Type.Object({ note: Bounded(3_000, '1 to 300 characters') })

const maxNoteLength = 300
/** Per author and order. One answer returns all of them, without pages. */
const maxNotes = 100

/** Returns the key of the caller's notes on an order. Throws when the caller is no party of the order. */
async function noteListKeyOf(
  ctx: Context,
  { params, caller }: { params: { order_id: string }; caller: { userId: number } },
): Promise<NoteListKey> {
  const orderId = parseOrderId(params.order_id)
  const { userId } = caller
  const { sellerId } = await findOwnedOrder(ctx, { userId, id: orderId })
  return { sellerId, orderId, authorId: userId }
}

async function permitParty(
  ctx: Context,
  request: Parameters<typeof noteListKeyOf>[1],
): Promise<void> {
  await noteListKeyOf(ctx, request)
}

/** Throws a `bad_request` for a note of wrong length, counted in code points: a simple emoji is one character. */
function checkNote(note: string): string {
  const length = [...note].length
  if (length < 1 || length > maxNoteLength) {
    throw badField('note', `text of 1 to ${maxNoteLength} characters`)
  }
  return note
}

const getNotes = route({
  method: 'GET',
  url: '/orders/:order_id/notes',
  scope: 'read',
  tag,
  summary: 'List your notes on an order',
  description: `Returns the notes that you wrote on an order, the newest first. The other party cannot see or change them. ${partyErrors}`,
  refuses: partyRefusals,
  params,
  answers: { 200: NotesAnswer },
  async handle(ctx, request) {
    const notebook = await noteListKeyOf(ctx, request)
    const notes = await listOrderNotes(ctx.db, notebook)
    return ok([{ results: notes.map(orderNoteView), order_id: notebook.orderId }])
  },
})

const postNote = route({
  method: 'POST',
  url: '/orders/:order_id/notes',
  scope: 'write',
  tag,
  summary: 'Add a note to an order',
  description: `Adds a note that only you can read. A note has 1 to ${maxNoteLength} characters, and you can add ${maxNotes} notes to an order. Beyond these limits the answer is 400 \`bad_request\`. ${partyErrors}`,
  refuses: {
    ...partyRefusals,
    bad_request: `note: expected text of 1 to ${maxNoteLength} characters`,
  },
  params,
  permit: permitParty,
  body,
  answers: { 201: NoteAnswer },
  async handle(ctx, request) {
    const text = checkNote(request.body.note)
    const notebook = await noteListKeyOf(ctx, request)
    const id = await ctx.ids.next('note')
    const now = ctx.now()
    const note = { id, note: text, dateCreated: now, lastUpdated: now }
    await ctx.db.transaction(async (tx) => {
      if ((await countOrderNotes(tx, notebook)) >= maxNotes) {
        throw badField('note', `at most ${maxNotes} notes of yours on an order`)
      }
      await insertOrderNote(tx, notebook, note)
    })
    return created({ note: orderNoteView(note) })
  },
})

const putNote = route({
  method: 'PUT',
  url: '/orders/:order_id/notes/:note_id',
  scope: 'write',
  tag,
  summary: 'Update a note',
  description: `Replaces the text of a note that you wrote, with 1 to ${maxNoteLength} characters. A note of the other party answers 404 \`not_found\`, as if it did not exist. ${partyErrors}`,
  refuses: { ...partyRefusals, not_found: 'Note not found: 600' },
  params: noteParams,
  permit: permitParty,
  body,
  answers: { 200: NoteAnswer },
  async handle(ctx, request) {
    const note = checkNote(request.body.note)
    const notebook = await noteListKeyOf(ctx, request)
    const id = pathId('note_id', request.params.note_id)
    const rewritten = await updateOrderNote(ctx.db, notebook, { id, note, now: ctx.now() })
    if (!rewritten) throw noteNotFound(id)
    return ok({ note: orderNoteView(rewritten) })
  },
})

const removeNote = route({
  method: 'DELETE',
  url: '/orders/:order_id/notes/:note_id',
  scope: 'write',
  tag,
  summary: 'Delete a note',
  description: `Deletes a note that you wrote. A note of the other party answers 404 \`not_found\`, as if it did not exist. ${partyErrors}`,
  refuses: { ...partyRefusals, not_found: 'Note not found: 600' },
  params: noteParams,
  answers: { 200: Type.Object({ note: Type.Null() }) },
  async handle(ctx, request) {
    const notebook = await noteListKeyOf(ctx, request)
    const id = pathId('note_id', request.params.note_id)
    if (!(await deleteOrderNote(ctx.db, notebook, id))) throw noteNotFound(id)
    return ok({ note: null })
  },
})

/** The other party's note gets the same answer as an unknown one, so that nobody learns that it exists. */
function noteNotFound(id: number): Failure {
  return new Failure('not_found', `Note not found: ${id}`)
}

export const orderNoteRoutes: Route[] = [getNotes, postNote, putNote, removeNote]
