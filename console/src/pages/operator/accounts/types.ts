import type { RequestBody, ResponseBody } from '../../../api/types.ts'

export type AccountList = ResponseBody<'/operator/accounts', 'get'>
export type Account = AccountList['accounts'][number]
export type NewAccount = RequestBody<'/operator/accounts', 'post'>
export type Invitation = ResponseBody<'/operator/accounts', 'post'>
export type AccountChange = RequestBody<'/operator/accounts/{id}', 'patch'>
export type OperatorSessionList = ResponseBody<'/operator/sessions', 'get'>
export type OperatorSession = OperatorSessionList['sessions'][number]
export type OperatorToken = ResponseBody<'/operator/token', 'get'>

export type KeyList = ResponseBody<'/operator/keys', 'get'>
export type Key = KeyList['keys'][number]
export type NewKeyBody = RequestBody<'/operator/keys', 'post'>
export type NewKey = ResponseBody<'/operator/keys', 'post'>
