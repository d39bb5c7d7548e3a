import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { invalidatePaths, queryClient, useApiQuery } from '../../../api/queries.ts'
import type { ResponseBody } from '../../../api/types.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Section } from '../../../design/Page.tsx'
import { EmptyState, ErrorState, QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { translations } from './translations.ts'

type SnapshotList = ResponseBody<'/operator/sandbox/snapshots', 'get'>

const snapshotsPath = '/operator/sandbox/snapshots'

/** Creates, restores and deletes snapshots. */
export function Snapshots() {
  const t = useTranslations(translations)
  const { number, moment } = useFormats()
  const [name, setName] = useState('')
  const [selected, setSelected] = useState<string>()
  const query = useApiQuery<SnapshotList>(snapshotsPath, { authScheme: 'operator' })
  const save = useMutation({
    mutationFn: () =>
      callApi('PUT', `${snapshotsPath}/${encodeURIComponent(name.trim())}`, {
        authScheme: 'operator',
      }),
    onSuccess: () => invalidatePaths(snapshotsPath),
  })
  const load = useMutation({
    mutationFn: (wanted: string) =>
      callApi('POST', `${snapshotsPath}/${wanted}/load`, { authScheme: 'operator', body: {} }),
    onSuccess: () => queryClient.invalidateQueries(),
    onSettled: () => setSelected(undefined),
  })
  const remove = useMutation({
    mutationFn: (wanted: string) =>
      callApi('DELETE', `${snapshotsPath}/${wanted}`, { authScheme: 'operator' }),
    onSuccess: () => invalidatePaths(snapshotsPath),
  })
  const failed = save.error ?? load.error ?? remove.error
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Section lead={t('snapshotsLead')} title={t('snapshots')}>
      <form onSubmit={submit}>
        <div className="actions">
          <TextInput
            description={t('nameHint')}
            label={t('name')}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            pattern="[a-z0-9][a-z0-9_\-]{0,59}"
            required
            value={name}
          />
          <Button loading={save.isPending} type="submit" variant="default">
            {t('createSnapshot')}
          </Button>
        </div>
      </form>
      {failed && <ErrorState error={failed} />}
      <div aria-live="polite">
        {load.isSuccess && <Text>{t('restored', { name: load.variables })}</Text>}
      </div>
      <QueryContent of={query}>
        {({ snapshots }) =>
          snapshots.length === 0 ? (
            <EmptyState title={t('noSnapshots')}>{t('noSnapshotsLead')}</EmptyState>
          ) : (
            <DataTable
              caption={t('snapshots')}
              columns={[
                {
                  key: 'name',
                  title: t('name'),
                  render: (each) => <span className="mono">{each.name}</span>,
                },
                { key: 'time', title: t('worldTime'), render: (each) => moment(each.world_time) },
                { key: 'rows', title: t('rows'), render: (each) => number(each.rows) },
                {
                  key: 'size',
                  title: t('size'),
                  render: (each) => `${number(Math.ceil(each.bytes / 1024 / 102.4) / 10)} MB`,
                },
                {
                  key: 'do',
                  title: t('actions'),
                  render: (snapshot) => (
                    <Group gap="xs">
                      <Button
                        aria-label={`${t('restore')}: ${snapshot.name}`}
                        onClick={() => setSelected(snapshot.name)}
                        size="compact-sm"
                        variant="default"
                      >
                        {t('restore')}
                      </Button>
                      <Button
                        aria-label={`${t('remove')}: ${snapshot.name}`}
                        onClick={() => remove.mutate(snapshot.name)}
                        size="compact-sm"
                        variant="default"
                      >
                        {t('remove')}
                      </Button>
                    </Group>
                  ),
                },
              ]}
              keyOf={(each) => each.name}
              rows={snapshots}
            />
          )
        }
      </QueryContent>
      <Modal
        closeButtonProps={{ 'aria-label': t('cancel') }}
        onClose={() => setSelected(undefined)}
        opened={selected !== undefined}
        title={t('restoreTitle', { name: selected ?? '' })}
      >
        <Stack gap="md">
          <Text>{t('restoreLead')}</Text>
          <Group>
            <Button
              loading={load.isPending}
              onClick={() => selected !== undefined && load.mutate(selected)}
            >
              {t('restore')}
            </Button>
            <Button onClick={() => setSelected(undefined)} variant="default">
              {t('cancel')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Section>
  )
}
