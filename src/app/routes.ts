import { currencyIntake } from '../catalog/currencies/intake.ts'
import { currencyRoutes } from '../catalog/currencies/routes.ts'
import { discoveryRoutes } from '../catalog/discovery.ts'
import { catalogRoutes } from '../catalog/routes.ts'
import { catalogIntake } from '../catalog/versions/intake.ts'
import { claimRoutes } from '../claims/routes.ts'
import { reputationRoutes } from '../feedback/reputation/routes.ts'
import { feedbackRoutes } from '../feedback/routes.ts'
import { healthRoutes } from '../http/health.ts'
import type { Route } from '../http/route.ts'
import { applicationIntake } from '../identity/applications/intake.ts'
import { grantIntake, grantRoutes } from '../identity/grants/routes.ts'
import { identityIntake } from '../identity/intake.ts'
import { oauthRoutes } from '../identity/oauth/routes.ts'
import { ownedRoutes } from '../identity/owned/routes.ts'
import { passwordIntake } from '../identity/passwords/intake.ts'
import { registeredIntake } from '../identity/registered/intake.ts'
import { sessionRoutes } from '../identity/sessions/routes.ts'
import { testUserRoutes } from '../identity/test-users/routes.ts'
import { importRoutes } from '../imports/routes.ts'
import { descriptionRoutes } from '../listings/descriptions/routes.ts'
import { listingsIntake } from '../listings/intake.ts'
import { ownItemRoutes } from '../listings/own/routes.ts'
import { listingPageRoutes } from '../listings/page/routes.ts'
import { picturesIntake } from '../listings/pictures/intake.ts'
import { pictureRoutes } from '../listings/pictures/routes.ts'
import { quotationsIntake } from '../listings/quotations/intake.ts'
import { quotationRoutes } from '../listings/quotations/routes.ts'
import { itemRoutes } from '../listings/routes.ts'
import { listingSearchRoutes } from '../listings/search/routes.ts'
import { sellRoutes } from '../listings/sell/routes.ts'
import { topValueRoutes } from '../listings/values/routes.ts'
import { attachmentIntake, attachmentRoutes } from '../messages/attachments/routes.ts'
import { guideRoutes } from '../messages/guide/routes.ts'
import { moderationIntake } from '../messages/moderation/terms/intake.ts'
import { conversationsIntake } from '../messages/operator/conversations.ts'
import { messagesIntake } from '../messages/operator/intake.ts'
import { messageRoutes } from '../messages/routes.ts'
import { explainIntake, explainRoutes } from '../notifications/explain/routes.ts'
import { feedIntake, notificationRoutes } from '../notifications/feed/routes.ts'
import { deliveryFiguresIntake } from '../notifications/figures/routes.ts'
import { fixtureIntake } from '../notifications/fixture/routes.ts'
import { laneIntake, laneRoutes } from '../notifications/lanes/intake.ts'
import { listeningRoutes } from '../notifications/listen/routes.ts'
import { orderNotificationsIntake } from '../notifications/of-order/routes.ts'
import { replayIntake, replayRoutes } from '../notifications/replay/routes.ts'
import { retryIntake, retryRoutes } from '../notifications/retry/routes.ts'
import { signingIntake, signingRoutes } from '../notifications/signing/intake.ts'
import { claimsIntake } from '../orders/commands/claims-intake.ts'
import { ordersIntake } from '../orders/commands/intake.ts'
import { shipmentsIntake } from '../orders/commands/shipping-intake.ts'
import { orderNoteRoutes } from '../orders/details/notes.ts'
import { orderDetailRoutes } from '../orders/details/routes.ts'
import { shipmentRoutes } from '../orders/details/shipping.ts'
import { orderFiguresIntake } from '../orders/figures/routes.ts'
import { orderHistoryIntake } from '../orders/history/routes.ts'
import { invoicesIntake } from '../orders/invoices/intake.ts'
import { invoiceRoutes } from '../orders/invoices/routes.ts'
import { orderRoutes } from '../orders/routes.ts'
import { orderSearchIntake, orderSearchRoutes } from '../orders/search/routes.ts'
import { questionsIntake } from '../questions/intake.ts'
import { questionRoutes } from '../questions/routes.ts'
import { answerFaultRoutes } from '../sandbox/answers/routes.ts'
import { clockRoutes } from '../sandbox/clock.ts'
import { faultRoutes } from '../sandbox/faults.ts'
import { receiverFaultRoutes } from '../sandbox/receivers/routes.ts'
import { triggerRoutes } from '../sandbox/scenes/routes.ts'
import { simulationRoutes } from '../sandbox/simulation/routes.ts'
import { snapshotRoutes } from '../sandbox/snapshots/routes.ts'
import { serviceRoutes } from './service.ts'

/** Every operation, in the order of the reference page: the only list of them. */
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
  ...sessionRoutes,
  ...oauthRoutes,
  ...grantRoutes,
  ...ownedRoutes,
  ...testUserRoutes,
  ...reputationRoutes,
  ...notificationRoutes,
  ...listeningRoutes,
  ...explainRoutes,
  ...replayRoutes,
  ...laneRoutes,
  ...retryRoutes,
  ...signingRoutes,
  ...laneIntake,
  ...feedIntake,
  ...deliveryFiguresIntake,
  ...fixtureIntake,
  ...replayIntake,
  ...retryIntake,
  ...explainIntake,
  ...signingIntake,
  ...identityIntake,
  ...registeredIntake,
  ...applicationIntake,
  ...grantIntake,
  ...passwordIntake,
  ...listingsIntake,
  ...picturesIntake,
  ...quotationsIntake,
  ...questionsIntake,
  ...invoicesIntake,
  ...orderFiguresIntake,
  ...orderSearchIntake,
  ...ordersIntake,
  ...orderHistoryIntake,
  ...orderNotificationsIntake,
  ...shipmentsIntake,
  ...claimsIntake,
  ...messagesIntake,
  ...attachmentIntake,
  ...conversationsIntake,
  ...moderationIntake,
  ...currencyIntake,
  ...catalogIntake,
  ...importRoutes,
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
