import { Type } from 'typebox'
import { created, ok, type Route, route } from '../../http/route.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { Bounded } from '../../kernel/schema.ts'
import type { Context } from '../../platform/context.ts'
import { orderIdOf, ownedOrder } from '../routes.ts'
import { NoteAnswer, NotesAnswer } from './schemas.ts'
import {
  countNotes,
  deleteNote,
  insertNote,
  listNotes,
  type Notebook,
  updateNote,
} from './store.ts'
import { noteView } from './view.ts'

const tag = 'Orders'
const params = Type.Object({ order_id: Type.String() })
const noteParams = Type.Object({ order_id: Type.String(), note_id: Type.String() })
const body = Type.Object({ note: Bounded(3_000, '1 to 300 characters') })

const longestNote = 300
/** An author's on one order: they are answered all at once. */
const mostNotes = 100

/** The caller's notes on an order of the caller's. Throws the refusals of contract 7.5. */
async function notebookOf(
  ctx: Context,
  { params, caller }: { params: { order_id: string }; caller: { userId: number } },
): Promise<Notebook> {
  const orderId = orderIdOf(params.order_id)
  const { userId } = caller
  const { sellerId } = await ownedOrder(ctx, { userId, id: orderId })
  return { sellerId, orderId, authorId: userId }
}

async function permitParty(ctx: Context, asked: Parameters<typeof notebookOf>[1]): Promise<void> {
  await notebookOf(ctx, asked)
}

/** Counted as a person does: an emoji is one character, whatever its length in memory. */
function checkNote(note: string): string {
  const length = [...note].length
  if (length < 1 || length > longestNote) {
    throw badField('note', `text of 1 to ${longestNote} characters`)
  }
  return note
}

const getNotes = route({
  method: 'GET',
  url: '/orders/:order_id/notes',
  scope: 'read',
  tag,
  summary: "The caller's own notes on an order, newest first",
  description: 'Wire 2. The other party neither sees nor changes them.',
  params,
  answers: { 200: NotesAnswer },
  async handle(ctx, asked) {
    const notebook = await notebookOf(ctx, asked)
    const notes = await listNotes(ctx.db, notebook)
    return ok([{ results: notes.map(noteView), order_id: notebook.orderId }])
  },
})

const postNote = route({
  method: 'POST',
  url: '/orders/:order_id/notes',
  scope: 'write',
  tag,
  summary: 'Note something on an order, for oneself',
  description: `Wire 2. At most ${longestNote} characters, and ${mostNotes} notes an order.`,
  params,
  permit: permitParty,
  body,
  answers: { 201: NoteAnswer },
  async handle(ctx, asked) {
    const text = checkNote(asked.body.note)
    const notebook = await notebookOf(ctx, asked)
    const id = await ctx.ids.next('note')
    const now = ctx.now()
    const note = { id, note: text, dateCreated: now, lastUpdated: now }
    await ctx.db.transaction(async (tx) => {
      if ((await countNotes(tx, notebook)) >= mostNotes) {
        throw badField('note', `at most ${mostNotes} notes of yours on an order`)
      }
      await insertNote(tx, notebook, note)
    })
    return created({ note: noteView(note) })
  },
})

const putNote = route({
  method: 'PUT',
  url: '/orders/:order_id/notes/:note_id',
  scope: 'write',
  tag,
  summary: 'Rewrite a note of one’s own',
  params: noteParams,
  permit: permitParty,
  body,
  answers: { 200: NoteAnswer },
  async handle(ctx, asked) {
    const note = checkNote(asked.body.note)
    const notebook = await notebookOf(ctx, asked)
    const id = pathId('note_id', asked.params.note_id)
    const rewritten = await updateNote(ctx.db, notebook, { id, note, now: ctx.now() })
    if (!rewritten) throw noteNotFound(id)
    return ok({ note: noteView(rewritten) })
  },
})

const removeNote = route({
  method: 'DELETE',
  url: '/orders/:order_id/notes/:note_id',
  scope: 'write',
  tag,
  summary: 'Delete a note of one’s own',
  params: noteParams,
  answers: { 200: Type.Object({ note: Type.Null() }) },
  async handle(ctx, asked) {
    const notebook = await notebookOf(ctx, asked)
    const id = pathId('note_id', asked.params.note_id)
    if (!(await deleteNote(ctx.db, notebook, id))) throw noteNotFound(id)
    return ok({ note: null })
  },
})

/** The other party's note is answered like none at all. */
function noteNotFound(id: number): Failure {
  return new Failure('not_found', `Note not found: ${id}`)
}

export const orderNoteRoutes: Route[] = [getNotes, postNote, putNote, removeNote]
