import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, callApi } from '../../../api/client.ts'
import { tokenScopes } from '../../../api/lists.ts'
import { useApiQuery } from '../../../api/queries.ts'
import type { AccessToken, ApplicationList } from '../../../api/types.ts'
import { Section } from '../../../design/Page.tsx'
import { ErrorState } from '../../../design/States.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { CreatedToken } from './Tokens.tsx'
import { translations } from './translations.ts'

interface TokenInput {
  user: string
  application: string
  hours: number
  scopes: string[]
  authorises: boolean
}

/** Asks for a token; where the user has not authorised the application, and that is wanted, has it
 * written down first. */
async function createToken({
  user,
  application,
  hours,
  scopes,
  authorises,
}: TokenInput): Promise<AccessToken> {
  const body = {
    user_id: Number(user),
    scopes,
    expires_in: Math.round(hours * 3_600),
    application_id: application === '' ? null : Number(application),
  }
  const ask = () =>
    callApi<AccessToken>('POST', '/operator/tokens', { authScheme: 'operator', body })
  try {
    return await ask()
  } catch (error) {
    const isUnauthorised =
      error instanceof ApiError && /^(application_id|scopes): /.test(error.message)
    if (!isUnauthorised || !authorises || application === '') throw error
    await callApi('PUT', `/operator/authorizations/${application}/${user}`, {
      authScheme: 'operator',
      body: {},
    })
    return ask()
  }
}

/** Of any user, for the operator. */
export function OperatorTokenForm() {
  const t = useTranslations(translations)
  const [wanted, setWanted] = useState<TokenInput>({
    user: '',
    application: '',
    hours: 6,
    scopes: [...tokenScopes],
    authorises: true,
  })
  const change = (part: Partial<TokenInput>) => setWanted({ ...wanted, ...part })
  const asking = { authScheme: 'operator', query: { limit: 1_000 } } as const
  const query = useApiQuery<ApplicationList>('/operator/applications', asking)
  const making = useMutation({ mutationFn: createToken })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    making.mutate(wanted)
  }
  return (
    <Section lead={t('anyLead')} title={t('any')}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Group align="flex-end" gap="sm">
            <TextInput
              inputMode="numeric"
              label={t('user')}
              onChange={({ currentTarget }) => change({ user: currentTarget.value })}
              pattern="[1-9][0-9]{0,15}"
              required
              value={wanted.user}
            />
            <NativeSelect
              data={[
                { value: '', label: t('none') },
                ...(query.data?.applications ?? []).map(({ id, name }) => ({
                  value: String(id),
                  label: name,
                })),
              ]}
              label={t('application')}
              onChange={({ currentTarget }) => change({ application: currentTarget.value })}
              value={wanted.application}
            />
            <NumberInput
              label={t('hours')}
              max={8_784}
              min={0.1}
              onChange={(hours) => change({ hours: Number(hours) || 6 })}
              value={wanted.hours}
              w="11rem"
            />
          </Group>
          <Checkbox.Group
            label={t('allows')}
            onChange={(scopes) => change({ scopes })}
            value={wanted.scopes}
          >
            <Group mt="xs">
              {tokenScopes.map((scope) => (
                <Checkbox key={scope} label={t(scope)} value={scope} />
              ))}
            </Group>
          </Checkbox.Group>
          <Switch
            checked={wanted.authorises}
            label={t('authorise')}
            onChange={({ currentTarget }) => change({ authorises: currentTarget.checked })}
          />
          <Group>
            <Button loading={making.isPending} type="submit">
              {t('make')}
            </Button>
          </Group>
        </Stack>
      </form>
      {making.error && <ErrorState error={making.error} />}
      {making.data && <CreatedToken token={making.data} />}
    </Section>
  )
}
