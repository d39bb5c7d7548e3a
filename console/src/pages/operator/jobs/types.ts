import type { ResponseBody } from '../../../api/types.ts'

export type JobList = ResponseBody<'/operator/jobs', 'get'>
export type Job = JobList['jobs'][number]
