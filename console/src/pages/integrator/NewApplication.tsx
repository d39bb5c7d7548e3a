import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { callApi } from '../../api/client.ts'
import { invalidatePaths } from '../../api/queries.ts'
import type { ResponseBody } from '../../api/types.ts'
import { Secret } from '../../design/CopyButton.tsx'
import { Page, Section } from '../../design/Page.tsx'
import { useTranslations } from '../../i18n/text.ts'
import { type ApplicationBody, ApplicationForm } from './ApplicationForm.tsx'
import { translations } from './translations.ts'

export default function NewApplication() {
  const t = useTranslations(translations)
  const making = useMutation({
    mutationFn: (body: ApplicationBody) =>
      callApi<ResponseBody<'/applications', 'post'>>('POST', '/applications', {
        authScheme: 'user',
        body,
      }),
    onSuccess: () => invalidatePaths('/applications'),
  })
  const createdApplication = making.data
  if (createdApplication) {
    return (
      <Page title={t('made')}>
        <Secret
          name={t('secret', { name: createdApplication.name })}
          text={createdApplication.secret}
        />
        <Group>
          <Button component={Link} to={`/applications/${createdApplication.id}`}>
            {t('toApplication')}
          </Button>
        </Group>
      </Page>
    )
  }
  return (
    <Page lead={t('makeLead')} title={t('make')}>
      <Section>
        <ApplicationForm
          action={t('create')}
          error={making.error}
          isBusy={making.isPending}
          submit={making.mutate}
        />
      </Section>
    </Page>
  )
}
