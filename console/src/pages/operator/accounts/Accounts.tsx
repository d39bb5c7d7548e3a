import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { invalidatePaths, useApiQuery } from '../../../api/queries.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Page } from '../../../design/Page.tsx'
import { EmptyState, QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { NamedStatus } from '../components.tsx'
import { InvitationForm } from './InvitationForm.tsx'
import { SensitiveError } from './SensitiveError.tsx'
import { translations } from './translations.ts'
import type { Account, AccountList } from './types.ts'

const accountsPath = '/operator/accounts'

/** Operations on an account, with the request that makes each. */
const operations = {
  disable: { method: 'PATCH', path: '', body: { status: 'disabled' } },
  enable: { method: 'PATCH', path: '', body: { status: 'active' } },
  endSessions: { method: 'DELETE', path: '/sessions', body: undefined },
} as const
type OperationName = keyof typeof operations

interface AccountOperation {
  account: Account
  name: OperationName
}

const operationNamesOf = ({ status }: Account): readonly OperationName[] => {
  if (status === 'disabled') return ['enable']
  return status === 'active' ? ['disable', 'endSessions'] : ['disable']
}

/** Lists the accounts of operators, invites others, disables and enables them and ends their sessions. */
export default function Accounts() {
  const t = useTranslations(translations)
  const { day } = useFormats()
  const [selected, select] = useState<AccountOperation>()
  const query = useApiQuery<AccountList>(accountsPath, { authScheme: 'operator' })
  const change = useMutation({
    mutationFn: ({ account, name }: AccountOperation) => {
      const { method, path, body } = operations[name]
      const options = { authScheme: 'operator', ...(body ? { body } : {}) } as const
      return callApi(method, `${accountsPath}/${account.id}${path}`, options)
    },
    onSuccess: () => invalidatePaths(accountsPath),
    onSettled: () => select(undefined),
  })
  return (
    <Page lead={t('lead')} title={t('title')}>
      <InvitationForm />
      <SensitiveError of={change} />
      <div aria-live="polite">
        {change.isSuccess && (
          <Text>{t(`${change.variables.name}Done`, { name: change.variables.account.name })}</Text>
        )}
      </div>
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
                    render: ({ name, email }) => (
                      <>
                        <Text>{name}</Text>
                        <Text className="quiet" size="sm" style={{ overflowWrap: 'anywhere' }}>
                          {email}
                        </Text>
                      </>
                    ),
                  },
                  {
                    key: 'role',
                    title: t('role'),
                    render: ({ role }) => <span className="mono">{role}</span>,
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
                    key: 'created',
                    title: t('created'),
                    render: ({ date_created }) => day(date_created),
                  },
                  {
                    key: 'actions',
                    title: t('actions'),
                    render: (account) => (
                      <Group gap="xs">
                        {operationNamesOf(account).map((name) => (
                          <Button
                            aria-label={`${t(name)}: ${account.name}`}
                            key={name}
                            onClick={() => select({ account, name })}
                            size="compact-sm"
                            variant="default"
                          >
                            {t(name)}
                          </Button>
                        ))}
                      </Group>
                    ),
                  },
                ]}
                keyOf={({ id }) => String(id)}
                rows={accounts}
              />
            )
          }
        </QueryContent>
      </section>
      <Modal
        closeButtonProps={{ 'aria-label': t('cancel') }}
        onClose={() => select(undefined)}
        opened={selected !== undefined}
        title={selected && `${t(selected.name)}: ${selected.account.name}`}
      >
        {selected && (
          <Stack gap="md">
            <Text>{t(`${selected.name}Lead`)}</Text>
            <Group>
              <Button loading={change.isPending} onClick={() => change.mutate(selected)}>
                {t(selected.name)}
              </Button>
              <Button onClick={() => select(undefined)} variant="default">
                {t('cancel')}
              </Button>
            </Group>
          </Stack>
        )}
      </Modal>
    </Page>
  )
}
