import { useGet } from '../../api/queries.ts'
import type { Application } from '../../api/types.ts'
import { Page } from '../../design/Page.tsx'
import { Loaded } from '../../design/States.tsx'

export default function Applications() {
  const found = useGet<{ applications: Application[] }>('/operator/applications', {
    door: 'operator',
  })
  return (
    <Page title="x">
      <Loaded of={found}>{({ applications }) => <p>{applications.length}</p>}</Loaded>
    </Page>
  )
}
