import type { ResponseBody } from '../../../api/types.ts'

export type UserList = ResponseBody<'/operator/users', 'get'>
export type User = ResponseBody<'/operator/users/{id}', 'get'>
