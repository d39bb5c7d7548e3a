import { useParams } from '@tanstack/react-router'
import { useApiQuery } from '../../../api/queries.ts'
import { CopyableText } from '../../../design/CopyButton.tsx'
import { DefinitionList, Page, Section } from '../../../design/Page.tsx'
import { EmptyState, QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { NamedStatus } from '../components.tsx'
import { AccountForm } from './AccountForm.tsx'
import { AccountOperations } from './AccountOperations.tsx'
import { AuditLink } from './AuditLink.tsx'
import { SessionTable } from './SessionTable.tsx'
import { SiteNames } from './SitesInput.tsx'
import { sessionTranslations } from './session-translations.ts'
import { siteTranslations } from './site-translations.ts'
import { translations } from './translations.ts'
import type { Account, OperatorSessionList } from './types.ts'

/** An account of an operator: what it is, where it is signed in, and what can be done about it. */
export default function AccountPage() {
  const t = useTranslations(translations)
  const { accountId = '' } = useParams({ strict: false }) as { accountId?: string }
  const path = `/operator/accounts/${accountId}`
  const query = useApiQuery<Account>(path, { authScheme: 'operator', readsEtag: true })
  return (
    <Page lead={<CopyableText text={accountId} />} title={query.data?.name ?? t('account')}>
      <QueryContent lines={8} of={query}>
        {(account) => (
          <>
            <AccountSummary account={account} />
            <AccountForm account={account} key={account.id} />
            <AccountSessions path={`${path}/sessions`} />
            <AccountOperations account={account} />
          </>
        )}
      </QueryContent>
    </Page>
  )
}

function AccountSummary({ account }: { account: Account }) {
  const t = useTranslations(translations)
  const siteText = useTranslations(siteTranslations)
  const { moment } = useFormats()
  const { id, email, role, sites, status, has_two_factor, invitation_expires_at } = account
  return (
    <Section
      actions={
        <>
          <AuditLink filter={{ actor: `account:${id}` }} text={t('changesBy')} />
          <AuditLink filter={{ target: `operator_account:${id}` }} text={t('changesTo')} />
        </>
      }
      title={t('summary')}
    >
      <DefinitionList
        of={[
          [t('email'), email],
          [
            t('role'),
            <span className="mono" key="role">
              {role}
            </span>,
          ],
          [siteText('sites'), <SiteNames key="sites" of={sites} />],
          [t('status'), <NamedStatus key="status" kind="account" of={status} />],
          [t('twoFactor'), t(has_two_factor ? 'on' : 'off')],
          [t('identity'), account.identity?.issuer ?? '–'],
          [t('invitationExpires'), moment(invitation_expires_at)],
          [t('created'), moment(account.date_created)],
          [t('updated'), moment(account.last_updated)],
        ]}
      />
    </Section>
  )
}

function AccountSessions({ path }: { path: string }) {
  const t = useTranslations(sessionTranslations)
  const texts = useTranslations(translations)
  const query = useApiQuery<OperatorSessionList>(path, { authScheme: 'operator' })
  return (
    <Section flush title={t('title')}>
      <QueryContent lines={3} of={query}>
        {({ sessions }) =>
          sessions.length === 0 ? (
            <EmptyState title={texts('noSessions')} />
          ) : (
            <SessionTable sessions={sessions} />
          )
        }
      </QueryContent>
    </Section>
  )
}
