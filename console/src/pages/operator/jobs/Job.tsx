import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { downloadFile } from '../../../api/download.ts'
import { invalidatePaths, useApiQuery } from '../../../api/queries.ts'
import { JsonBlock } from '../../../design/CodeBlock.tsx'
import { CopyableText } from '../../../design/CopyButton.tsx'
import { Icon } from '../../../design/icons.tsx'
import { DefinitionList, Page, Section } from '../../../design/Page.tsx'
import { ErrorState, QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useCodeNames, useTranslations } from '../../../i18n/text.ts'
import { NamedStatus } from '../components.tsx'
import { isOpen, JobProgress, refreshIntervalOf } from './JobProgress.tsx'
import { kindTranslations, translations } from './translations.ts'
import type { Job } from './types.ts'

/** A job: its progress, its figures, and what can be done about it. */
export default function JobPage() {
  const t = useTranslations(translations)
  const kindName = useCodeNames(kindTranslations)
  const { jobId = '' } = useParams({ strict: false }) as { jobId?: string }
  const query = useApiQuery<Job>(
    `/operator/jobs/${jobId}`,
    { authScheme: 'operator' },
    { refetchInterval: ({ state: { data } }) => refreshIntervalOf(data && [data]) },
  )
  const job = query.data
  return (
    <Page lead={<CopyableText text={jobId} />} title={job ? kindName(job.kind) : t('job')}>
      <QueryContent lines={6} of={query}>
        {(loaded) => (
          <>
            <JobSummary job={loaded} />
            <Section lead={t('parametersLead')} title={t('parameters')}>
              <JsonBlock label={t('parameters')} value={loaded.parameters} />
            </Section>
            {loaded.result && (
              <Section lead={t('resultLead')} title={t('result')}>
                <JsonBlock label={t('result')} value={loaded.result} />
              </Section>
            )}
          </>
        )}
      </QueryContent>
    </Page>
  )
}

function JobSummary({ job }: { job: Job }) {
  const t = useTranslations(translations)
  const { moment } = useFormats()
  return (
    <Section actions={<JobActions job={job} />} title={t('summary')}>
      <DefinitionList
        of={[
          [t('state'), <NamedStatus key="state" kind="job" of={job.state} />],
          [t('progress'), <JobProgress job={job} key="progress" />],
          [t('actor'), job.actor.name ?? job.actor.kind],
          [t('created'), moment(job.date_created)],
          [t('started'), moment(job.started)],
          [t('finished'), moment(job.finished)],
          [t('expires'), moment(job.expires)],
          ...(job.file_removed ? [[t('fileRemoved'), moment(job.file_removed)] as const] : []),
        ]}
      />
      {job.error && (
        <div className="note" data-tone="bad">
          <Text fw={650}>{t('error')}</Text>
          <Text className="mono" lang="en">
            {job.error}
          </Text>
        </div>
      )}
    </Section>
  )
}

/** An erasure has begun to delete, and goes on until it is done. */
const isCancellable = ({ kind }: Job) => kind !== 'erasure'

function fileNameOf({ id, kind, parameters }: Job): string {
  return `${kind}-${id}.${parameters['format'] === 'csv' ? 'csv' : 'ndjson'}`
}

function JobActions({ job }: { job: Job }) {
  const t = useTranslations(translations)
  const [asksToCancel, setAsksToCancel] = useState(false)
  const path = `/operator/jobs/${job.id}`
  const change = useMutation({
    mutationFn: (operation: 'cancel' | 'retry') =>
      callApi('POST', `${path}/${operation}`, { authScheme: 'operator' }),
    onSettled: () => {
      setAsksToCancel(false)
      return invalidatePaths('/operator/jobs')
    },
  })
  const save = useMutation({
    mutationFn: () => downloadFile(`${path}/result`, fileNameOf(job)),
  })
  const failure = change.error ?? save.error
  return (
    <>
      {isOpen(job) && isCancellable(job) && (
        <Button onClick={() => setAsksToCancel(true)} variant="default">
          {t('cancelJob')}
        </Button>
      )}
      {job.state === 'failed' && (
        <Button
          leftSection={<Icon name="retry" size={18} />}
          loading={change.isPending}
          onClick={() => change.mutate('retry')}
        >
          {t('retry')}
        </Button>
      )}
      {!isOpen(job) && job.has_file && (
        <Button
          leftSection={<Icon name="file" size={18} />}
          loading={save.isPending}
          onClick={() => save.mutate()}
          variant="default"
        >
          {t('download')}
        </Button>
      )}
      {failure && <ErrorState error={failure} />}
      <Modal
        closeButtonProps={{ 'aria-label': t('keep') }}
        onClose={() => setAsksToCancel(false)}
        opened={asksToCancel}
        title={t('cancelTitle')}
      >
        <Stack gap="md">
          <Text>{t('cancelLead')}</Text>
          <Group>
            <Button loading={change.isPending} onClick={() => change.mutate('cancel')}>
              {t('cancelJob')}
            </Button>
            <Button onClick={() => setAsksToCancel(false)} variant="default">
              {t('keep')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
