import { Text } from '@mantine/core'
import { Coded } from '../../../design/Coded.tsx'
import { useLanguage } from '../../../i18n/language.ts'
import { summaryOf } from './summary-translations.ts'

/** What an operation does, in the reader's language, or in English where it has no translation. */
export function Summary({ of, original }: { of: string; original: string }) {
  const summary = summaryOf(of, useLanguage())
  return (
    <Text className="quiet" size="sm" {...(summary ? {} : { lang: 'en' })}>
      {summary ?? <Coded text={original} />}
    </Text>
  )
}
