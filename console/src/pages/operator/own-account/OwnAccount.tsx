import { isAccountToken, type OwnAccount, useOwnAccount } from '../../../api/own-account.ts'
import { useSession } from '../../../api/session.ts'
import { DefinitionList, Page, Section } from '../../../design/Page.tsx'
import { EmptyState, QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { SiteNames } from '../accounts/SitesInput.tsx'
import { siteTranslations } from '../accounts/site-translations.ts'
import { PermissionList } from '../roles/PermissionList.tsx'
import { OwnIdentity } from './OwnIdentity.tsx'
import { OwnSessions } from './OwnSessions.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { TwoFactor } from './TwoFactor.tsx'
import { translations } from './translations.ts'

/** The account that the operator signed in with. */
export default function OwnAccountPage() {
  const t = useTranslations(translations)
  const { operatorToken } = useSession()
  const query = useOwnAccount()
  return (
    <Page lead={t('lead')} title={t('title')}>
      {isAccountToken(operatorToken) ? (
        <QueryContent lines={8} of={query}>
          {(account) => (
            <>
              <AccountSummary account={account} />
              <TwoFactor account={account} />
              <OwnIdentity account={account} />
              <PasswordForm />
              <OwnSessions />
            </>
          )}
        </QueryContent>
      ) : (
        <section className="surface">
          <EmptyState title={t('noAccount')}>{t('noAccountLead')}</EmptyState>
        </section>
      )}
    </Page>
  )
}

function AccountSummary({ account }: { account: OwnAccount }) {
  const t = useTranslations(translations)
  const siteText = useTranslations(siteTranslations)
  const { day } = useFormats()
  return (
    <Section title={account.name}>
      <DefinitionList
        of={[
          [t('email'), account.email],
          [
            t('role'),
            <span className="mono" key="role">
              {account.role}
            </span>,
          ],
          [siteText('sites'), <SiteNames key="sites" of={account.sites} />],
          [t('created'), day(account.date_created)],
        ]}
      />
      <details>
        <summary className="more">{t('permissions')}</summary>
        <PermissionList of={account.permissions} />
      </details>
    </Section>
  )
}
