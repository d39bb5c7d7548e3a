import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { signOutOperator } from '../../../api/operator.ts'
import { useOwnAccount } from '../../../api/own-account.ts'
import { invalidatePaths } from '../../../api/queries.ts'
import { useSignOut } from '../../../app/sign-out.ts'
import { ConfirmDialog } from '../../../design/ConfirmDialog.tsx'
import { Section } from '../../../design/Page.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { InvitationLink } from './InvitationLink.tsx'
import { SensitiveError } from './SensitiveError.tsx'
import { translations } from './translations.ts'
import type { Account, AccountChange, Invitation } from './types.ts'

const accountsPath = '/operator/accounts'

interface Operation {
  method: string
  /** Below the path of the account. */
  path: string
  body?: AccountChange
  endsSessions?: boolean
}

/** Operations on an account, with the request that makes each. */
const operations = {
  renewInvitation: { method: 'POST', path: '/invitation' },
  endSessions: { method: 'DELETE', path: '/sessions', endsSessions: true },
  unlink: { method: 'DELETE', path: '/identity', endsSessions: true },
  disable: { method: 'PATCH', path: '', body: { status: 'disabled' }, endsSessions: true },
  enable: { method: 'PATCH', path: '', body: { status: 'active' } },
  remove: { method: 'DELETE', path: '', endsSessions: true },
} as const satisfies Record<string, Operation>
type OperationName = keyof typeof operations

/** Returns the operations that make sense for an account in its status. */
function operationNamesOf({ status, identity }: Account): readonly OperationName[] {
  const unlink = identity === null ? [] : (['unlink'] as const)
  if (status === 'disabled') return [...unlink, 'enable', 'remove']
  if (status === 'invited') return ['renewInvitation', 'disable', 'remove']
  return ['renewInvitation', 'endSessions', ...unlink, 'disable', 'remove']
}

/** Renews the invitation of an account, ends its sessions, removes its link, disables, enables and deletes it, each after a confirmation. */
export function AccountOperations({ account }: { account: Account }) {
  const t = useTranslations(translations)
  const navigate = useNavigate()
  const { data: own } = useOwnAccount()
  const [selected, selectOperation] = useState<OperationName>()
  const signOut = useSignOut(signOutOperator)
  const endsOwnSession = (name: OperationName) => {
    const { endsSessions = false }: Operation = operations[name]
    return endsSessions && own?.id === account.id
  }
  const perform = useMutation({
    mutationFn: (name: OperationName) => {
      const { method, path, body }: Operation = operations[name]
      const change = body ? { body, ifMatch: account.etag } : {}
      const options = { authScheme: 'operator', ...change } as const
      return callApi<Invitation | undefined>(
        method,
        `${accountsPath}/${account.id}${path}`,
        options,
      )
    },
    onSuccess: async (_, name) => {
      if (endsOwnSession(name)) return signOut()
      if (name === 'remove') await navigate({ to: accountsPath })
      await invalidatePaths(accountsPath)
    },
    onSettled: () => selectOperation(undefined),
  })
  const done = perform.isSuccess ? perform.variables : undefined
  return (
    <Section title={t('access')}>
      <Stack gap="lg">
        {operationNamesOf(account).map((name) => (
          <Stack align="flex-start" gap="xs" key={name}>
            <Text>{t(`${name}Lead`)}</Text>
            <Button onClick={() => selectOperation(name)} variant="default">
              {t(name)}
            </Button>
          </Stack>
        ))}
      </Stack>
      <SensitiveError of={perform} path={accountsPath} />
      {done === 'renewInvitation' && perform.data && <InvitationLink invitation={perform.data} />}
      <div aria-live="polite">
        {done && done !== 'renewInvitation' && done !== 'remove' && (
          <Text>{t(`${done}Done`, { name: account.name })}</Text>
        )}
      </div>
      <ConfirmDialog
        action={selected ? t(selected) : ''}
        cancel={() => selectOperation(undefined)}
        confirm={() => selected && perform.mutate(selected)}
        isBusy={perform.isPending}
        lead={
          selected && (
            <>
              {t(`${selected}Lead`)}
              {endsOwnSession(selected) && ` ${t('isOwn')}`}
            </>
          )
        }
        opened={selected !== undefined}
        title={selected ? `${t(selected)}: ${account.name}` : ''}
      />
    </Section>
  )
}
