import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../../api/client.ts'
import { queryClient, refresh, useGet } from '../../../api/queries.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Section } from '../../../design/Page.tsx'
import { Empty, ErrorState, Loaded } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useText } from '../../../i18n/text.ts'
import { translations } from './translations.ts'

interface Snapshot {
  name: string
  world_time: string
  rows: number
  bytes: number
}

const path = '/operator/sandbox/snapshots'

/** Creates, restores and deletes snapshots. */
export function Snapshots() {
  const t = useText(translations)
  const { number, moment } = useFormats()
  const [name, setName] = useState('')
  const [selected, setSelected] = useState<string>()
  const query = useGet<{ snapshots: Snapshot[] }>(path, { authScheme: 'operator' })
  const save = useMutation({
    mutationFn: () =>
      call('PUT', `${path}/${encodeURIComponent(name.trim())}`, { authScheme: 'operator' }),
    onSuccess: () => refresh(path),
  })
  const load = useMutation({
    mutationFn: (wanted: string) =>
      call('POST', `${path}/${wanted}/load`, { authScheme: 'operator', body: {} }),
    onSuccess: () => queryClient.invalidateQueries(),
    onSettled: () => setSelected(undefined),
  })
  const remove = useMutation({
    mutationFn: (wanted: string) => call('DELETE', `${path}/${wanted}`, { authScheme: 'operator' }),
    onSuccess: () => refresh(path),
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
      <Loaded of={query}>
        {({ snapshots }) =>
          snapshots.length === 0 ? (
            <Empty title={t('noSnapshots')}>{t('noSnapshotsLead')}</Empty>
          ) : (
            <DataTable
              caption={t('snapshots')}
              columns={[
                {
                  key: 'name',
                  title: t('name'),
                  show: (each) => <span className="mono">{each.name}</span>,
                },
                { key: 'time', title: t('worldTime'), show: (each) => moment(each.world_time) },
                { key: 'rows', title: t('rows'), show: (each) => number(each.rows) },
                {
                  key: 'size',
                  title: t('size'),
                  show: (each) => `${number(Math.ceil(each.bytes / 1024 / 102.4) / 10)} MB`,
                },
                {
                  key: 'do',
                  title: t('actions'),
                  show: (each) => (
                    <Group gap="xs">
                      <Button
                        aria-label={`${t('restore')}: ${each.name}`}
                        onClick={() => setSelected(each.name)}
                        size="compact-sm"
                        variant="default"
                      >
                        {t('restore')}
                      </Button>
                      <Button
                        aria-label={`${t('remove')}: ${each.name}`}
                        onClick={() => remove.mutate(each.name)}
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
      </Loaded>
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
