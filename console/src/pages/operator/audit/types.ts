import type { ResponseBody } from '../../../api/types.ts'

export type AuditPage = ResponseBody<'/operator/audit-log', 'get'>
export type AuditEntry = AuditPage['results'][number]
