import { Button, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../../api/client.ts'
import { termKinds, termReasons } from '../../../api/lists.ts'
import { refresh, useGet } from '../../../api/queries.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Icon } from '../../../design/icons.tsx'
import { Section } from '../../../design/Page.tsx'
import { Empty, ErrorState, Loaded } from '../../../design/States.tsx'
import { useNames, useText } from '../../../i18n/text.ts'
import { useSites } from '../sites.ts'
import { reasonTranslations, translations } from './translations.ts'
import type { Term } from './types.ts'

const path = '/operator/moderation/terms'

/** Words and domains that the operator blocks or allows. */
export function Terms() {
  const t = useText(translations)
  const reasonName = useNames(reasonTranslations)
  const query = useGet<{ results: Term[] }>(path, { authScheme: 'operator' })
  const remove = useMutation({
    mutationFn: (id: string) => call('DELETE', `${path}/${id}`, { authScheme: 'operator' }),
    onSuccess: () => refresh(path),
  })
  return (
    <Section lead={t('termsLead')} title={t('terms')}>
      <AddTerm />
      {remove.error && <ErrorState error={remove.error} />}
      <Loaded of={query}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty title={t('noTerms')}>{t('noTermsLead')}</Empty>
          ) : (
            <DataTable
              caption={t('terms')}
              columns={[
                {
                  key: 'value',
                  title: t('value'),
                  show: ({ value }) => <span className="mono">{value}</span>,
                },
                { key: 'kind', title: t('kind'), show: ({ kind }) => kindName(t, kind) },
                {
                  key: 'reason',
                  title: t('reason'),
                  show: ({ reason }) =>
                    reason ? <span title={reason}>{reasonName(reason)}</span> : '–',
                },
                { key: 'site', title: t('site'), show: ({ site_id }) => site_id ?? t('allSites') },
                {
                  key: 'remove',
                  title: t('actions'),
                  show: ({ id, value }) => (
                    <Button
                      aria-label={`${t('remove')}: ${value}`}
                      onClick={() => remove.mutate(id)}
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
      </Loaded>
    </Section>
  )
}

type Text = (key: `kind_${(typeof termKinds)[number]}`) => string

function kindName(t: Text, kind: string): string {
  const known = termKinds.find((each) => each === kind)
  return known ? t(`kind_${known}`) : kind
}

function AddTerm() {
  const t = useText(translations)
  const reasonName = useNames(reasonTranslations)
  const sites = useSites()
  const [kind, setKind] = useState<string>('word')
  const [value, setValue] = useState('')
  const [reason, setReason] = useState<string>('OUT_OF_PLACE_LANGUAGE')
  const [site, setSite] = useState('')
  const isRefusing = !kind.startsWith('allowed')
  const add = useMutation({
    mutationFn: () =>
      call('POST', path, {
        authScheme: 'operator',
        body: { kind, value, site_id: site || null, reason: isRefusing ? reason : null },
      }),
    onSuccess: () => {
      setValue('')
      return refresh(path)
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
