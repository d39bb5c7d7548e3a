import { withQuery } from '../../../api/client.ts'
import { useOperatorSites } from '../../../api/operator-sites.ts'
import { usePermissions } from '../../../api/own-account.ts'
import { PageLink } from '../components.tsx'

/** Leads to entries of the audit log, for operators who may read it: those of all sites. */
export function AuditLink({
  filter,
  text,
}: {
  filter: { actor: string } | { target: string }
  text: string
}) {
  const hasPermission = usePermissions()('audit:read')
  const isLimited = useOperatorSites() !== null
  return (
    hasPermission &&
    !isLimited && <PageLink to={withQuery('/operator/audit', filter)}>{text}</PageLink>
  )
}
