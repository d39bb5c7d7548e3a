import { Group, Text } from '@mantine/core'
import { JsonBlock } from '../../../design/CodeBlock.tsx'
import { Section } from '../../../design/Page.tsx'
import { StatusBadge } from '../../../design/StatusBadge.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { translations } from './translations.ts'
import type { TryResponse } from './try-request.ts'

/** What came back: status, time, headers and body. */
export function ResponseView({ of }: { of: TryResponse }) {
  const t = useTranslations(translations)
  const format = useFormats()
  const { status, statusText, text, ms, headers } = of
  const tone = status < 300 ? 'good' : status < 400 ? 'info' : status < 500 ? 'warn' : 'bad'
  return (
    <Section title={t('answer')}>
      <Group gap="sm" role="status">
        <StatusBadge tone={tone}>
          {status} {statusText}
        </StatusBadge>
        <Text className="quiet" size="sm">
          {t('took', { ms: format.duration(ms), size: format.number(text.length) })}
        </Text>
      </Group>
      {text === '' ? (
        <Text className="quiet">{t('empty')}</Text>
      ) : (
        <JsonBlock label={t('answer')} value={text} />
      )}
      <JsonBlock label={t('headers')} value={headers} />
    </Section>
  )
}
