import { Text } from '@mantine/core'
import { useApiQuery } from '../../../api/queries.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Page } from '../../../design/Page.tsx'
import { EmptyState, QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { NamedStatus, PageLink } from '../components.tsx'
import { InvitationForm } from './InvitationForm.tsx'
import { SiteNames } from './SitesInput.tsx'
import { siteTranslations } from './site-translations.ts'
import { TokenSwitch } from './TokenSwitch.tsx'
import { translations } from './translations.ts'
import type { AccountList } from './types.ts'

/** Lists the accounts of operators, invites others, and switches the operator token. */
export default function Accounts() {
  const t = useTranslations(translations)
  const siteText = useTranslations(siteTranslations)
  const { day } = useFormats()
  const query = useApiQuery<AccountList>('/operator/accounts', { authScheme: 'operator' })
  return (
    <Page lead={t('lead')} title={t('title')}>
      <InvitationForm />
      <section className="surface">
        <QueryContent lines={6} of={query}>
          {({ accounts }) =>
            accounts.length === 0 ? (
              <EmptyState title={t('none')}>{t('noneLead')}</EmptyState>
            ) : (
              <DataTable
                caption={t('title')}
                columns={[
                  {
                    key: 'name',
                    title: t('name'),
                    render: ({ id, name, email }) => (
                      <div>
                        <PageLink to={`/operator/accounts/${id}`}>{name}</PageLink>
                        <Text className="quiet" size="sm" style={{ overflowWrap: 'anywhere' }}>
                          {email}
                        </Text>
                      </div>
                    ),
                  },
                  {
                    key: 'role',
                    title: t('role'),
                    keepsLine: true,
                    render: ({ role }) => <span className="mono">{role}</span>,
                  },
                  {
                    key: 'sites',
                    title: siteText('sites'),
                    render: ({ sites }) => <SiteNames of={sites} />,
                  },
                  {
                    key: 'status',
                    title: t('status'),
                    render: ({ status }) => <NamedStatus kind="account" of={status} />,
                  },
                  {
                    key: 'two-factor',
                    title: t('twoFactor'),
                    render: (account) => t(account.has_two_factor ? 'on' : 'off'),
                  },
                  {
                    key: 'identity',
                    title: t('identity'),
                    render: ({ identity }) =>
                      identity === null ? '–' : <span className="mono">{identity.issuer}</span>,
                  },
                  {
                    key: 'created',
                    title: t('created'),
                    render: ({ date_created }) => day(date_created),
                  },
                ]}
                keyOf={({ id }) => String(id)}
                rows={accounts}
              />
            )
          }
        </QueryContent>
      </section>
      <TokenSwitch />
    </Page>
  )
}
