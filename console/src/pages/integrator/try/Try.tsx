import { Stack, TextInput, UnstyledButton } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Page } from '../../../design/Page.tsx'
import { Empty, Loaded } from '../../../design/States.tsx'
import { useLanguage } from '../../../i18n/language.ts'
import { useText } from '../../../i18n/text.ts'
import { Call } from './Call.tsx'
import { type Operation, useOperations } from './operations.ts'
import { Summary } from './Summary.tsx'
import { summaryOf } from './summary-translations.ts'
import { translations } from './translations.ts'

const mostShown = 60

/** The API explorer: finds an operation, fills it in and sends it. */
export default function Try() {
  const t = useText(translations)
  const navigate = useNavigate()
  const { op } = useSearch({ strict: false }) as { op?: string }
  const found = useOperations()
  const choose = (name?: string) =>
    void navigate({ to: '.', search: (name ? { op: name } : {}) as never })
  return (
    <Page lead={t('lead')} title={t('title')}>
      <Loaded of={found}>
        {(operations) => {
          const chosen = operations.find(({ name }) => name === op)
          if (chosen) return <Call back={() => choose()} key={chosen.name} operation={chosen} />
          return <Choice choose={choose} operations={operations} />
        }}
      </Loaded>
    </Page>
  )
}

function Choice({
  operations,
  choose,
}: {
  operations: readonly Operation[]
  choose: (name: string) => void
}) {
  const t = useText(translations)
  const language = useLanguage()
  const [searchText, setSearchText] = useState('')
  const parts = searchText.toLowerCase().split(/\s+/)
  const matching = operations.filter(({ name, summary, tag }) => {
    const text = `${name} ${summary} ${summaryOf(name, language)} ${tag}`.toLowerCase()
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
        {matching.length === 0 && <Empty title={t('none')} />}
        <ul className="choices">
          {matching.slice(0, mostShown).map(({ name, method, path, summary }) => (
            <li key={name}>
              <UnstyledButton className="choice" onClick={() => choose(name)}>
                <span className="mono">
                  <b className="method">{method}</b> {path}
                </span>
                <Summary of={name} original={summary} />
              </UnstyledButton>
            </li>
          ))}
        </ul>
      </section>
    </Stack>
  )
}
