import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { queryClient, useApiQuery } from '../../../api/queries.ts'
import type { ResponseBody } from '../../../api/types.ts'
import { Section } from '../../../design/Page.tsx'
import { ErrorState, QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { translations } from './translations.ts'

type SandboxClock = ResponseBody<'/operator/clock', 'get'>

const clockPath = '/operator/clock'
const clockSteps = ['30m', '12h', '1d', '15d', '30d'] as const

/** What time it is here, and making it later. */
export function Clock() {
  const t = useTranslations(translations)
  const { moment, number } = useFormats()
  const [text, setText] = useState('')
  const query = useApiQuery<SandboxClock>(
    clockPath,
    { authScheme: 'operator' },
    { refetchInterval: 5_000 },
  )
  const move = useMutation({
    mutationFn: (body: { advance: string } | { to: string }) =>
      callApi<SandboxClock>('POST', clockPath, { authScheme: 'operator', body }),
    // Whatever was read belongs to another time.
    onSuccess: () => queryClient.invalidateQueries(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = text.trim()
    const isSpan = /^\d+[smhd]$/.test(wanted)
    move.mutate(isSpan ? { advance: wanted } : { to: parseMoment(wanted) })
  }
  return (
    <Section lead={t('clockLead')} title={t('clock')}>
      <QueryContent lines={1} of={query}>
        {({ now, ahead_seconds }) => (
          <div aria-live="polite">
            <Text fw={650} fz={24}>
              {moment(now)}
            </Text>
            <Text className="quiet" size="sm">
              {ahead_seconds === 0
                ? t('onTime')
                : t('ahead', { hours: number(Math.round(ahead_seconds / 360) / 10) })}
            </Text>
          </div>
        )}
      </QueryContent>
      <Group gap="xs">
        {clockSteps.map((step) => (
          <Button
            aria-label={t('advanceBy', { step })}
            disabled={move.isPending}
            key={step}
            onClick={() => move.mutate({ advance: step })}
            size="sm"
            variant="default"
          >
            +{step}
          </Button>
        ))}
      </Group>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <div className="actions">
            <TextInput
              description={t('advanceHint')}
              label={t('advanceTo')}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              required
              style={{ flex: '0 1 34rem' }}
              value={text}
            />
            <Button loading={move.isPending} type="submit" variant="default">
              {t('move')}
            </Button>
          </div>
          {move.error && <ErrorState error={move.error} />}
        </Stack>
      </form>
    </Section>
  )
}

/** As the interface writes it, where it is a moment; else as it was written, for the interface to refuse. */
function parseMoment(text: string): string {
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? text : moment.toISOString()
}
