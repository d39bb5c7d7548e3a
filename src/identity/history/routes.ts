import { Type } from 'typebox'
import {
  HistoryQuery,
  type HistorySource,
  historyAnswerOf,
  readHistory,
  valuesInHistory,
} from '../../audit/history.ts'
import { ok, type Route, route } from '../../http/route.ts'
import { Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { IdText } from '../../kernel/schema.ts'
import { siteOfUser } from '../site-rules.ts'
import { findUserOrigin, listUserEvents, userEventKinds } from './read-model.ts'

const getHistory = route({
  method: 'GET',
  url: '/operator/users/:id/history',
  scope: 'operator',
  permission: 'users:read',
  sites: siteOfUser,
  tag: 'Operator: users and applications',
  summary: 'Get the history of a user',
  description: `Returns what happened to a user, the newest first: when the account was created and last updated, its password, its applications, its authorizations in force and its erasure, and what operators changed, with the entry of the audit log in \`audit\`. Of an erased user, the entries stay without personal values. ${valuesInHistory} 400 \`bad_request\`: the cursor is wrong. 404 \`not_found\`: there is no such user.`,
  refuses: {
    bad_request: 'cursor: expected the `next_cursor` of a page of the same history',
    not_found: 'User not found: 468424240',
  },
  params: Type.Object({ id: IdText }),
  query: HistoryQuery,
  answers: { 200: historyAnswerOf(userEventKinds) },
  async handle({ db }, { params, query, permissions, operationPermissions }) {
    const id = pathId('id', params.id)
    const user = await findUserOrigin(db, id)
    if (!user) throw new Failure('not_found', `User not found: ${id}`)
    const source: HistorySource = {
      subject: `/operator/users/${id}`,
      dateCreated: user.dateCreated,
      targets: [
        { kind: 'user', id: String(id) },
        // Entries of tokens have the user as their target.
        { kind: 'token', id: String(id) },
      ],
      listEvents: (page) => listUserEvents(db, { ...page, id }),
    }
    return ok(await readHistory(db, source, { query, permissions, operationPermissions }))
  },
})

export const userHistoryAdminRoutes: Route[] = [getHistory]
