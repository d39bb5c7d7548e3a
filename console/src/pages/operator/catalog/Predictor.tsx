import '../../../design/charts/charts.css'
import { Button, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useApiQuery } from '../../../api/queries.ts'
import { Icon } from '../../../design/icons.tsx'
import { Page, Section } from '../../../design/Page.tsx'
import { EmptyState, QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useLanguage } from '../../../i18n/language.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { useAddressParameters } from '../address.ts'
import { PageLink } from '../components.tsx'
import { useSiteOptions } from '../sites.ts'
import { CatalogTabs } from './Tabs.tsx'
import { translations } from './translations.ts'
import type { CategoryPrediction, PredictionScore } from './types.ts'

const exampleTitles: Readonly<Record<string, string>> = {
  MLB: 'Geladeira frost free branca 375 litros',
  MLA: 'Heladera no frost blanca 375 litros',
}

export default function Predictor() {
  const t = useTranslations(translations)
  const sites = useSiteOptions()
  const [parameters, setParameters] = useAddressParameters()
  const site = parameters['site'] ?? 'MLA'
  const title = parameters['q'] ?? ''
  const [text, setText] = useState(title)
  const query = useApiQuery<CategoryPrediction[]>(
    `/sites/${site}/domain_discovery/search`,
    { authScheme: 'operator', query: { q: title, limit: 4, explain: true } },
    { enabled: title !== '', keepsLast: true },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setParameters({ site, q: text.trim() })
  }
  const example = exampleTitles[site] ?? (exampleTitles['MLA'] as string)
  return (
    <Page lead={t('predictorLead')} title={t('predictor')}>
      <CatalogTabs />
      <Section>
        <form onSubmit={submit}>
          <Group align="flex-end" gap="md">
            <TextInput
              label={t('listingTitle')}
              maxLength={500}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              required
              style={{ flex: '1 1 18rem' }}
              value={text}
            />
            <NativeSelect
              data={sites}
              label={t('site')}
              onChange={({ currentTarget }) =>
                setParameters({ site: currentTarget.value, q: title })
              }
              value={site}
            />
            <Button leftSection={<Icon name="search" size={18} />} type="submit">
              {t('predict')}
            </Button>
          </Group>
        </form>
      </Section>
      {title === '' ? (
        <Section>
          <EmptyState
            action={
              <Button
                onClick={() => {
                  setText(example)
                  setParameters({ site, q: example })
                }}
                variant="default"
              >
                {example}
              </Button>
            }
            title={t('noTitle')}
          >
            {t('noTitleLead')}
          </EmptyState>
        </Section>
      ) : (
        <QueryContent lines={8} of={query}>
          {(guesses) =>
            guesses.length === 0 ? (
              <Section>
                <EmptyState title={t('noGuess')}>{t('noGuessLead')}</EmptyState>
              </Section>
            ) : (
              <PredictionList guesses={guesses} />
            )
          }
        </QueryContent>
      )}
    </Page>
  )
}

function PredictionList({ guesses }: { guesses: readonly CategoryPrediction[] }) {
  const best = Math.max(...guesses.map(({ explanation }) => explanation?.score ?? 0), 0.0001)
  return guesses.map((guess, n) => (
    <PredictionRow best={best} guess={guess} key={guess.category_id} n={n} />
  ))
}

function PredictionRow({ guess, best, n }: { guess: CategoryPrediction; best: number; n: number }) {
  const t = useTranslations(translations)
  const { category_id, category_name, domain_name, domain_id, attributes, explanation } = guess
  return (
    <Section
      lead={
        <>
          <PageLink to={`/operator/catalogue?category=${category_id}`}>
            <span className="mono">{category_id}</span>
          </PageLink>{' '}
          · {domain_name} <span className="mono">{domain_id}</span>
        </>
      }
      title={`${n + 1}. ${category_name}`}
    >
      {explanation && <ScoreBar best={best} explanation={explanation} />}
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="lg">
        <div>
          <Text className="quiet" fw={600} size="sm">
            {t('detected')}
          </Text>
          {attributes.length === 0 ? (
            <Text size="sm">{t('noneDetected')}</Text>
          ) : (
            <ul className="plain">
              {attributes.map(({ id, value_name }) => (
                <li key={id}>
                  <span className="mono quiet">{id}</span> {value_name}
                </li>
              ))}
            </ul>
          )}
        </div>
        {explanation && <PredictionExplanation explanation={explanation} />}
      </SimpleGrid>
    </Section>
  )
}

const scoreSources = [
  ['from_names', 'var(--c-info)'],
  ['from_listings', 'var(--c-good)'],
  ['from_neighbours', 'var(--c-warn)'],
] as const

function ScoreBar({ explanation, best }: { explanation: PredictionScore; best: number }) {
  const t = useTranslations(translations)
  const formatScore = useScore()
  const formatShare = useShareFormat()
  return (
    <Stack gap={6}>
      <div aria-hidden="true" className="meter">
        {scoreSources.map(([key, colour]) => (
          <span
            key={key}
            style={{
              width: `${(Math.max(0, explanation[key]) / best) * 100}%`,
              background: colour,
            }}
          />
        ))}
      </div>
      <ul className="legend">
        <li>
          <strong>
            {t('probability')} {formatShare(explanation.probability)}
          </strong>
        </li>
        <li>
          {t('score')} {formatScore(explanation.score)}
        </li>
        {scoreSources.map(([key, colour]) => (
          <li key={key}>
            <span className="swatch" style={{ background: colour }} />
            {t(key)} {formatScore(explanation[key])}
          </li>
        ))}
      </ul>
    </Stack>
  )
}

function PredictionExplanation({ explanation }: { explanation: PredictionScore }) {
  const t = useTranslations(translations)
  const formatScore = useScore()
  const formatShare = useShareFormat()
  const { number } = useFormats()
  return (
    <>
      <div>
        <Text className="quiet" fw={600} size="sm">
          {t('byNames')}
        </Text>
        {explanation.names.length === 0 && <Text size="sm">{t('byNothing')}</Text>}
        <ul className="plain">
          {explanation.names.map(({ text, kind, words: matched, score }) => (
            <li key={`${kind} ${text}`}>
              {text} <span className="quiet">({t(kind)})</span>
              <Text className="quiet" size="xs">
                {matched.join(', ')} · {formatScore(score)}
              </Text>
            </li>
          ))}
        </ul>
      </div>
      <div>
        <Text className="quiet" fw={600} size="sm">
          {t('byListings')}
        </Text>
        {explanation.words.length === 0 && <Text size="sm">{t('byNothing')}</Text>}
        <ul className="plain">
          {explanation.words.map(({ text, share, listings }) => (
            <li key={text}>
              {text}
              <Text className="quiet" size="xs">
                {t('ofListings', { share: formatShare(share), n: number(listings) })}
              </Text>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}

/** Shares with three figures, as the scores. */
function useShareFormat(): (share: number) => string {
  const language = useLanguage()
  return (share) =>
    new Intl.NumberFormat(language, { style: 'percent', maximumSignificantDigits: 3 }).format(share)
}

/** Three figures tell them apart. */
function useScore(): (score: number) => string {
  const { number } = useFormats()
  return (score) => number(Number(score.toPrecision(3)))
}
