import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { type OwnAccount, ownAccountPath } from '../../../api/own-account.ts'
import { invalidatePaths } from '../../../api/queries.ts'
import { ConfirmDialog } from '../../../design/ConfirmDialog.tsx'
import { Section } from '../../../design/Page.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { SensitiveError } from '../accounts/SensitiveError.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { TotpSetupForm } from './TotpSetupForm.tsx'
import { translations } from './translations.ts'
import type { RecoveryCodeList, TotpSetup } from './types.ts'

const twoFactorPath = `${ownAccountPath}/two-factor`
const authScheme = 'operator'

/** Sets up and removes the authenticator app of the own account, and renews its recovery codes. */
export function TwoFactor({ account }: { account: OwnAccount }) {
  const t = useTranslations(translations)
  const { number } = useFormats()
  const [asks, setAsks] = useState<'renew' | 'remove'>()
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>()
  const start = useMutation({
    mutationFn: () => callApi<TotpSetup>('POST', twoFactorPath, { authScheme }),
    onMutate: () => setRecoveryCodes(undefined),
  })
  const renew = useMutation({
    mutationFn: () =>
      callApi<RecoveryCodeList>('POST', `${ownAccountPath}/recovery-codes`, { authScheme }),
    onSuccess: ({ recovery_codes }) => {
      setRecoveryCodes(recovery_codes)
      return invalidatePaths(ownAccountPath)
    },
    onSettled: () => setAsks(undefined),
  })
  const remove = useMutation({
    mutationFn: () => callApi('DELETE', twoFactorPath, { authScheme }),
    onSuccess: () => {
      setRecoveryCodes(undefined)
      start.reset()
      return invalidatePaths(ownAccountPath)
    },
    onSettled: () => setAsks(undefined),
  })
  const confirmed = (codes: readonly string[]) => {
    setRecoveryCodes(codes)
    start.reset()
    remove.reset()
    return invalidatePaths(ownAccountPath)
  }
  const { has_two_factor: isOn, recovery_codes_left: left } = account
  return (
    <Section lead={t(isOn ? 'twoFactorOn' : 'twoFactorOff')} title={t('twoFactor')}>
      {isOn && <Text>{t('codesLeft', { count: left, n: number(left) })}</Text>}
      {!start.data && (
        <Group gap="sm">
          <Button loading={start.isPending} onClick={() => start.mutate()} variant="default">
            {t(isOn ? 'setUpAnother' : 'setUp')}
          </Button>
          {isOn && (
            <>
              <Button onClick={() => setAsks('renew')} variant="default">
                {t('renewCodes')}
              </Button>
              <Button onClick={() => setAsks('remove')} variant="default">
                {t('remove')}
              </Button>
            </>
          )}
        </Group>
      )}
      <SensitiveError of={start} />
      <SensitiveError of={renew} />
      <SensitiveError of={remove} />
      {start.data && (
        <TotpSetupForm cancel={() => start.reset()} confirmed={confirmed} setup={start.data} />
      )}
      {recoveryCodes && (
        <RecoveryCodes codes={recoveryCodes} done={() => setRecoveryCodes(undefined)} />
      )}
      <div aria-live="polite">{remove.isSuccess && <Text>{t('removed')}</Text>}</div>
      <ConfirmDialog
        action={t('renewCodes')}
        cancel={() => setAsks(undefined)}
        confirm={() => renew.mutate()}
        isBusy={renew.isPending}
        lead={t('renewCodesLead')}
        opened={asks === 'renew'}
        title={t('renewCodes')}
      />
      <ConfirmDialog
        action={t('remove')}
        cancel={() => setAsks(undefined)}
        confirm={() => remove.mutate()}
        isBusy={remove.isPending}
        lead={t('removeLead')}
        opened={asks === 'remove'}
        title={t('removeTitle')}
      />
    </Section>
  )
}
