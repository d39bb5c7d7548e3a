import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { ApiError, callApi } from '../../../api/client.ts'
import { ownAccountPath } from '../../../api/own-account.ts'
import { CopyableText } from '../../../design/CopyButton.tsx'
import { DefinitionList } from '../../../design/Page.tsx'
import { LoadingState } from '../../../design/States.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { SensitiveError } from '../accounts/SensitiveError.tsx'
import { translations } from './translations.ts'
import type { RecoveryCodeList, TotpSetup } from './types.ts'

const QrCode = lazy(() => import('./QrCode.tsx'))

/** Shows the secret of an authenticator app, and confirms it with a code. */
export function TotpSetupForm({
  setup: { secret, uri },
  confirmed,
  cancel,
}: {
  setup: TotpSetup
  confirmed: (recoveryCodes: readonly string[]) => unknown
  cancel: () => void
}) {
  const t = useTranslations(translations)
  const [code, setCode] = useState('')
  const confirm = useMutation({
    mutationFn: (body: { code: string }) =>
      callApi<RecoveryCodeList>('POST', `${ownAccountPath}/two-factor/confirm`, {
        authScheme: 'operator',
        body,
      }),
    onSuccess: ({ recovery_codes }) => confirmed(recovery_codes),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirm.mutate({ code: code.replace(/\s/g, '') })
  }
  const isWrong = confirm.error instanceof ApiError && confirm.error.code === 'bad_request'
  return (
    <>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text>{t('scan')}</Text>
          <Suspense fallback={<LoadingState />}>
            <QrCode label={t('qrCode')} text={uri} />
          </Suspense>
          <DefinitionList of={[[t('secret'), <CopyableText key="secret" text={secret} />]]} />
          <Anchor href={uri}>{t('openApp')}</Anchor>
          <TextInput
            autoComplete="one-time-code"
            description={t('codeHint')}
            error={isWrong && t('wrongCode')}
            inputMode="numeric"
            label={t('code')}
            maw="16rem"
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
            required
            value={code}
          />
          <Group>
            <Button loading={confirm.isPending} type="submit">
              {t('confirm')}
            </Button>
            <Button onClick={cancel} variant="default">
              {t('cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
      {!isWrong && <SensitiveError of={confirm} />}
    </>
  )
}
