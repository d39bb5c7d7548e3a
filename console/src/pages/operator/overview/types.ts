import type { ResponseBody } from '../../../api/types.ts'

export type OrderFigures = ResponseBody<'/operator/orders/figures', 'get'>
export type DeliveryFigures = ResponseBody<'/operator/deliveries/figures', 'get'>
export type SlowQueue = DeliveryFigures['slow_queues'][number]
