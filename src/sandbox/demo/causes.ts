import type { OrderPatch } from '../../orders/commands/bodies.ts'
import type { DemoSale } from './sale.ts'

type CancelDetail = NonNullable<OrderPatch['cancel_detail']>

/** Causes of cancellations, at least one of each group, in Spanish and in Portuguese. */
const cancelCauses = {
  regretted: [
    'buyer',
    'buyer_regret',
    'buyer',
    'El comprador se arrepintió',
    'O comprador desistiu',
  ],
  not_paid: [
    'buyer',
    'payment_not_made',
    'platform',
    'No se recibió el pago',
    'O pagamento não foi recebido',
  ],
  no_stock: [
    'seller',
    'out_of_stock',
    'seller',
    'El vendedor no tiene stock',
    'O vendedor não tem estoque',
  ],
  faulty: [
    'item',
    'item_defective',
    'seller',
    'El producto estaba fallado',
    'O produto estava com defeito',
  ],
  mediated: [
    'mediations',
    'mediation_refund',
    'platform',
    'Reclamo resuelto a favor del comprador',
    'Reclamação resolvida a favor do comprador',
  ],
  no_invoice: [
    'fiscal',
    'invoice_rejected',
    'platform',
    'No se pudo emitir la factura',
    'Não foi possível emitir a nota fiscal',
  ],
  fraud: [
    'fraud',
    'fraud_detected',
    'platform',
    'Pago con riesgo de fraude',
    'Pagamento com risco de fraude',
  ],
  not_sent: [
    'shipment',
    'shipment_not_dispatched',
    'platform',
    'El envío no se despachó a tiempo',
    'O envio não foi despachado a tempo',
  ],
  not_delivered: [
    'delivery',
    'delivery_failed',
    'platform',
    'El paquete no se pudo entregar',
    'O pacote não pôde ser entregue',
  ],
  duplicate: ['internal', 'duplicated_order', 'platform', 'Venta duplicada', 'Venda duplicada'],
} as const satisfies Record<
  string,
  [
    group: CancelDetail['group'],
    code: string,
    requestedBy: CancelDetail['requested_by'],
    es: string,
    pt: string,
  ]
>

export type CancelCause = keyof typeof cancelCauses

/** Returns the cancellation details of a cause, in the language of the site. */
export function cancelDetailOf(sale: DemoSale, cause: CancelCause): CancelDetail {
  const [group, code, requested_by, es, pt] = cancelCauses[cause]
  return { group, code, requested_by, description: sale.seller.site === 'MLB' ? pt : es }
}
