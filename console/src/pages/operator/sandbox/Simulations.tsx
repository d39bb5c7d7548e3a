import { Button, Group, NumberInput, Progress, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../../api/client.ts'
import type { SimulationState } from '../../../api/lists.ts'
import { refresh, useGet } from '../../../api/queries.ts'
import { Section } from '../../../design/Page.tsx'
import { ErrorState, Loaded } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useNames, useText } from '../../../i18n/text.ts'
import { Status } from '../pieces.tsx'
import { countTranslations, translations } from './translations.ts'

interface Simulation {
  id: string
  state: SimulationState
  orders_per_minute: number
  minutes: number | null
  begun: number
  total: number | null
  open: number
  told: Record<string, number>
}

const path = '/operator/sandbox/simulations'

/** Starts and stops simulated traffic, and shows its progress. */
export function Simulations() {
  const t = useText(translations)
  const found = useGet<{ simulations: Simulation[] }>(
    path,
    { authScheme: 'operator' },
    { refetchInterval: 2_000 },
  )
  const newest = found.data?.simulations[0]
  const isOn = newest?.state === 'running' || newest?.state === 'finishing'
  return (
    <Section lead={t('simulationLead')} title={t('simulation')}>
      {!isOn && <Begin />}
      <Loaded lines={2} of={found}>
        {() => newest && <Running isOn={isOn} simulation={newest} />}
      </Loaded>
    </Section>
  )
}

function Begin() {
  const t = useText(translations)
  const [perMinute, setPerMinute] = useState<number>(30)
  const [minutes, setMinutes] = useState<number>(10)
  const start = useMutation({
    mutationFn: () =>
      call('POST', path, {
        authScheme: 'operator',
        body: { orders_per_minute: perMinute, minutes },
      }),
    onSuccess: () => refresh(path),
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

function Running({ simulation, isOn }: { simulation: Simulation; isOn: boolean }) {
  const t = useText(translations)
  const { number } = useFormats()
  const countName = useNames(countTranslations)
  const { id, state, begun, total, open, told: counts } = simulation
  const stop = useMutation({
    mutationFn: () => call('POST', `${path}/${id}/stop`, { authScheme: 'operator', body: {} }),
    onSuccess: () => refresh(path),
  })
  const share = total ? (begun / total) * 100 : 100
  const shown = Object.entries(counts).filter(([, n]) => n > 0)
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Group gap="sm">
          <Status kind="simulation" of={state} />
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
