import type { AuditOperation, AuditRequest } from '../http/audit.ts'
import type { AuditedChange, AuditNotes, AuditTarget } from '../kernel/audit.ts'
import type { OperatorActor } from '../kernel/operator-actor.ts'
import type { Context } from '../platform/context.ts'
import {
  type AuditEntry,
  actorNameOf,
  actorText,
  changeTexts,
  type PersonalValues,
  targetText,
} from './entry.ts'
import { addEntry, addResult, prepareAuditLog } from './store.ts'

/**
 * Prepares the entry of an operation of the operator, and returns the context that its handler gets. Every transaction of
 * that context adds the entry before its commit, until one has committed. So no code of the operation can change data
 * without an entry, nor leave an entry of a change that was rolled back (docs/decisions/0041-audit-log.md).
 */
export const auditOperation: AuditOperation = async (ctx, request) => {
  const recordedAt = ctx.now()
  await prepareAuditLog(ctx.db, recordedAt)
  const draft = new EntryDraft(request, recordedAt)
  const db = ctx.db.withExtension({
    beforeCommit: (tx) => {
      if (!draft.isCommitted) addEntry(tx, draft.entry(), draft.personal())
    },
    afterCommit: () => {
      draft.isCommitted = true
    },
  })
  const finish = async () => {
    // The transaction adds the entry itself.
    if (!draft.isCommitted) await db.transaction(() => {})
  }
  return { ctx: { ...ctx, db, audit: notesFor(draft, ctx) }, finish }
}

/** The entry of a request that is still running. */
class EntryDraft {
  /** Whether a transaction with the entry has committed. */
  isCommitted = false
  readonly #recordedAt: Date
  readonly #request: AuditRequest
  #actor: OperatorActor
  #targetId: string
  readonly #related = new Set<string>()
  #change: AuditedChange = { before: null, after: null }
  readonly #personal = new Map<number, AuditedChange>()

  constructor(request: AuditRequest, recordedAt: Date) {
    this.#request = request
    this.#actor = request.actor
    this.#targetId = request.targetId
    this.#recordedAt = recordedAt
  }

  get position(): Pick<AuditEntry, 'id' | 'recordedAt'> {
    return { id: this.#request.requestId, recordedAt: this.#recordedAt }
  }

  setActor(actor: OperatorActor): void {
    this.#actor = actor
  }

  setTarget(id: string): void {
    this.#targetId = id
  }

  addRelated(target: AuditTarget): void {
    this.#related.add(targetText(target))
  }

  setChange(change: AuditedChange): void {
    this.#change = change
  }

  setPersonal(userId: number, change: AuditedChange): void {
    this.#personal.set(userId, change)
  }

  entry(): AuditEntry {
    const { operation, targetKind, reason } = this.#request
    const actor = this.#actor
    return {
      ...this.position,
      actor: actorText(actor),
      actorName: actorNameOf(actor),
      operation,
      targetKind,
      targetId: this.#targetId,
      related: [...this.#related],
      reason,
      ...changeTexts(this.#change),
    }
  }

  personal(): PersonalValues[] {
    return [...this.#personal].map(([userId, change]) => ({ userId, ...changeTexts(change) }))
  }
}

function notesFor(draft: EntryDraft, { db }: Pick<Context, 'db'>): AuditNotes {
  return {
    actor: (actor) => draft.setActor(actor),
    target: (id) => draft.setTarget(String(id)),
    relate: (kind, id) => draft.addRelated({ kind, id: String(id) }),
    change: (change) => draft.setChange(change),
    personal: (userId, change) => draft.setPersonal(userId, change),
    async result(result) {
      await db.transaction((tx) =>
        addResult(tx, { ...draft.position, result: JSON.stringify(result) }),
      )
    },
  }
}
