import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { signOutOperator } from '../../../api/operator.ts'
import { isAccountToken } from '../../../api/own-account.ts'
import { invalidatePaths, useApiQuery } from '../../../api/queries.ts'
import { useSession } from '../../../api/session.ts'
import { useSignOut } from '../../../app/sign-out.ts'
import { ConfirmDialog } from '../../../design/ConfirmDialog.tsx'
import { Section } from '../../../design/Page.tsx'
import { QueryContent } from '../../../design/States.tsx'
import { StatusBadge } from '../../../design/StatusBadge.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { SensitiveError } from './SensitiveError.tsx'
import { tokenTranslations } from './token-translations.ts'
import type { OperatorToken } from './types.ts'

const tokenPath = '/operator/token'

/** Switches the operator token off and on. */
export function TokenSwitch() {
  const t = useTranslations(tokenTranslations)
  const query = useApiQuery<OperatorToken>(tokenPath, { authScheme: 'operator' })
  return (
    <Section lead={t('lead')} title={t('title')}>
      <QueryContent lines={2} of={query}>
        {(token) => <TokenState token={token} />}
      </QueryContent>
    </Section>
  )
}

function TokenState({ token: { is_enabled: isOn, disabled_at } }: { token: OperatorToken }) {
  const t = useTranslations(tokenTranslations)
  const { moment } = useFormats()
  const { operatorToken } = useSession()
  const [isAsking, setIsAsking] = useState(false)
  const signOut = useSignOut(signOutOperator)
  // A key cannot switch it, so whoever has no account uses the token itself.
  const endsOwnAccess = isOn && !isAccountToken(operatorToken)
  const change = useMutation({
    mutationFn: (body: { is_enabled: boolean }) =>
      callApi('PUT', tokenPath, { authScheme: 'operator', body }),
    onSuccess: () => (endsOwnAccess ? signOut() : invalidatePaths(tokenPath)),
    onSettled: () => setIsAsking(false),
  })
  const name = isOn ? 'switchOff' : 'switchOn'
  return (
    <>
      <Group gap="md">
        {isOn ? (
          <StatusBadge tone="warn">{t('on')}</StatusBadge>
        ) : (
          <>
            <StatusBadge tone="good">{t('off')}</StatusBadge>
            <Text>{t('offSince', { date: moment(disabled_at) })}</Text>
          </>
        )}
        <Button onClick={() => setIsAsking(true)} variant="default">
          {t(name)}
        </Button>
      </Group>
      <SensitiveError of={change} />
      <ConfirmDialog
        action={t(name)}
        cancel={() => setIsAsking(false)}
        confirm={() => change.mutate({ is_enabled: !isOn })}
        isBusy={change.isPending}
        lead={
          <>
            {t(`${name}Lead`)}
            {endsOwnAccess && ` ${t('endsOwnAccess')}`}
          </>
        }
        opened={isAsking}
        title={t(name)}
      />
    </>
  )
}
