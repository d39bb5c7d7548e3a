import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { checkNotifiedUser, notificationAccess } from '../../identity/owned/owner.ts'
import { Id } from '../../kernel/schema.ts'
import { Entry, entryView } from '../feed/view.ts'
import { retryNow } from './commands.ts'
import { farthestLook } from './store.ts'

const aboutOne =
  'With a user’s token of the application only notifications about that user; others take a token of the application itself (`grant_type=client_credentials`), or one of its owner that names no application.'

/** The same for the bearer of a token of the application, for its owner and, under a prefix, for the
 * operator. A user's token reaches the notifications about that user. */
function retryUnder(prefix: '' | '/operator'): Route {
  const isOperators = prefix === '/operator'
  return route({
    method: 'POST',
    url: `${prefix}/applications/:application_id/notifications/:notification_id/retry`,
    scope: isOperators ? 'operator' : 'write',
    tag: isOperators ? 'Operator: deliveries' : 'Notifications',
    summary: 'Send one notification now, once more',
    description: `Answers when the receiver has, as the feed shows it; \`attempts\` goes on counting. It asks nothing of how the lane stands. One that was accepted is found among the newest ${farthestLook} of the application; for more of them at a time there are replays.${isOperators ? '' : ` ${aboutOne}`}`,
    params: Type.Object({
      application_id: Id,
      notification_id: Type.String({ maxLength: 100, description: '`_id` of the feed' }),
    }),
    answers: { 200: Entry },
    async handle(ctx, { params, caller }) {
      const { application_id: applicationId, notification_id: id } = params
      const access = caller && (await notificationAccess(ctx.db, { caller, applicationId }))
      const entry = await retryNow(ctx, { applicationId, id }, ({ userId }) => {
        if (access) checkNotifiedUser(access, userId)
      })
      return ok(entryView(entry))
    },
  })
}

export const retryRoutes: Route[] = [retryUnder('')]
export const retryAdminRoutes: Route[] = [retryUnder('/operator')]
