import { Checkbox, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { callApi } from '../../../../api/client.ts'
import { orderParts } from '../../../../api/lists.ts'
import { invalidatePaths, useApiQuery } from '../../../../api/queries.ts'
import type { RequestBody, ResponseBody } from '../../../../api/types.ts'
import { Section } from '../../../../design/Page.tsx'
import { ErrorState, QueryContent } from '../../../../design/States.tsx'
import { useTranslations } from '../../../../i18n/text.ts'
import { translations } from '../translations.ts'

const faultsPath = '/operator/faults'

/** Which parts of orders cannot be had. */
export function OrderPartFaults() {
  const t = useTranslations(translations)
  const query = useApiQuery<ResponseBody<'/operator/faults', 'get'>>(faultsPath, {
    authScheme: 'operator',
  })
  const set = useMutation({
    mutationFn: (order_parts: RequestBody<'/operator/faults', 'put'>['order_parts']) =>
      callApi('PUT', faultsPath, { authScheme: 'operator', body: { order_parts } }),
    onSuccess: () => invalidatePaths(faultsPath),
  })
  return (
    <Section lead={t('partsLead')} title={t('parts')}>
      <QueryContent lines={1} of={query}>
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
      </QueryContent>
      {set.error && <ErrorState error={set.error} />}
    </Section>
  )
}
