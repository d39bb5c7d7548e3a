import { auditAdminRoutes } from '../audit/admin-routes.ts'
import { currencyAdminRoutes } from '../catalog/currencies/admin-routes.ts'
import { currencyRoutes } from '../catalog/currencies/routes.ts'
import { discoveryRoutes } from '../catalog/discovery.ts'
import { catalogRoutes } from '../catalog/routes.ts'
import { catalogAdminRoutes } from '../catalog/versions/admin-routes.ts'
import { claimRoutes } from '../claims/routes.ts'
import { reportRoutes } from '../exports/reports/routes.ts'
import { exportRoutes } from '../exports/routes.ts'
import { reputationRoutes } from '../feedback/reputation/routes.ts'
import { feedbackRoutes } from '../feedback/routes.ts'
import { healthRoutes } from '../http/health.ts'
import type { Route } from '../http/route.ts'
import { registeredAdminRoutes } from '../identity/admin/admin-routes.ts'
import { identityAdminRoutes } from '../identity/admin-routes.ts'
import { applicationAdminRoutes } from '../identity/applications/admin-routes.ts'
import { grantAdminRoutes, grantRoutes } from '../identity/grants/routes.ts'
import { userHistoryAdminRoutes } from '../identity/history/routes.ts'
import { oauthRoutes } from '../identity/oauth/routes.ts'
import { selfServiceRoutes } from '../identity/self-service/routes.ts'
import { passwordAdminRoutes } from '../identity/sessions/password-admin-routes.ts'
import { sessionRoutes } from '../identity/sessions/routes.ts'
import { testUserRoutes } from '../identity/test-users/routes.ts'
import { importRoutes } from '../imports/routes.ts'
import { makeJobRoutes } from '../jobs/admin-routes.ts'
import { listingsAdminRoutes } from '../listings/commands/admin-routes.ts'
import { listingHistoryAdminRoutes } from '../listings/history/routes.ts'
import { learningAdminRoutes } from '../listings/learning/admin-routes.ts'
import { ownItemRoutes } from '../listings/own/routes.ts'
import { listingPageRoutes } from '../listings/page/routes.ts'
import { picturesAdminRoutes } from '../listings/pictures/admin-routes.ts'
import { pictureRoutes } from '../listings/pictures/routes.ts'
import { quotationsAdminRoutes } from '../listings/quotations/admin-routes.ts'
import { quotationRoutes } from '../listings/quotations/routes.ts'
import { itemRoutes } from '../listings/routes.ts'
import { listingSearchRoutes } from '../listings/search/routes.ts'
import { synonymsAdminRoutes } from '../listings/search/synonyms/admin-routes.ts'
import { descriptionRoutes } from '../listings/sell/description-routes.ts'
import { sellRoutes } from '../listings/sell/routes.ts'
import { suggestionRoutes } from '../listings/suggestions/routes.ts'
import { topValueRoutes } from '../listings/top-values/routes.ts'
import { attachmentAdminRoutes, attachmentRoutes } from '../messages/attachments/routes.ts'
import { guideRoutes } from '../messages/guide/routes.ts'
import { conversationHistoryAdminRoutes } from '../messages/history/routes.ts'
import { decisionsAdminRoutes } from '../messages/moderation/decisions/admin-routes.ts'
import { moderationPreviewAdminRoutes } from '../messages/moderation/preview/admin-routes.ts'
import { moderationRulesAdminRoutes } from '../messages/moderation/rules/admin-routes.ts'
import { moderationAdminRoutes } from '../messages/moderation/terms/admin-routes.ts'
import { messagesAdminRoutes } from '../messages/operator/admin-routes.ts'
import { conversationsAdminRoutes } from '../messages/operator/conversations.ts'
import { messageRoutes } from '../messages/routes.ts'
import { explainAdminRoutes, explainRoutes } from '../notifications/explain/routes.ts'
import { feedAdminRoutes, notificationRoutes } from '../notifications/feed/routes.ts'
import { deliveryFiguresAdminRoutes } from '../notifications/figures/routes.ts'
import { fixtureAdminRoutes } from '../notifications/fixture/routes.ts'
import { listeningRoutes } from '../notifications/listen/routes.ts'
import { orderNotificationsAdminRoutes } from '../notifications/of-order/routes.ts'
import { queueAdminRoutes, queueRoutes } from '../notifications/queues/admin-routes.ts'
import { replayAdminRoutes, replayRoutes } from '../notifications/replay/routes.ts'
import { retryAdminRoutes, retryRoutes } from '../notifications/retry/routes.ts'
import { signingAdminRoutes, signingRoutes } from '../notifications/signing/admin-routes.ts'
import { accountsAdminRoutes } from '../operators/accounts-admin-routes.ts'
import { keysAdminRoutes } from '../operators/keys-admin-routes.ts'
import { openidRoutes } from '../operators/openid/admin-routes.ts'
import { rolesAdminRoutes } from '../operators/roles-admin-routes.ts'
import { operatorSessionRoutes } from '../operators/sessions-admin-routes.ts'
import { tokenAdminRoutes } from '../operators/token-admin-routes.ts'
import { ordersAdminRoutes } from '../orders/commands/admin-routes.ts'
import { claimsAdminRoutes } from '../orders/commands/claims-admin-routes.ts'
import { shipmentsAdminRoutes } from '../orders/commands/shipping-admin-routes.ts'
import { orderNoteRoutes } from '../orders/details/notes.ts'
import { orderDetailRoutes } from '../orders/details/routes.ts'
import { shipmentRoutes } from '../orders/details/shipping.ts'
import { orderFiguresAdminRoutes } from '../orders/figures/routes.ts'
import { orderHistoryAdminRoutes } from '../orders/history/routes.ts'
import { invoicesAdminRoutes } from '../orders/invoices/admin-routes.ts'
import { invoiceRoutes } from '../orders/invoices/routes.ts'
import { orderRoutes } from '../orders/routes.ts'
import { operatorOrderSearchRoutes } from '../orders/search/operator/admin-routes.ts'
import { orderSearchAdminRoutes, orderSearchRoutes } from '../orders/search/routes.ts'
import { jobKinds } from '../personal-data/job-kinds.ts'
import { personalDataRoutes } from '../personal-data/routes.ts'
import { questionsAdminRoutes } from '../questions/admin-routes.ts'
import { questionRoutes } from '../questions/routes.ts'
import { answerFaultRoutes } from '../sandbox/answers/routes.ts'
import { clockRoutes } from '../sandbox/clock.ts'
import { faultRoutes } from '../sandbox/order-faults.ts'
import { receiverFaultRoutes } from '../sandbox/receivers/routes.ts'
import { simulationRoutes } from '../sandbox/simulation/routes.ts'
import { snapshotRoutes } from '../sandbox/snapshots/routes.ts'
import { triggerRoutes } from '../sandbox/triggers/routes.ts'
import { serviceRoutes } from './service.ts'

