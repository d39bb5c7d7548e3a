import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { allSites } from '../../http/site-rule.ts'
import {
  checkNotifiedUser,
  notificationAccess,
  wholeRefusals,
} from '../../identity/applications/access.ts'
import { Id } from '../../kernel/schema.ts'
import { entryView, FeedEntryAnswer } from '../feed/view.ts'
import { retryNotification } from './commands.ts'
import { maxSearchedNotifications } from './store.ts'

const access =
  'A user’s token of the application retries only notifications about that user. For others, use a token of the application itself (`grant_type=client_credentials`), or one of its owner that names no application. Any other token gets 403 `access_denied`.'

/** Makes the route for tokens of the application and its owner (no prefix) or for the operator. */
function retryUnder(prefix: '' | '/operator'): Route {
  const isOperators = prefix === '/operator'
  return route({
    method: 'POST',
    url: `${prefix}/applications/:application_id/notifications/:notification_id/retry`,
    scope: isOperators ? 'operator' : 'write',
    permission: 'deliveries:write',
    sites: allSites,
    audits: 'notification',
    tag: isOperators ? 'Operator: deliveries' : 'Notifications',
    summary: 'Retry a notification now',
    description: `Sends one notification again at once and returns its entry in the feed (\`GET /myfeeds\`) after the attempt. A failed attempt answers 200 too: see \`outcome\`. \`attempts\` keeps counting. It works while deliveries are paused or disabled. A notification that was accepted is found only among the newest ${maxSearchedNotifications} of the application; older ones answer 404. To send many again, create a replay. Answers 404 \`not_found\` for an unknown notification or application, 409 \`no_callback\` without a callback URL and 409 \`status_not_reachable\` while the notification waits for its first attempt.${isOperators ? '' : ` ${access}`}`,
    refuses: {
      ...(isOperators ? {} : wholeRefusals),
      no_callback: '',
      not_found: 'Notification not found: 5da8a1b24be30a49eb66c52a',
      status_not_reachable:
        'notification_id: expected a notification after its first attempt; this one still waits for it',
    },
    params: Type.Object({
      application_id: Id,
      notification_id: Type.String({
        maxLength: 100,
        description: '`_id` of the notification in the feed',
      }),
    }),
    answers: { 200: FeedEntryAnswer },
    async handle(ctx, { params, caller }) {
      const { application_id: applicationId, notification_id: id } = params
      ctx.audit.relate('application', applicationId)
      const callerAccess = caller && (await notificationAccess(ctx.db, { caller, applicationId }))
      const entry = await retryNotification(ctx, { applicationId, id }, ({ userId }) => {
        if (callerAccess) checkNotifiedUser(callerAccess, userId)
      })
      return ok(entryView(entry))
    },
  })
}

export const retryRoutes: Route[] = [retryUnder('')]
export const retryAdminRoutes: Route[] = [retryUnder('/operator')]
