import { Button, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { exportedNames } from '../../../api/lists.ts'
import { invalidatePaths } from '../../../api/queries.ts'
import { Section } from '../../../design/Page.tsx'
import { ErrorState } from '../../../design/States.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { useSiteOptions } from '../sites.ts'
import { type ExportDraft, emptyDraft, hasFilter, parametersOf } from './export-draft.ts'
import { exportTranslations } from './export-translations.ts'
import type { Job } from './types.ts'

/** Starts the job of an export and goes to its page. */
export function ExportForm() {
  const t = useTranslations(exportTranslations)
  const siteOptions = useSiteOptions()
  const navigate = useNavigate()
  const [draft, setDraft] = useState(emptyDraft)
  const start = useMutation({
    mutationFn: (exported: ExportDraft) =>
      callApi<Job>('POST', '/operator/jobs', {
        authScheme: 'operator',
        body: { kind: 'export', parameters: parametersOf(exported) },
      }),
    onSuccess: async ({ id }) => {
      await invalidatePaths('/operator/jobs')
      await navigate({ to: `/operator/jobs/${id}` })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start.mutate(draft)
  }
  return (
    <Section lead={t('lead')} title={t('title')}>
      <form onSubmit={submit}>
        <div className="actions">
          <NativeSelect
            data={exportedNames.map((value) => ({ value, label: t(value) }))}
            label={t('of')}
            onChange={({ currentTarget }) =>
              setDraft({ ...draft, of: currentTarget.value as ExportDraft['of'] })
            }
            value={draft.of}
          />
          <NativeSelect
            data={[
              { value: 'ndjson', label: 'NDJSON' },
              { value: 'csv', label: 'CSV' },
            ]}
            label={t('format')}
            onChange={({ currentTarget }) =>
              setDraft({ ...draft, format: currentTarget.value as ExportDraft['format'] })
            }
            value={draft.format}
          />
          {hasFilter(draft.of, 'seller') && (
            <NumberInput
              allowDecimal={false}
              hideControls
              label={t('seller')}
              min={1}
              onChange={(seller) => setDraft({ ...draft, seller: String(seller) })}
              value={draft.seller}
            />
          )}
          {hasFilter(draft.of, 'site_id') && (
            <NativeSelect
              data={[{ value: '', label: t('allSites') }, ...siteOptions]}
              label={t('site')}
              onChange={({ currentTarget }) => setDraft({ ...draft, site: currentTarget.value })}
              value={draft.site}
            />
          )}
          <TextInput
            label={t('from')}
            onChange={({ currentTarget }) => setDraft({ ...draft, from: currentTarget.value })}
            type="date"
            value={draft.from}
          />
          <TextInput
            label={t('to')}
            onChange={({ currentTarget }) => setDraft({ ...draft, to: currentTarget.value })}
            type="date"
            value={draft.to}
          />
          <Button loading={start.isPending} type="submit" variant="default">
            {t('start')}
          </Button>
        </div>
      </form>
      {start.error && <ErrorState error={start.error} />}
    </Section>
  )
}
