import { Stack, TextInput, UnstyledButton } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Page } from '../../../design/Page.tsx'
import { EmptyState, QueryContent } from '../../../design/States.tsx'
import { useLanguage } from '../../../i18n/language.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { OperationForm } from './OperationForm.tsx'
import { type Operation, useOperations } from './operations.ts'
import { OperationSummary } from './Summary.tsx'
import { operationSummaryOf } from './summary-translations.ts'
import { translations } from './translations.ts'

/** The API explorer: finds an operation, fills it in and sends it. */
export default function ApiExplorer() {
  const t = useTranslations(translations)
  const navigate = useNavigate()
  const { op } = useSearch({ strict: false }) as { op?: string }
  const operationsQuery = useOperations()
  const choose = (name?: string) =>
    void navigate({ to: '.', search: (name ? { op: name } : {}) as never })
  return (
    <Page lead={t('lead')} title={t('title')}>
      <QueryContent of={operationsQuery}>
        {(operations) => {
          const chosen = operations.find(({ name }) => name === op)
          if (chosen)
            return <OperationForm back={() => choose()} key={chosen.name} operation={chosen} />
          return <OperationPicker choose={choose} operations={operations} />
        }}
      </QueryContent>
    </Page>
  )
}

function OperationPicker({
  operations,
  choose,
}: {
  operations: readonly Operation[]
  choose: (name: string) => void
}) {
  const t = useTranslations(translations)
  const language = useLanguage()
  const [searchText, setSearchText] = useState('')
  const parts = searchText.toLowerCase().split(/\s+/)
  const matching = operations.filter(({ name, summary, tag }) => {
    const text = `${name} ${summary} ${operationSummaryOf(name, language)} ${tag}`.toLowerCase()
    return parts.every((part) => text.includes(part))
  })
  return (
    <Stack gap="lg">
      <TextInput
        autoFocus
        description={t('chooseLead')}
        label={t('find')}
        onChange={({ currentTarget }) => setSearchText(currentTarget.value)}
        placeholder="GET /orders"
        size="md"
        type="search"
        value={searchText}
      />
      <section aria-label={t('found')} className="surface">
        {matching.length === 0 && <EmptyState title={t('none')} />}
        <ul className="choices">
          {matching.map(({ name, method, path, summary }) => (
            <li key={name}>
              <UnstyledButton className="choice" onClick={() => choose(name)}>
                <span className="mono">
                  <b className="method">{method}</b> {path}
                </span>
                <OperationSummary of={name} original={summary} />
              </UnstyledButton>
            </li>
          ))}
        </ul>
      </section>
    </Stack>
  )
}
