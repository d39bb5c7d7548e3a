import { withQuery } from '../../../api/client.ts'
import { usePermissions } from '../../../api/own-account.ts'
import { PageLink } from '../components.tsx'

/** Leads to entries of the audit log, for operators who may read it. */
export function AuditLink({
  filter,
  text,
}: {
  filter: { actor: string } | { target: string }
  text: string
}) {
  const mayRead = usePermissions()('audit:read')
  return mayRead && <PageLink to={withQuery('/operator/audit', filter)}>{text}</PageLink>
}
