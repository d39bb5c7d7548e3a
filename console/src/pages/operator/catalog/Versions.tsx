import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { callApi, type Versioned } from '../../../api/client.ts'
import { downloadFile } from '../../../api/download.ts'
import { invalidatePaths, useApiQuery } from '../../../api/queries.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Page } from '../../../design/Page.tsx'
import { ErrorState, QueryContent } from '../../../design/States.tsx'
import { StatusBadge } from '../../../design/StatusBadge.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { Import } from './Import.tsx'
import { catalogFileNames } from './import-catalog.ts'
import { CatalogTabs } from './Tabs.tsx'
import { translations } from './translations.ts'
import type { CatalogDiffSummary, CatalogVersions as Listed } from './types.ts'

const versionsPath = '/operator/catalog/versions'

export default function Versions() {
  const t = useTranslations(translations)
  const { number, moment } = useFormats()
  const query = useApiQuery<Versioned<Listed>>(versionsPath, {
    authScheme: 'operator',
    readsEtag: true,
  })
  const activate = useMutation({
    mutationFn: (version: number) =>
      callApi('POST', `${versionsPath}/${version}/activate`, {
        authScheme: 'operator',
        body: {},
        ifMatch: query.data?.etag,
      }),
    onSuccess: () => invalidatePaths('/operator/catalog', '/categories', '/sites'),
  })
  const save = useMutation({ mutationFn: saveFiles })
  const failed = activate.error ?? save.error
  const reload = () => {
    activate.reset()
    void invalidatePaths('/operator/catalog')
  }
  const changes = ({ categories }: CatalogDiffSummary) =>
    (['added', 'removed', 'renamed', 'moved', 'changed'] as const)
      .filter((key) => categories[key].count > 0)
      .map((key) => `${t(key)}: ${number(categories[key].count)}`)
      .join(', ')
  return (
    <Page lead={t('versionsLead')} title={t('versions')}>
      <CatalogTabs />
      {failed && <ErrorState error={failed} reload={reload} />}
      <section className="surface">
        <QueryContent of={query}>
          {({ versions }) => (
            <DataTable
              caption={t('versions')}
              columns={[
                {
                  key: 'version',
                  title: t('version'),
                  render: ({ version, in_force }) => (
                    <Group gap="sm">
                      <span>{version}</span>
                      {in_force && <StatusBadge tone="good">{t('inForce')}</StatusBadge>}
                    </Group>
                  ),
                },
                {
                  key: 'note',
                  title: t('note'),
                  render: ({ version, note }) => (version === 0 ? t('builtIn') : (note ?? '–')),
                },
                { key: 'made', title: t('made'), render: (each) => moment(each.date_created) },
                {
                  key: 'changes',
                  title: t('changes'),
                  render: ({ summary }) => (summary && changes(summary)) || '–',
                },
                {
                  key: 'actions',
                  title: t('actions'),
                  render: ({ version, in_force }) => (
                    <Group gap="xs">
                      <Button
                        aria-label={`${t('exportFiles')} ${version}`}
                        loading={save.isPending && save.variables === version}
                        onClick={() => save.mutate(version)}
                        size="compact-sm"
                        variant="default"
                      >
                        {t('exportFiles')}
                      </Button>
                      {!in_force && (
                        <Button
                          aria-label={`${t('activate')}: ${version}`}
                          loading={activate.isPending && activate.variables === version}
                          onClick={() => activate.mutate(version)}
                          size="compact-sm"
                          variant="default"
                        >
                          {t('activate')}
                        </Button>
                      )}
                    </Group>
                  ),
                },
              ]}
              keyOf={({ version }) => String(version)}
              rows={versions}
            />
          )}
        </QueryContent>
      </section>
      <Import />
    </Page>
  )
}

/** The three files of a version, saved one after the other. */
async function saveFiles(version: number): Promise<void> {
  for (const file of catalogFileNames) {
    const path = `/operator/catalog/export?file=${file}&version=${version}`
    await downloadFile(path, `${file}-${version}.ndjson`)
  }
}
