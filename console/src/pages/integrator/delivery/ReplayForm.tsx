import { Button, Chip, Group, NumberInput, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { topics } from '../../../api/lists.ts'
import { invalidatePaths } from '../../../api/queries.ts'
import type { CountedReplay } from '../../../api/types.ts'
import { Section } from '../../../design/Page.tsx'
import { ErrorState } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { useCurrentApplication } from '../application/application.ts'
import { translations } from './translations.ts'

const dayMs = 24 * 3_600_000

/** As `datetime-local` writes it: this machine's time, to the minute. */
function localInputValue(at: Date): string {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

/** Counts the notifications of a replay, then starts it. */
export function ReplayForm() {
  const t = useTranslations(translations)
  const format = useFormats()
  const { authScheme, paths } = useCurrentApplication()
  const [since, setSince] = useState(() => localInputValue(new Date(Date.now() - dayMs)))
  const [until, setUntil] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const [isFailedOnly, setFailedOnly] = useState(false)
  const [rate, setRate] = useState(50)
  const body = (isDry: boolean) => ({
    since: new Date(since).toISOString(),
    ...(until ? { until: new Date(until).toISOString() } : {}),
    ...(chosen.length > 0 ? { topics: chosen } : {}),
    failed_only: isFailedOnly,
    rate_per_second: rate,
    dry_run: isDry,
  })
  const counting = useMutation({
    mutationFn: () =>
      callApi<CountedReplay>('POST', paths.replays, { authScheme, body: body(true) }),
  })
  const starting = useMutation({
    mutationFn: () => callApi('POST', paths.replays, { authScheme, body: body(false) }),
    onSuccess: () => invalidatePaths(paths.replays),
  })
  // What was counted was counted for what stood there then.
  const changed = () => counting.reset()
  const count = (event: FormEvent) => {
    event.preventDefault()
    starting.reset()
    counting.mutate()
  }
  const error = counting.error ?? starting.error
  return (
    <Section lead={t('replayLead')} title={t('replay')}>
      <form onChange={changed} onSubmit={count}>
        <Stack gap="md">
          <Group align="flex-end" gap="sm">
            <TextInput
              label={t('from')}
              onChange={({ currentTarget }) => setSince(currentTarget.value)}
              required
              type="datetime-local"
              value={since}
            />
            <TextInput
              label={t('to')}
              onChange={({ currentTarget }) => setUntil(currentTarget.value)}
              type="datetime-local"
              value={until}
            />
            <NumberInput
              allowDecimal={false}
              label={t('rate')}
              max={1_000}
              min={1}
              onChange={(value) => setRate(Number(value) || 1)}
              value={rate}
              w="11rem"
            />
          </Group>
          <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
            <Text component="legend" fw={500} size="sm">
              {t('topics')}{' '}
              <Text className="quiet" component="span" size="sm">
                ({t('allTopics')})
              </Text>
            </Text>
            <Chip.Group multiple onChange={setChosen} value={chosen}>
              <Group gap="xs" mt="xs">
                {topics.map((topic) => (
                  <Chip key={topic} size="sm" value={topic}>
                    {topic}
                  </Chip>
                ))}
              </Group>
            </Chip.Group>
          </fieldset>
          <Switch
            checked={isFailedOnly}
            label={t('failedOnly')}
            onChange={({ currentTarget }) => setFailedOnly(currentTarget.checked)}
          />
          {error && <ErrorState error={error} />}
          <Group gap="md">
            <Button loading={counting.isPending} type="submit" variant="default">
              {t('count')}
            </Button>
            {counting.data && (
              <>
                <Text role="status">{t('counted', { n: format.number(counting.data.total) })}</Text>
                <Button
                  disabled={counting.data.total === 0}
                  loading={starting.isPending}
                  onClick={() => starting.mutate()}
                >
                  {t('start')}
                </Button>
              </>
            )}
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
