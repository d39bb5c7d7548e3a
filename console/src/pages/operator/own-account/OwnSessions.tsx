import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { callApi } from '../../../api/client.ts'
import { signOutOperator } from '../../../api/operator.ts'
import { invalidatePaths, useApiQuery } from '../../../api/queries.ts'
import { useSignOut } from '../../../app/sign-out.ts'
import { Section } from '../../../design/Page.tsx'
import { ErrorState, QueryContent } from '../../../design/States.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { SessionTable } from '../accounts/SessionTable.tsx'
import type { OperatorSession, OperatorSessionList } from '../accounts/types.ts'
import { translations } from './translations.ts'

const sessionsPath = '/operator/sessions'

/** Lists the own sessions and ends them. Ending this one signs out. */
export function OwnSessions() {
  const t = useTranslations(translations)
  const signOut = useSignOut(signOutOperator)
  const query = useApiQuery<OperatorSessionList>(sessionsPath, { authScheme: 'operator' })
  const end = useMutation({
    mutationFn: ({ id }: OperatorSession) =>
      callApi('DELETE', `${sessionsPath}/${id}`, { authScheme: 'operator' }),
    onSettled: () => invalidatePaths(sessionsPath),
  })
  return (
    <Section flush lead={t('sessionsLead')} title={t('sessions')}>
      <QueryContent lines={3} of={query}>
        {({ sessions }) => (
          <SessionTable
            end={(session) => (session.is_current ? void signOut() : end.mutate(session))}
            sessions={sessions}
          />
        )}
      </QueryContent>
      <div aria-live="polite">
        {end.isSuccess && (
          <Text pb="lg" px="lg">
            {t('sessionEnded')}
          </Text>
        )}
      </div>
      {end.error && <ErrorState error={end.error} />}
    </Section>
  )
}
