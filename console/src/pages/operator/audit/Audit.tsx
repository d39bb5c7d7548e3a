import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useApiQuery } from '../../../api/queries.ts'
import { JsonBlock } from '../../../design/CodeBlock.tsx'
import { useCursorHistory } from '../../../design/cursor-history.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Icon } from '../../../design/icons.tsx'
import { Page, Section } from '../../../design/Page.tsx'
import { SideDrawer } from '../../../design/SideDrawer.tsx'
import { EmptyState, QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { useAddressParameters } from '../address.ts'
import { Pager } from '../components.tsx'
import { translations } from './translations.ts'
import type { AuditEntry, AuditPage } from './types.ts'

const filterNames = ['actor', 'target', 'operation'] as const
type Filters = Record<(typeof filterNames)[number], string>
const hints = { actor: 'actorHint', target: 'targetHint', operation: 'operationHint' } as const

export default function Audit() {
  const t = useTranslations(translations)
  const { moment } = useFormats()
  const [parameters, setParameters] = useAddressParameters()
  const { actor = '', target = '', operation = '', cursor = '' } = parameters
  const filters: Filters = { actor, target, operation }
  const trail = useCursorHistory(cursor)
  const [shown, show] = useState<AuditEntry>()
  const query = useApiQuery<AuditPage>(
    '/operator/audit-log',
    { authScheme: 'operator', query: { ...filters, cursor, limit: 25 } },
    { keepsLast: true },
  )
  return (
    <Page lead={t('lead')} title={t('title')}>
      <FilterForm filters={filters} search={setParameters} />
      <section className="surface">
        <QueryContent lines={10} of={query}>
          {({ results, next_cursor }) =>
            results.length === 0 ? (
              <EmptyState title={t('none')}>{t('noneLead')}</EmptyState>
            ) : (
              <>
                <DataTable
                  caption={t('title')}
                  columns={[
                    { key: 'date', title: t('date'), render: ({ date }) => moment(date) },
                    {
                      key: 'actor',
                      title: t('actor'),
                      render: (entry) => entry.actor_name ?? entry.actor,
                    },
                    {
                      key: 'operation',
                      title: t('operation'),
                      render: (entry) => <span className="mono">{entry.operation}</span>,
                    },
                    {
                      key: 'target',
                      title: t('target'),
                      render: (entry) =>
                        entry.target ? (
                          <span className="mono">{`${entry.target.kind}:${entry.target.id}`}</span>
                        ) : (
                          '–'
                        ),
                    },
                    { key: 'reason', title: t('reason'), render: ({ reason }) => reason ?? '–' },
                    {
                      key: 'details',
                      title: t('details'),
                      render: (entry) => (
                        <Button onClick={() => show(entry)} size="sm" variant="default">
                          {t('view')}
                        </Button>
                      ),
                    },
                  ]}
                  keyOf={({ id }) => id}
                  rows={results}
                />
                <Pager
                  back={cursor === '' ? undefined : () => setParameters(filters)}
                  before={
                    trail.before === undefined
                      ? undefined
                      : () => setParameters({ ...filters, cursor: trail.before ?? '' })
                  }
                  on={
                    next_cursor === null
                      ? undefined
                      : () => {
                          trail.leave()
                          setParameters({ ...filters, cursor: next_cursor })
                        }
                  }
                />
              </>
            )
          }
        </QueryContent>
      </section>
      <SideDrawer
        close={() => show(undefined)}
        opened={shown !== undefined}
        title={shown?.operation ?? ''}
      >
        <JsonBlock value={shown} />
      </SideDrawer>
    </Page>
  )
}

function FilterForm({ filters, search }: { filters: Filters; search: (filters: Filters) => void }) {
  const t = useTranslations(translations)
  const [texts, setTexts] = useState(filters)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    search(texts)
  }
  return (
    <Section>
      <form onSubmit={submit}>
        <div className="actions">
          {filterNames.map((name) => (
            <TextInput
              description={t(hints[name])}
              key={name}
              label={t(name)}
              onChange={({ currentTarget }) => setTexts({ ...texts, [name]: currentTarget.value })}
              style={{ flex: '1 1 14rem' }}
              value={texts[name]}
            />
          ))}
          <Button leftSection={<Icon name="search" size={18} />} type="submit" variant="default">
            {t('search')}
          </Button>
        </div>
      </form>
    </Section>
  )
}
