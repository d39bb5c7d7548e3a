import { Text } from '@mantine/core'
import { InlineCodeText } from '../../../design/InlineCodeText.tsx'
import { useLanguage } from '../../../i18n/language.ts'
import { operationSummaryOf } from './summary-translations.ts'

/** What an operation does, in the reader's language, or in English where it has no translation. */
export function OperationSummary({ of, original }: { of: string; original: string }) {
  const summary = operationSummaryOf(of, useLanguage())
  return (
    <Text
      className="quiet"
      component="span"
      display="block"
      size="sm"
      {...(summary ? {} : { lang: 'en' })}
    >
      {summary ?? <InlineCodeText text={original} />}
    </Text>
  )
}
