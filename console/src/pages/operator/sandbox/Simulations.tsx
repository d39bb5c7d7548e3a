import { Button, Group, NumberInput, Progress, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { invalidatePaths, useApiQuery } from '../../../api/queries.ts'
import type { ResponseBody } from '../../../api/types.ts'
import { Section } from '../../../design/Page.tsx'
import { ErrorState, QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useCodeNames, useTranslations } from '../../../i18n/text.ts'
import { NamedStatus } from '../components.tsx'
import { countTranslations, translations } from './translations.ts'

type SimulationList = ResponseBody<'/operator/sandbox/simulations', 'get'>
type Simulation = SimulationList['simulations'][number]

const simulationsPath = '/operator/sandbox/simulations'

/** Starts and stops simulated traffic, and shows its progress. */
export function Simulations() {
  const t = useTranslations(translations)
  const query = useApiQuery<SimulationList>(
    simulationsPath,
    { authScheme: 'operator' },
    { refetchInterval: 2_000 },
  )
  const newest = query.data?.simulations[0]
  const isOn = newest?.state === 'running' || newest?.state === 'finishing'
  return (
    <Section lead={t('simulationLead')} title={t('simulation')}>
      {!isOn && <SimulationForm />}
      <QueryContent lines={2} of={query}>
        {() => newest && <SimulationProgress isOn={isOn} simulation={newest} />}
      </QueryContent>
    </Section>
  )
}

function SimulationForm() {
  const t = useTranslations(translations)
  const [perMinute, setPerMinute] = useState<number>(30)
  const [minutes, setMinutes] = useState<number>(10)
  const start = useMutation({
    mutationFn: () =>
      callApi('POST', simulationsPath, {
        authScheme: 'operator',
        body: { orders_per_minute: perMinute, minutes },
      }),
    onSuccess: () => invalidatePaths(simulationsPath),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <div className="actions">
          <NumberInput
            hideControls
            label={t('ordersPerMinute')}
            max={10_000}
            min={1}
            onChange={(value) => setPerMinute(Number(value))}
            required
            value={perMinute}
          />
          <NumberInput
            hideControls
            label={t('minutes')}
            max={525_600}
            min={1}
            onChange={(value) => setMinutes(Number(value))}
            required
            value={minutes}
          />
          <Button loading={start.isPending} type="submit" variant="default">
            {t('begin')}
          </Button>
        </div>
        {start.error && <ErrorState error={start.error} />}
      </Stack>
    </form>
  )
}

/** The progress of a simulation and, while it is on, the button that stops it. */
function SimulationProgress({ simulation, isOn }: { simulation: Simulation; isOn: boolean }) {
  const t = useTranslations(translations)
  const { number } = useFormats()
  const countName = useCodeNames(countTranslations)
  const { id, state, begun, total, open, told: counts } = simulation
  const stop = useMutation({
    mutationFn: () =>
      callApi('POST', `${simulationsPath}/${id}/stop`, { authScheme: 'operator', body: {} }),
    onSuccess: () => invalidatePaths(simulationsPath),
  })
  const share = total ? (begun / total) * 100 : 100
  const shown = Object.entries(counts).filter(([, n]) => n > 0)
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Group gap="sm">
          <NamedStatus kind="simulation" of={state} />
          <Text>
            {t('begunOf', { begun: number(begun), total: total === null ? '∞' : number(total) })}
          </Text>
          <Text className="quiet">{t('openOnes', { n: number(open) })}</Text>
        </Group>
        {isOn && (
          <Button
            loading={stop.isPending}
            onClick={() => stop.mutate()}
            size="xs"
            variant="default"
          >
            {t('stop')}
          </Button>
        )}
      </Group>
      <Progress animated={isOn} aria-label={t('simulation')} value={share} />
      {shown.length > 0 && (
        <Text className="quiet" size="sm">
          {shown.map(([name, n]) => `${countName(name)}: ${number(n)}`).join(' · ')}
        </Text>
      )}
      {stop.error && <ErrorState error={stop.error} />}
    </Stack>
  )
}
