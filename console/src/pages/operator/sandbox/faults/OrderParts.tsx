import { Checkbox, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../../api/client.ts'
import { orderParts } from '../../../../api/lists.ts'
import { refresh, useGet } from '../../../../api/queries.ts'
import { Section } from '../../../../design/Page.tsx'
import { ErrorState, Loaded } from '../../../../design/States.tsx'
import { useText } from '../../../../i18n/text.ts'
import { translations } from '../translations.ts'

const path = '/operator/faults'

/** Which parts of orders cannot be had. */
export function OrderParts() {
  const t = useText(translations)
  const query = useGet<{ order_parts: string[] }>(path, { authScheme: 'operator' })
  const set = useMutation({
    mutationFn: (order_parts: string[]) =>
      call('PUT', path, { authScheme: 'operator', body: { order_parts } }),
    onSuccess: () => refresh(path),
  })
  return (
    <Section lead={t('partsLead')} title={t('parts')}>
      <Loaded lines={1} of={query}>
        {({ order_parts }) => (
          <Checkbox.Group
            aria-label={t('parts')}
            onChange={(next) => set.mutate(next)}
            value={order_parts}
          >
            <Group>
              {orderParts.map((part) => (
                <Checkbox disabled={set.isPending} key={part} label={part} value={part} />
              ))}
            </Group>
          </Checkbox.Group>
        )}
      </Loaded>
      {set.error && <ErrorState error={set.error} />}
    </Section>
  )
}