/** All operations, in the order of the reference. */
export const routes: readonly Route[] = [
  ...orderSearchRoutes,
  ...orderRoutes,
  ...orderDetailRoutes,
  ...orderNoteRoutes,
  ...shipmentRoutes,
  ...feedbackRoutes,
  ...claimRoutes,
  ...messageRoutes,
  ...attachmentRoutes,
  ...guideRoutes,
  ...itemRoutes,
  ...sellRoutes,
  ...descriptionRoutes,
  ...ownItemRoutes,
  ...listingPageRoutes,
  ...pictureRoutes,
  ...quotationRoutes,
  ...questionRoutes,
  ...invoiceRoutes,
  ...catalogRoutes,
  ...discoveryRoutes,
  ...topValueRoutes,
  ...currencyRoutes,
  ...listingSearchRoutes,
  ...suggestionRoutes,
  ...sessionRoutes,
  ...oauthRoutes,
  ...grantRoutes,
  ...selfServiceRoutes,
  ...testUserRoutes,
  ...reputationRoutes,
  ...notificationRoutes,
  ...listeningRoutes,
  ...explainRoutes,
  ...replayRoutes,
  ...queueRoutes,
  ...retryRoutes,
  ...signingRoutes,
  ...queueAdminRoutes,
  ...feedAdminRoutes,
  ...deliveryFiguresAdminRoutes,
  ...fixtureAdminRoutes,
  ...replayAdminRoutes,
  ...retryAdminRoutes,
  ...explainAdminRoutes,
  ...signingAdminRoutes,
  ...identityAdminRoutes,
  ...registeredAdminRoutes,
  ...userHistoryAdminRoutes,
  ...applicationAdminRoutes,
  ...grantAdminRoutes,
  ...personalDataRoutes,
  ...passwordAdminRoutes,
  ...listingsAdminRoutes,
  ...listingHistoryAdminRoutes,
  ...picturesAdminRoutes,
  ...quotationsAdminRoutes,
  ...synonymsAdminRoutes,
  ...questionsAdminRoutes,
  ...invoicesAdminRoutes,
  ...orderFiguresAdminRoutes,
  ...orderSearchAdminRoutes,
  ...operatorOrderSearchRoutes,
  ...ordersAdminRoutes,
  ...orderHistoryAdminRoutes,
  ...orderNotificationsAdminRoutes,
  ...shipmentsAdminRoutes,
  ...claimsAdminRoutes,
  ...messagesAdminRoutes,
  ...attachmentAdminRoutes,
  ...conversationsAdminRoutes,
  ...conversationHistoryAdminRoutes,
  ...moderationAdminRoutes,
  ...moderationRulesAdminRoutes,
  ...moderationPreviewAdminRoutes,
  ...decisionsAdminRoutes,
  ...currencyAdminRoutes,
  ...catalogAdminRoutes,
  ...learningAdminRoutes,
  ...operatorSessionRoutes,
  ...openidRoutes,
  ...accountsAdminRoutes,
  ...rolesAdminRoutes,
  ...keysAdminRoutes,
  ...tokenAdminRoutes,
  ...importRoutes,
  ...exportRoutes,
  ...auditAdminRoutes,
  ...reportRoutes,
  ...makeJobRoutes(jobKinds),
  ...clockRoutes,
  ...faultRoutes,
  ...receiverFaultRoutes,
  ...answerFaultRoutes,
  ...triggerRoutes,
  ...simulationRoutes,
  ...snapshotRoutes,
  ...serviceRoutes,
  ...healthRoutes,
]
