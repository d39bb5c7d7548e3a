import {
  Button,
  Group,
  Modal,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, callApi } from '../../../api/client.ts'
import { startProviderFlow } from '../../../api/openid.ts'
import { invalidatePaths, useSettings } from '../../../api/queries.ts'
import { ErrorState } from '../../../design/States.tsx'
import { useCodeNames, useTranslations } from '../../../i18n/text.ts'
import { refusalTranslations } from './refusal-translations.ts'
import { verificationTranslations } from './verification-translations.ts'

const hasCode = (error: unknown, code: string) => error instanceof ApiError && error.code === code

/**
 * Shows the error of a sensitive operation. If the session must be verified first, it asks for the password or a code
 * and repeats the operation.
 */
export function SensitiveError<Result, Input>({
  of: operation,
  path,
  reloaded,
}: {
  of: UseMutationResult<Result, Error, Input>
  /** What to load again after a conflict. */
  path?: string
  /** Called when that is done. */
  reloaded?: (() => void) | undefined
}) {
  const t = useTranslations(verificationTranslations)
  const nextStepOf = useCodeNames(refusalTranslations)
  const { error, variables } = operation
  const needsVerification = hasCode(error, 'verification_required')
  const nextStep = error instanceof ApiError ? nextStepOf(error.code, '') : ''
  const reload =
    path === undefined
      ? undefined
      : async () => {
          operation.reset()
          await invalidatePaths(path)
          reloaded?.()
        }
  return (
    <>
      {error && !needsVerification && (
        <ErrorState error={error} nextStep={nextStep} reload={reload && (() => void reload())} />
      )}
      <Modal
        closeButtonProps={{ 'aria-label': t('cancel') }}
        onClose={() => operation.reset()}
        opened={needsVerification}
        title={t('title')}
      >
        <VerificationForm
          cancel={() => operation.reset()}
          verified={() => operation.mutate(variables as Input)}
        />
      </Modal>
    </>
  )
}

function VerificationForm({ verified, cancel }: { verified: () => void; cancel: () => void }) {
  const t = useTranslations(verificationTranslations)
  const [proof, setProof] = useState<'password' | 'code'>('password')
  const [text, setText] = useState('')
  const verify = useMutation({
    mutationFn: () =>
      callApi('POST', '/operator/sessions/verify', {
        authScheme: 'operator',
        body: { [proof]: text },
      }),
    onError: (error) => {
      if (!hasCode(error, 'code_required')) return
      setProof('code')
      setText('')
    },
    onSuccess: verified,
  })
  const provider = useSettings().data?.identity_provider
  const goToProvider = useMutation({ mutationFn: () => startProviderFlow('verification') })
  const isWrong = hasCode(verify.error, 'sign_in_failed')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    verify.mutate()
  }
  const input = {
    error: isWrong && t(proof === 'password' ? 'wrongPassword' : 'wrongCode'),
    label: t(proof),
    required: true,
    value: text,
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text>{t('lead')}</Text>
        <SegmentedControl
          aria-label={t('title')}
          data={[
            { value: 'password', label: t('withPassword') },
            { value: 'code', label: t('withCode') },
          ]}
          onChange={(value) => {
            setProof(value === 'code' ? 'code' : 'password')
            setText('')
            verify.reset()
          }}
          value={proof}
        />
        {proof === 'password' ? (
          <PasswordInput
            {...input}
            autoComplete="current-password"
            data-autofocus
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        ) : (
          <TextInput
            {...input}
            autoComplete="one-time-code"
            description={t('codeHint')}
            maxLength={40}
            minLength={6}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
        {verify.error && !isWrong && <ErrorState error={verify.error} />}
        {provider && (
          <>
            <Button
              loading={goToProvider.isPending}
              onClick={() => goToProvider.mutate()}
              variant="default"
            >
              {t('withProvider', provider)}
            </Button>
            <Text className="quiet" size="sm">
              {t('withProviderLead')}
            </Text>
            {goToProvider.error && <ErrorState error={goToProvider.error} />}
          </>
        )}
        <Group>
          <Button loading={verify.isPending} type="submit">
            {t('continue')}
          </Button>
          <Button onClick={cancel} variant="default">
            {t('cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
