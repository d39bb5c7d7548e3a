import { Button, Group, NativeSelect, NumberInput, SimpleGrid, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callApi } from '../../../../api/client.ts'
import { receiverFaultKinds } from '../../../../api/lists.ts'
import { invalidatePaths, useApiQuery } from '../../../../api/queries.ts'
import type { ResponseBody } from '../../../../api/types.ts'
import { DataTable } from '../../../../design/DataTable.tsx'
import { Section } from '../../../../design/Page.tsx'
import { EmptyState, ErrorState, QueryContent } from '../../../../design/States.tsx'
import { useFormats } from '../../../../i18n/format.ts'
import { useCodeNames, useTranslations } from '../../../../i18n/text.ts'
import { ApplicationSelect } from '../ApplicationSelect.tsx'
import { translations } from '../translations.ts'

type ReceiverFaultList = ResponseBody<'/operator/sandbox/receiver-faults', 'get'>

const receiverFaultsPath = '/operator/sandbox/receiver-faults'

/** What happens to notifications on their way. */
export function ReceiverFaults() {
  const t = useTranslations(translations)
  const kindName = useCodeNames(translations)
  const { percent } = useFormats()
  const query = useApiQuery<ReceiverFaultList>(receiverFaultsPath, {
    authScheme: 'operator',
  })
  const clear = useMutation({
    mutationFn: () => callApi('DELETE', receiverFaultsPath, { authScheme: 'operator' }),
    onSuccess: () => invalidatePaths(receiverFaultsPath),
  })
  const faults = query.data?.faults ?? []
  return (
    <Section
      actions={
        faults.length > 0 && (
          <Button
            loading={clear.isPending}
            onClick={() => clear.mutate()}
            size="xs"
            variant="default"
          >
            {t('removeAllFaults')}
          </Button>
        )
      }
      lead={t('receiversLead')}
      title={t('receivers')}
    >
      <ReceiverFaultForm />
      {clear.error && <ErrorState error={clear.error} />}
      <QueryContent of={query}>
        {() =>
          faults.length === 0 ? (
            <EmptyState title={t('noFaults')}>{t('noReceiverFaults')}</EmptyState>
          ) : (
            <DataTable
              caption={t('receivers')}
              columns={[
                {
                  key: 'kind',
                  title: t('kind'),
                  render: ({ kind }) => <span title={kind}>{kindName(`on_${kind}`, kind)}</span>,
                },
                {
                  key: 'share',
                  title: t('share'),
                  render: ({ share }) => percent(share),
                },
                {
                  key: 'application',
                  title: t('application'),
                  render: (each) => each.application_id ?? t('allApplications'),
                },
                { key: 'topic', title: t('topic'), render: ({ topic }) => topic ?? t('allTopics') },
                {
                  key: 'more',
                  title: t('more'),
                  render: ({ delay_ms, status, seed }) => (
                    <span className="mono">
                      {[
                        ...(delay_ms === undefined ? [] : [`${delay_ms} ms`]),
                        ...(status === undefined ? [] : [status]),
                        t('seed', { seed }),
                      ].join(', ')}
                    </span>
                  ),
                },
              ]}
              keyOf={({ application_id, topic, kind }) => `${application_id} ${topic} ${kind}`}
              rows={faults}
            />
          )
        }
      </QueryContent>
    </Section>
  )
}

function ReceiverFaultForm() {
  const t = useTranslations(translations)
  const { percentSuffix } = useFormats()
  const [kind, setKind] = useState<string>('delay')
  const [share, setShare] = useState<number>(20)
  const [extra, setExtra] = useState<number | undefined>()
  const [application, setApplication] = useState('')
  const isLate = kind === 'delay' || kind === 'reorder'
  const set = useMutation({
    mutationFn: () =>
      callApi('PUT', receiverFaultsPath, {
        authScheme: 'operator',
        body: {
          kind,
          share: share / 100,
          application_id: application === '' ? null : Number(application),
          ...(isLate && extra !== undefined ? { delay_ms: extra } : {}),
          ...(kind === 'status' && extra !== undefined ? { status: extra } : {}),
        },
      }),
    onSuccess: () => invalidatePaths(receiverFaultsPath),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    set.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
          <NativeSelect
            className="wide"
            data={receiverFaultKinds.map((each) => ({
              value: each,
              label: `${t(`on_${each}`)} (${each})`,
            }))}
            label={t('kind')}
            onChange={({ currentTarget }) => {
              setKind(currentTarget.value)
              setExtra(undefined)
            }}
            value={kind}
          />
          <NumberInput
            clampBehavior="strict"
            hideControls
            label={t('shareOf')}
            max={100}
            min={0}
            onChange={(value) => setShare(Number(value))}
            required
            suffix={percentSuffix}
            value={share}
          />
          <ApplicationSelect pick={setApplication} value={application} />
          {(isLate || kind === 'status') && (
            <NumberInput
              hideControls
              key={kind}
              label={isLate ? t('delay') : t('status')}
              max={isLate ? 60_000 : 599}
              min={isLate ? 0 : 200}
              onChange={(value) => setExtra(value === '' ? undefined : Number(value))}
              placeholder={isLate ? '2000' : '500'}
            />
          )}
        </SimpleGrid>
        {set.error && <ErrorState error={set.error} />}
        <Group>
          <Button loading={set.isPending} type="submit" variant="default">
            {t('addFault')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
