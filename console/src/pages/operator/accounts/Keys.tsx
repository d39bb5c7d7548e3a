import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { invalidatePaths, useApiQuery } from '../../../api/queries.ts'
import { ConfirmDialog } from '../../../design/ConfirmDialog.tsx'
import { Secret } from '../../../design/CopyButton.tsx'
import { DataTable } from '../../../design/DataTable.tsx'
import { Page } from '../../../design/Page.tsx'
import { EmptyState, QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { AuditLink } from './AuditLink.tsx'
import { KeyForm } from './KeyForm.tsx'
import { keyTranslations } from './key-translations.ts'
import { SensitiveError } from './SensitiveError.tsx'
import { SiteNames } from './SitesInput.tsx'
import { siteTranslations } from './site-translations.ts'
import type { Key, KeyList, NewKey } from './types.ts'

const keysPath = '/operator/keys'

/** For so many hours a rotated key still works, unless another number is entered. */
const defaultOverlapHours = 24

/** Lists API keys, creates others, rotates and revokes them. */
export default function Keys() {
  const t = useTranslations(keyTranslations)
  const [rotated, setRotated] = useState<Key>()
  const [revoked, setRevoked] = useState<Key>()
  const query = useApiQuery<KeyList>(keysPath, { authScheme: 'operator' })
  const rotate = useMutation({
    mutationFn: ({ key, hours }: { key: Key; hours: number }) =>
      callApi<NewKey>('POST', `${keysPath}/${key.id}/rotate`, {
        authScheme: 'operator',
        body: { overlap_hours: hours },
        ifMatch: key.etag,
      }),
    onSuccess: () => invalidatePaths(keysPath),
    onSettled: () => setRotated(undefined),
  })
  const revoke = useMutation({
    mutationFn: (key: Key) =>
      callApi('DELETE', `${keysPath}/${key.id}`, { authScheme: 'operator', ifMatch: key.etag }),
    onSuccess: (_, { id }) => {
      if (rotate.data?.id === id) rotate.reset()
      return invalidatePaths(keysPath)
    },
    onSettled: () => setRevoked(undefined),
  })
  return (
    <Page lead={t('lead')} title={t('title')}>
      <KeyForm />
      <SensitiveError of={rotate} path={keysPath} />
      <SensitiveError of={revoke} path={keysPath} />
      {rotate.data && (
        <Secret name={t('newKey', { name: rotate.data.name })} text={rotate.data.key} />
      )}
      <div aria-live="polite">
        {revoke.isSuccess && <Text>{t('revokeDone', { name: revoke.variables.name })}</Text>}
      </div>
      <section className="surface">
        <QueryContent lines={6} of={query}>
          {({ keys }) =>
            keys.length === 0 ? (
              <EmptyState title={t('none')}>{t('noneLead')}</EmptyState>
            ) : (
              <KeyTable keys={keys} revoke={setRevoked} rotate={setRotated} />
            )
          }
        </QueryContent>
      </section>
      <Modal
        closeButtonProps={{ 'aria-label': t('cancel') }}
        onClose={() => setRotated(undefined)}
        opened={rotated !== undefined}
        title={rotated && `${t('rotate')}: ${rotated.name}`}
      >
        {rotated && (
          <RotationForm
            cancel={() => setRotated(undefined)}
            isBusy={rotate.isPending}
            rotate={(hours) => rotate.mutate({ key: rotated, hours })}
          />
        )}
      </Modal>
      <ConfirmDialog
        action={t('revoke')}
        cancel={() => setRevoked(undefined)}
        confirm={() => revoked && revoke.mutate(revoked)}
        isBusy={revoke.isPending}
        lead={t('revokeLead')}
        opened={revoked !== undefined}
        title={revoked ? `${t('revoke')}: ${revoked.name}` : ''}
      />
    </Page>
  )
}

function KeyTable({
  keys,
  rotate,
  revoke,
}: {
  keys: readonly Key[]
  rotate: (key: Key) => void
  revoke: (key: Key) => void
}) {
  const t = useTranslations(keyTranslations)
  const siteText = useTranslations(siteTranslations)
  const { moment } = useFormats()
  return (
    <DataTable
      caption={t('title')}
      columns={[
        {
          key: 'name',
          title: t('name'),
          render: ({ id, name, begins_with }) => (
            <div>
              <Text>{name}</Text>
              <Text className="quiet mono" size="sm">
                {begins_with}…
              </Text>
              <AuditLink filter={{ actor: `key:${id}` }} text={t('changesBy')} />
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
          key: 'addresses',
          title: t('addresses'),
          render: ({ allowed_addresses: addresses }) =>
            addresses.length === 0 ? (
              t('anyAddress')
            ) : (
              <span className="mono">{addresses.join(', ')}</span>
            ),
        },
        { key: 'used', title: t('lastUsed'), render: ({ last_used }) => moment(last_used) },
        { key: 'expires', title: t('expires'), render: ({ expires_at }) => moment(expires_at) },
        {
          key: 'actions',
          title: t('actions'),
          render: (key) =>
            key.revoked_at === null ? (
              <Group gap="xs">
                <Button
                  aria-label={`${t('rotate')}: ${key.name}`}
                  onClick={() => rotate(key)}
                  size="compact-sm"
                  variant="default"
                >
                  {t('rotate')}
                </Button>
                <Button
                  aria-label={`${t('revoke')}: ${key.name}`}
                  onClick={() => revoke(key)}
                  size="compact-sm"
                  variant="default"
                >
                  {t('revoke')}
                </Button>
              </Group>
            ) : (
              t('revokedOn', { date: moment(key.revoked_at) })
            ),
        },
      ]}
      keyOf={({ id }) => String(id)}
      rows={keys}
    />
  )
}

function RotationForm({
  rotate,
  cancel,
  isBusy,
}: {
  rotate: (hours: number) => void
  cancel: () => void
  isBusy: boolean
}) {
  const t = useTranslations(keyTranslations)
  const [hours, setHours] = useState(defaultOverlapHours)
  return (
    <Stack gap="md">
      <Text>{t('rotateLead')}</Text>
      <NumberInput
        allowDecimal={false}
        description={t('overlapHint')}
        label={t('overlap')}
        max={168}
        min={0}
        onChange={(value) => setHours(Number(value))}
        value={hours}
      />
      <Group>
        <Button loading={isBusy} onClick={() => rotate(hours)}>
          {t('rotate')}
        </Button>
        <Button onClick={cancel} variant="default">
          {t('cancel')}
        </Button>
      </Group>
    </Stack>
  )
}
