import type { ResponseBody } from '../../../api/types.ts'

export type OrderSearchPage = ResponseBody<'/operator/orders/search', 'get'>
/** An order in the wider format. */
export type Order = ResponseBody<'/operator/orders/{order_id}', 'get'>
export type OrderHistoryBody = ResponseBody<'/operator/orders/{order_id}/history', 'get'>
export type OrderNotificationList = ResponseBody<'/operator/orders/{order_id}/notifications', 'get'>
