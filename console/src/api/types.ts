import type { QueryOf, RequestBody, ResponseBody } from '../../../client/operations.ts'

/** The types of the HTTP interface (`npm run types`). The console takes nothing else from outside of its folder. */
export type { QueryOf, RequestBody, ResponseBody }

// Bodies that several pages show, by short names.

export type ApplicationList = ResponseBody<'/operator/applications', 'get'>
export type Application = ApplicationList['applications'][number]
export type DeliveryQueue = ResponseBody<'/applications/{application_id}/queue', 'get'>
export type FeedPage = ResponseBody<'/myfeeds', 'get'>
export type FeedEntry = FeedPage['messages'][number]
export type Explanation = ResponseBody<
  '/applications/{application_id}/notifications/explain',
  'get'
>
export type ExplainedChange = Explanation['explained'][number]
export type ReplayList = ResponseBody<'/applications/{application_id}/replays', 'get'>
export type Replay = ReplayList['replays'][number]
export type CountedReplay = ResponseBody<'/applications/{application_id}/replays', 'post'>
export type GrantList = ResponseBody<'/applications/{application_id}/grants', 'get'>
export type Grant = GrantList['grants'][number]
export type NewClientSecret = ResponseBody<'/applications/{application_id}/secret', 'post'>
export type SigningSecretList = ResponseBody<
  '/applications/{application_id}/signing-secrets',
  'get'
>
export type NewSigningSecret = ResponseBody<
  '/applications/{application_id}/signing-secrets',
  'post'
>
export type AccessToken = ResponseBody<'/operator/tokens', 'post'>
export type CreatedTestUser = ResponseBody<'/users/test_user', 'post'>
export type OperatorPermission = ResponseBody<'/operator/accounts/me', 'get'>['permissions'][number]
export type SiteList = ResponseBody<'/sites', 'get'>
