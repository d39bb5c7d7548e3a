import type { RequestBody, ResponseBody } from '../../../api/types.ts'

export type RoleList = ResponseBody<'/operator/roles', 'get'>
export type Role = RoleList['roles'][number]
export type RoleBody = RequestBody<'/operator/roles/{name}', 'put'>
