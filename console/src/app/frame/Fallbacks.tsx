import { Button, Group } from '@mantine/core'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { Page } from '../../design/Page.tsx'
import { ErrorState } from '../../design/States.tsx'
import { useTranslations } from '../../i18n/text.ts'
import { translations } from './translations.ts'

export function PageNotFound() {
  const t = useTranslations(translations)
  return (
    <Page lead={t('notFoundLead')} title={t('notFound')}>
      <Group>
        <Button component={Link} to="/">
          {t('toStart')}
        </Button>
      </Group>
    </Page>
  )
}

/** A page broke: a defect of the console, or its files were replaced by a newer build. */
export function PageError({ error }: ErrorComponentProps) {
  const t = useTranslations(translations)
  return (
    <Page lead={t('brokenLead')} title={t('broken')}>
      <ErrorState
        error={error instanceof Error ? error : new Error(String(error))}
        retry={() => location.reload()}
      />
    </Page>
  )
}
