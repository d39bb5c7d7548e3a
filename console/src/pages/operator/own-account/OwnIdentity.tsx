import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { callApi } from '../../../api/client.ts'
import { startProviderFlow } from '../../../api/openid.ts'
import { type OwnAccount, ownAccountPath } from '../../../api/own-account.ts'
import { invalidatePaths, useSettings } from '../../../api/queries.ts'
import { Section } from '../../../design/Page.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { SensitiveError } from '../accounts/SensitiveError.tsx'
import { identityTranslations } from './identity-translations.ts'

/** Links the own account to the identity provider, or removes the link. Empty without a provider. */
export function OwnIdentity({ account }: { account: OwnAccount }) {
  const t = useTranslations(identityTranslations)
  const provider = useSettings().data?.identity_provider
  const link = useMutation({ mutationFn: () => startProviderFlow('link') })
  const unlink = useMutation({
    mutationFn: () => callApi('DELETE', `${ownAccountPath}/identity`, { authScheme: 'operator' }),
    onSuccess: () => invalidatePaths('/operator/accounts'),
  })
  if (!provider) return null
  const { name } = provider
  return (
    <Section lead={t('lead', { name })} title={t('title')}>
      <Group>
        {account.identity === null ? (
          <Button loading={link.isPending} onClick={() => link.mutate()} variant="default">
            {t('link', { name })}
          </Button>
        ) : (
          <>
            <Text>{t('linked', { name })}</Text>
            <Button loading={unlink.isPending} onClick={() => unlink.mutate()} variant="default">
              {t('unlink')}
            </Button>
          </>
        )}
      </Group>
      <SensitiveError of={link} />
      <SensitiveError of={unlink} />
    </Section>
  )
}
