import type { ResponseBody } from '../../../api/types.ts'

export type TotpSetup = ResponseBody<'/operator/accounts/me/two-factor', 'post'>
export type RecoveryCodeList = ResponseBody<'/operator/accounts/me/recovery-codes', 'post'>
