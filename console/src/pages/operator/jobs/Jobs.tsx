import { NativeSelect } from '@mantine/core'
import { jobStates } from '../../../api/lists.ts'
import { useListSite } from '../../../api/operator-sites.ts'
import { useApiQuery } from '../../../api/queries.ts'
import { useCursorHistory } from '../../../design/cursor-history.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Page, Section } from '../../../design/Page.tsx'
import { EmptyState, QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useCodeNames, useTranslations } from '../../../i18n/text.ts'
import { useAddressParameters } from '../address.ts'
import { NamedStatus, PageLink, Pager, statusNames } from '../components.tsx'
import { ExportForm } from './ExportForm.tsx'
import { JobProgress, refreshIntervalOf } from './JobProgress.tsx'
import { kindTranslations, translations } from './translations.ts'
import type { JobList } from './types.ts'

/** Lists jobs with their progress, newest first. */
export default function Jobs() {
  const t = useTranslations(translations)
  const stateName = useTranslations(statusNames)
  const kindName = useCodeNames(kindTranslations)
  const { moment } = useFormats()
  const [{ state = '', after = '' }, setParameters] = useAddressParameters()
  const trail = useCursorHistory(after)
  const site = useListSite()
  const query = useApiQuery<JobList>(
    '/operator/jobs',
    { authScheme: 'operator', query: { state, after, limit: 25, site_id: site } },
    { keepsLast: true, refetchInterval: ({ state: { data } }) => refreshIntervalOf(data?.jobs) },
  )
  return (
    <Page lead={t('lead')} title={t('title')}>
      <ExportForm />
      <Section>
        <NativeSelect
          data={[
            { value: '', label: t('all') },
            ...jobStates.map((value) => ({ value, label: stateName(`job.${value}`) })),
          ]}
          label={t('state')}
          maw="20rem"
          onChange={({ currentTarget }) => setParameters({ state: currentTarget.value })}
          value={state}
        />
      </Section>
      <section className="surface">
        <QueryContent lines={8} of={query}>
          {({ jobs, next_after }) =>
            jobs.length === 0 ? (
              <EmptyState
                {...(state ? {} : { command: 'feria jobs start --help' })}
                title={t('none')}
              >
                {t(state ? 'noneSo' : 'noneLead')}
              </EmptyState>
            ) : (
              <>
                <DataTable
                  caption={t('title')}
                  columns={[
                    {
                      key: 'kind',
                      title: t('kind'),
                      render: ({ id, kind }) => (
                        <PageLink to={`/operator/jobs/${id}`}>{kindName(kind)}</PageLink>
                      ),
                    },
                    {
                      key: 'state',
                      title: t('state'),
                      render: (job) => <NamedStatus kind="job" of={job.state} />,
                    },
                    {
                      key: 'progress',
                      title: t('progress'),
                      render: (job) => <JobProgress job={job} />,
                    },
                    {
                      key: 'actor',
                      title: t('actor'),
                      render: ({ actor }) => actor.name ?? actor.kind,
                    },
                    {
                      key: 'created',
                      title: t('created'),
                      render: ({ date_created }) => moment(date_created),
                    },
                  ]}
                  keyOf={({ id }) => id}
                  rows={jobs}
                />
                <Pager
                  back={after === '' ? undefined : () => setParameters({ state })}
                  before={
                    trail.before === undefined
                      ? undefined
                      : () => setParameters({ state, after: trail.before ?? '' })
                  }
                  on={
                    next_after === null
                      ? undefined
                      : () => {
                          trail.leave()
                          setParameters({ state, after: next_after })
                        }
                  }
                />
              </>
            )
          }
        </QueryContent>
      </section>
    </Page>
  )
}
