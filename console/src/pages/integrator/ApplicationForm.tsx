import {
  Button,
  Checkbox,
  Group,
  SimpleGrid,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { clientScopes, grantScopes, tokenScopes, topics } from '../../api/lists.ts'
import type { RequestBody } from '../../api/types.ts'
import { ErrorState } from '../../design/States.tsx'
import { useTranslations } from '../../i18n/text.ts'
import { translations } from './translations.ts'

/** The settings that the form has fields for. The server keeps the others. */
export type ApplicationBody = Required<Omit<RequestBody<'/applications', 'post'>, 'description'>>

const emptyApplication: ApplicationBody = {
  name: '',
  callback_url: null,
  topics: ['orders_v2'],
  redirect_uris: [],
  scopes: [...clientScopes],
  requires_pkce: false,
  is_public: false,
}

/** What is said of an application. A refusal that names a field is shown at it. */
export function ApplicationForm({
  from = emptyApplication,
  action,
  isBusy,
  error,
  submit,
}: {
  from?: ApplicationBody
  action: string
  isBusy: boolean
  error: Error | null
  submit: (body: ApplicationBody) => void
}) {
  const t = useTranslations(translations)
  const [body, setBody] = useState(from)
  const [addresses, setAddresses] = useState(from.redirect_uris.join('\n'))
  const change = (part: Partial<ApplicationBody>) => setBody({ ...body, ...part })
  const field = error instanceof ApiError ? /^(\w+)/.exec(error.message)?.[1] : undefined
  const wrong = (name: keyof ApplicationBody) => (field === name ? error?.message : undefined)
  const isNamed = field !== undefined && field in body
  const send = (event: FormEvent) => {
    event.preventDefault()
    const redirect_uris = addresses.split('\n').map((each) => each.trim())
    submit({ ...body, redirect_uris: redirect_uris.filter((each) => each !== '') })
  }
  return (
    <form onSubmit={send}>
      <Stack gap="lg">
        <TextInput
          error={wrong('name')}
          label={t('name')}
          maxLength={120}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          required
          value={body.name}
        />
        <TextInput
          className="mono-input"
          description={t('callbackLead')}
          error={wrong('callback_url')}
          inputMode="url"
          label={t('callback')}
          onChange={({ currentTarget }) =>
            change({ callback_url: currentTarget.value.trim() || null })
          }
          placeholder="http://127.0.0.1:9000/"
          value={body.callback_url ?? ''}
        />
        <Checkbox.Group
          description={t('topicsLead')}
          error={wrong('topics')}
          label={t('topics')}
          onChange={(chosen) => change({ topics: chosen })}
          value={body.topics}
        >
          <SimpleGrid cols={{ base: 2, sm: 4 }} mt="xs" spacing="xs">
            {topics.map((topic) => (
              <Checkbox key={topic} label={topic} value={topic} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        <Textarea
          autosize
          description={t('redirectsLead')}
          error={wrong('redirect_uris')}
          label={t('redirects')}
          minRows={2}
          onChange={({ currentTarget }) => setAddresses(currentTarget.value)}
          placeholder="https://app.example/callback"
          value={addresses}
        />
        <Checkbox.Group
          error={wrong('scopes')}
          label={t('scopes')}
          onChange={(scopes) => change({ scopes })}
          value={body.scopes}
        >
          <Group mt="xs">
            {[...tokenScopes, ...grantScopes].map((scope) => (
              <Checkbox key={scope} label={t(scope)} value={scope} />
            ))}
          </Group>
        </Checkbox.Group>
        <Switch
          checked={body.requires_pkce}
          label={t('pkce')}
          onChange={({ currentTarget }) => change({ requires_pkce: currentTarget.checked })}
        />
        <Switch
          checked={body.is_public}
          label={t('public')}
          onChange={({ currentTarget }) => change({ is_public: currentTarget.checked })}
        />
        {error && !isNamed && <ErrorState error={error} />}
        <Group>
          <Button loading={isBusy} type="submit">
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
