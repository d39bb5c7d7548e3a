import { Button, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { termKinds, termReasons } from '../../../api/lists.ts'
import { useListSite } from '../../../api/operator-sites.ts'
import { invalidatePaths, useApiQuery } from '../../../api/queries.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Icon } from '../../../design/icons.tsx'
import { Section } from '../../../design/Page.tsx'
import { EmptyState, ErrorState, QueryContent } from '../../../design/States.tsx'
import { useCodeNames, useTranslations } from '../../../i18n/text.ts'
import { useSiteOptions } from '../sites.ts'
import { reasonTranslations, translations } from './translations.ts'
import type { ModerationTermList } from './types.ts'

const termsPath = '/operator/moderation/terms'

type Term = ModerationTermList['results'][number]

/** Words and domains that the operator blocks or allows. */
export function Terms() {
  const t = useTranslations(translations)
  const reasonName = useCodeNames(reasonTranslations)
  const listSite = useListSite()
  const query = useApiQuery<ModerationTermList>(termsPath, {
    authScheme: 'operator',
    query: { site_id: listSite },
  })
  const remove = useMutation({
    mutationFn: ({ id, etag }: Term) =>
      callApi('DELETE', `${termsPath}/${id}`, { authScheme: 'operator', ifMatch: etag }),
    onSuccess: () => invalidatePaths(termsPath),
  })
  const reload = () => {
    remove.reset()
    void invalidatePaths(termsPath)
  }
  return (
    <Section lead={t('termsLead')} title={t('terms')}>
      <TermForm />
      {remove.error && <ErrorState error={remove.error} reload={reload} />}
      <QueryContent of={query}>
        {({ results }) =>
          results.length === 0 ? (
            <EmptyState title={t('noTerms')}>{t('noTermsLead')}</EmptyState>
          ) : (
            <DataTable
              caption={t('terms')}
              columns={[
                {
                  key: 'value',
                  title: t('value'),
                  render: ({ value }) => <span className="mono">{value}</span>,
                },
                { key: 'kind', title: t('kind'), render: ({ kind }) => kindName(t, kind) },
                {
                  key: 'reason',
                  title: t('reason'),
                  render: ({ reason }) =>
                    reason ? <span title={reason}>{reasonName(reason)}</span> : '–',
                },
                {
                  key: 'site',
                  title: t('site'),
                  render: ({ site_id }) => site_id ?? t('allSites'),
                },
                {
                  key: 'remove',
                  title: t('actions'),
                  render: (term) => (
                    <Button
                      aria-label={`${t('remove')}: ${term.value}`}
                      onClick={() => remove.mutate(term)}
                      size="compact-sm"
                      variant="default"
                    >
                      {t('remove')}
                    </Button>
                  ),
                },
              ]}
              keyOf={({ id }) => id}
              rows={results}
            />
          )
        }
      </QueryContent>
    </Section>
  )
}

type TermText = (key: `kind_${(typeof termKinds)[number]}`) => string

function kindName(t: TermText, kind: string): string {
  const knownKind = termKinds.find((each) => each === kind)
  return knownKind ? t(`kind_${knownKind}`) : kind
}

function TermForm() {
  const t = useTranslations(translations)
  const reasonName = useCodeNames(reasonTranslations)
  const sites = useSiteOptions()
  const [kind, setKind] = useState<string>('word')
  const [value, setValue] = useState('')
  const [reason, setReason] = useState<string>('OUT_OF_PLACE_LANGUAGE')
  const [site, setSite] = useState('')
  const isRefusing = !kind.startsWith('allowed')
  const add = useMutation({
    mutationFn: () =>
      callApi('POST', termsPath, {
        authScheme: 'operator',
        body: { kind, value, site_id: site || null, reason: isRefusing ? reason : null },
      }),
    onSuccess: () => {
      setValue('')
      return invalidatePaths(termsPath)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
          <NativeSelect
            data={termKinds.map((each) => ({ value: each, label: t(`kind_${each}`) }))}
            label={t('kind')}
            onChange={({ currentTarget }) => setKind(currentTarget.value)}
            value={kind}
          />
          <TextInput
            label={t('value')}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
            required
            value={value}
          />
          <NativeSelect
            data={termReasons.map((each) => ({ value: each, label: reasonName(each) }))}
            disabled={!isRefusing}
            label={t('reason')}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            value={reason}
          />
          <NativeSelect
            data={[{ value: '', label: t('allSites') }, ...sites]}
            label={t('site')}
            onChange={({ currentTarget }) => setSite(currentTarget.value)}
            value={site}
          />
        </SimpleGrid>
        {add.error && <ErrorState error={add.error} />}
        <Group>
          <Button
            leftSection={<Icon name="plus" size={18} />}
            loading={add.isPending}
            type="submit"
            variant="default"
          >
            {t('add')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
