import { Button, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { invalidatePaths } from '../../../api/queries.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Section } from '../../../design/Page.tsx'
import { ErrorState } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { CatalogDiff } from './Diff.tsx'
import {
  type CatalogFiles,
  CatalogImportError,
  catalogFileNames,
  importCatalog,
} from './import-catalog.ts'
import { translations } from './translations.ts'
import type { CatalogDiffSummary } from './types.ts'

const labels = {
  categories: 'categories',
  attributes: 'attributesFile',
  domains: 'domains',
} as const

/** Three files, what they would change, and only then the change. */
export function Import() {
  const t = useTranslations(translations)
  const { percent: formatPercent } = useFormats()
  const [files, setFiles] = useState<CatalogFiles>({})
  const [sent, setSent] = useState(0)
  const send = useMutation({
    mutationFn: async (isDry: boolean) => {
      setSent(0)
      return importCatalog(files, { isDry, progress: setSent })
    },
    onSuccess: ({ dry_run }) =>
      dry_run ? undefined : invalidatePaths('/operator/catalog', '/categories', '/sites'),
  })
  const { data, error } = send
  const isWhole = catalogFileNames.every((name) => files[name])
  const differs = data !== undefined && hasDifference(data)
  const percent = Math.round(sent * 100)
  return (
    <Section lead={t('importLead')} title={t('import')}>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {catalogFileNames.map((name) => (
          <label key={name}>
            <Text fw={500} mb={4} size="sm">
              {t(labels[name])} <span className="mono quiet">{name}.ndjson</span>
            </Text>
            <input
              accept=".ndjson,.jsonl,.json,.txt"
              className="file-input"
              name={name}
              onChange={({ currentTarget }) => {
                const file = currentTarget.files?.[0]
                send.reset()
                setFiles((now) => {
                  const { [name]: _old, ...rest } = now
                  return file ? { ...rest, [name]: file } : rest
                })
              }}
              type="file"
            />
          </label>
        ))}
      </SimpleGrid>
      <Group>
        <Button
          disabled={!isWhole}
          loading={send.isPending && send.variables}
          onClick={() => send.mutate(true)}
          variant={differs && data?.dry_run ? 'default' : 'filled'}
        >
          {t('compare')}
        </Button>
        {differs && data?.dry_run && (
          <Button onClick={() => send.mutate(false)}>{t('activateImport')}</Button>
        )}
      </Group>
      <div aria-live="polite">
        {send.isPending && (
          <Stack gap={6}>
            <Progress
              animated={percent >= 100}
              aria-label={t('import')}
              value={Math.max(percent, 4)}
            />
            <Text className="quiet" size="sm">
              {percent < 100
                ? t('sending', { percent: formatPercent(percent / 100) })
                : t('working')}
            </Text>
          </Stack>
        )}
        {data && !differs && <Text>{t('noDifference')}</Text>}
        {data && differs && !data.dry_run && (
          <div className="note" data-tone="good">
            {t('activated', { version: data.version })}
          </div>
        )}
      </div>
      {data && differs && <CatalogDiff summary={data} />}
      {error instanceof CatalogImportError ? (
        <Stack gap="sm">
          <div className="note" data-tone="bad" role="alert">
            <Text fw={650}>{t('refused')}</Text>
            <Text className="mono" lang="en">
              {error.message}
            </Text>
          </div>
          <DataTable
            caption={t('refused')}
            columns={[
              { key: 'file', title: t('file'), render: ({ file }) => file },
              { key: 'line', title: t('line'), render: ({ line }) => line ?? '–' },
              {
                key: 'field',
                title: t('field'),
                render: ({ field }) => <span className="mono">{field || '–'}</span>,
              },
              { key: 'message', title: t('message'), render: ({ message }) => message },
            ]}
            keyOf={({ file, line, field, message }) => `${file} ${line} ${field} ${message}`}
            rows={error.problems}
          />
        </Stack>
      ) : (
        error && <ErrorState error={error} />
      )}
    </Section>
  )
}

function hasDifference({ categories, attributes, domains }: CatalogDiffSummary): boolean {
  const parts = [categories, attributes, domains].flatMap((part) => Object.values(part))
  return parts.some((part) => typeof part !== 'number' && part.count > 0)
}
