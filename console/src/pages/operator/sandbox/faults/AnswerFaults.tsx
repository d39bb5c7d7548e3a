import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callApi } from '../../../../api/client.ts'
import { answerFaultKinds, orderParts } from '../../../../api/lists.ts'
import { invalidatePaths, useApiQuery } from '../../../../api/queries.ts'
import type { ResponseBody } from '../../../../api/types.ts'
import { DataTable } from '../../../../design/DataTable.tsx'
import { Section } from '../../../../design/Page.tsx'
import { EmptyState, ErrorState, QueryContent } from '../../../../design/States.tsx'
import { useFormats } from '../../../../i18n/format.ts'
import { useCodeNames, useTranslations } from '../../../../i18n/text.ts'
import { ApplicationSelect } from '../ApplicationSelect.tsx'
import { translations } from '../translations.ts'

type AnswerFaultList = ResponseBody<'/operator/sandbox/answer-faults', 'get'>

const answerFaultsPath = '/operator/sandbox/answer-faults'

/** What happens to answers of the interface. */
export function AnswerFaults() {
  const t = useTranslations(translations)
  const kindName = useCodeNames(translations)
  const { number, percent } = useFormats()
  const query = useApiQuery<AnswerFaultList>(
    answerFaultsPath,
    { authScheme: 'operator' },
    { refetchInterval: 5_000 },
  )
  const remove = useMutation({
    mutationFn: (name: string) =>
      callApi('DELETE', `${answerFaultsPath}/${name}`, { authScheme: 'operator' }),
    onSuccess: () => invalidatePaths(answerFaultsPath),
  })
  return (
    <Section lead={t('answersLead')} title={t('answers')}>
      <AnswerFaultForm />
      {remove.error && <ErrorState error={remove.error} />}
      <QueryContent of={query}>
        {({ faults }) =>
          faults.length === 0 ? (
            <EmptyState title={t('noFaults')}>{t('noAnswerFaults')}</EmptyState>
          ) : (
            <DataTable
              caption={t('answers')}
              columns={[
                {
                  key: 'name',
                  title: t('name'),
                  render: ({ name }) => <span className="mono">{name}</span>,
                },
                {
                  key: 'kind',
                  title: t('kind'),
                  render: ({ kind }) => <span title={kind}>{kindName(`is_${kind}`, kind)}</span>,
                },
                {
                  key: 'of',
                  title: t('of'),
                  render: ({ method, path: of }) => (
                    <span className="mono">{`${method ?? '*'} ${of ?? '*'}`}</span>
                  ),
                },
                {
                  key: 'share',
                  title: t('share'),
                  render: ({ share }) => percent(share),
                },
                {
                  key: 'met',
                  title: t('affected'),
                  render: ({ met, seen }) =>
                    t('affectedOf', { met: number(met), seen: number(seen) }),
                },
                {
                  key: 'end',
                  title: t('actions'),
                  render: ({ name }) => (
                    <Button
                      aria-label={`${t('removeFault')}: ${name}`}
                      onClick={() => remove.mutate(name)}
                      size="compact-sm"
                      variant="default"
                    >
                      {t('removeFault')}
                    </Button>
                  ),
                },
              ]}
              keyOf={({ name }) => name}
              rows={faults}
            />
          )
        }
      </QueryContent>
    </Section>
  )
}

function AnswerFaultForm() {
  const t = useTranslations(translations)
  const { percentSuffix } = useFormats()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<string>('slow')
  const [of, setOf] = useState('')
  const [share, setShare] = useState<number>(100)
  const [extra, setExtra] = useState<number | undefined>()
  const [parts, setParts] = useState<string[]>(['shipping'])
  const [application, setApplication] = useState('')
  const extras: Record<string, [field: string, label: string, usual: string]> = {
    slow: ['delay_ms', t('delay'), '2000'],
    limit: ['retry_after', t('retryAfter'), '1'],
    failure: ['status', t('status'), '500'],
  }
  const more = extras[kind]
  const set = useMutation({
    mutationFn: () =>
      callApi('PUT', `${answerFaultsPath}/${encodeURIComponent(name.trim())}`, {
        authScheme: 'operator',
        body: {
          kind,
          share: share / 100,
          path: of.trim() === '' ? null : of.trim(),
          application_id: application === '' ? null : Number(application),
          ...(more && extra !== undefined ? { [more[0]]: extra } : {}),
          ...(kind === 'parts' ? { parts } : {}),
        },
      }),
    onSuccess: () => invalidatePaths(answerFaultsPath),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    set.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }}>
          <TextInput
            description={t('nameHint')}
            label={t('name')}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            pattern="[a-z0-9][a-z0-9_\-]{0,59}"
            required
            value={name}
          />
          <NativeSelect
            data={answerFaultKinds.map((each) => ({
              value: each,
              label: `${t(`is_${each}`)} (${each})`,
            }))}
            description={t('kindHint')}
            label={t('kind')}
            onChange={({ currentTarget }) => {
              setKind(currentTarget.value)
              setExtra(undefined)
            }}
            value={kind}
          />
          <TextInput
            description={t('ofHint')}
            label={t('of')}
            onChange={({ currentTarget }) => setOf(currentTarget.value)}
            placeholder="/orders/{order_id}"
            value={of}
          />
          <NumberInput
            clampBehavior="strict"
            hideControls
            label={t('shareOfRequests')}
            max={100}
            min={0}
            onChange={(value) => setShare(Number(value))}
            required
            suffix={percentSuffix}
            value={share}
          />
          <ApplicationSelect pick={setApplication} value={application} />
          {more && (
            <NumberInput
              hideControls
              key={kind}
              label={more[1]}
              min={0}
              onChange={(value) => setExtra(value === '' ? undefined : Number(value))}
              placeholder={more[2]}
            />
          )}
        </SimpleGrid>
        {kind === 'parts' && (
          <Checkbox.Group aria-label={t('parts')} onChange={setParts} value={parts}>
            <Group>
              {orderParts.map((part) => (
                <Checkbox key={part} label={part} value={part} />
              ))}
            </Group>
          </Checkbox.Group>
        )}
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
