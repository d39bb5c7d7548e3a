import { siteRule } from '../../http/site-rule.ts'
import { requireUser } from '../../identity/site-rules.ts'
import { pathId } from '../../kernel/ids.ts'
import { requireOrder } from '../site-rules.ts'
import { invoicedOrderUnknown, invoiceSellerUnknown } from './invoice.ts'

/** The seller and the order of an invoice are on the sites. */
export const siteOfInvoice = siteRule<{ body: { order_id?: number | null } }>(
  'user, order',
  async (request) => {
    const userId = pathId('user_id', request.params['user_id'] ?? '')
    await requireUser(request, userId, invoiceSellerUnknown())
    const { order_id: orderId } = request.body
    if (orderId) await requireOrder(request, orderId, invoicedOrderUnknown())
  },
)
