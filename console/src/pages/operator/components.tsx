import type {
  AccountStatus,
  AttemptOutcome,
  JobState,
  OrderStatus,
  PaymentStatus,
  QueueState,
  ShipmentStatus,
  SimulationState,
  UserStatus,
} from '../../api/lists.ts'
import './operator.css'
import { Anchor, Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { StatusBadge, type Tone } from '../../design/StatusBadge.tsx'
import { useLanguage } from '../../i18n/language.ts'
import { type Translations, useCodeNames, useTranslations } from '../../i18n/text.ts'
import type { ConversationState } from './conversations/types.ts'
import { statusTranslations } from './status-translations.ts'
import { translations } from './translations.ts'

export function PageLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Anchor component={Link} to={to}>
      {children}
    </Anchor>
  )
}

export function OrderLink({ id }: { id: number }) {
  return (
    <PageLink to={`/operator/orders/${id}`}>
      <span className="mono id">{id}</span>
    </PageLink>
  )
}

/** A user of an answer that lacks its parts (206) has no id. */
export function UserLink({
  id,
  nickname,
}: {
  id: number | undefined
  nickname?: string | null | undefined
}) {
  if (id === undefined) return <span className="quiet">–</span>
  return (
    <PageLink to={`/operator/users/${id}`}>
      {nickname ? nickname : <span className="mono id">{id}</span>}
    </PageLink>
  )
}

/** What has a status, with the statuses it may have. */
interface StatusByKind {
  order: OrderStatus
  payment: PaymentStatus
  shipment: ShipmentStatus
  user: UserStatus
  account: AccountStatus
  notification: AttemptOutcome | 'waiting'
  queue: QueueState
  simulation: SimulationState
  job: JobState
  conversation: ConversationState['status']
}
type StatusKind = keyof StatusByKind
type StatusKey = { [Each in StatusKind]: `${Each}.${StatusByKind[Each]}` }[StatusKind]

/** A status without a name does not compile. */
export const statusNames: Translations<StatusKey> = statusTranslations

const statusTones: Readonly<Record<StatusByKind[StatusKind], Tone>> = {
  paid: 'good',
  approved: 'good',
  delivered: 'good',
  accepted: 'good',
  active: 'good',
  open: 'good',
  confirmed: 'info',
  shipped: 'info',
  ready_to_ship: 'info',
  payment_required: 'warn',
  payment_in_process: 'warn',
  partially_paid: 'warn',
  pending: 'warn',
  pending_cancel: 'warn',
  partially_refunded: 'warn',
  waiting: 'warn',
  invited: 'warn',
  paused: 'warn',
  not_200: 'bad',
  rejected: 'bad',
  blocked: 'bad',
  disabled: 'bad',
  timeout: 'bad',
  unreachable: 'bad',
  refused_address: 'bad',
  invalid: 'bad',
  failed: 'bad',
  authorized: 'calm',
  in_process: 'calm',
  in_mediation: 'calm',
  refunded: 'calm',
  charged_back: 'calm',
  cancelled: 'calm',
  manually_cancelled: 'calm',
  to_be_agreed: 'calm',
  handling: 'calm',
  not_delivered: 'calm',
  deactivated: 'calm',
  running: 'calm',
  finishing: 'calm',
  finished: 'calm',
  stopped: 'calm',
}
const statusToneOf: ReadonlyMap<string, Tone> = new Map(Object.entries(statusTones))

/** A status by its name, with the value of the API as tooltip. A value without a name is shown as it is. */
export function NamedStatus({ kind, of }: { kind: StatusKind; of: string | null | undefined }) {
  const name = useCodeNames(statusNames)
  if (!of) return <span className="quiet">–</span>
  return (
    <StatusBadge code={of} tone={statusToneOf.get(of) ?? 'calm'}>
      {name(`${kind}.${of}`, of)}
    </StatusBadge>
  )
}

export function useMoneyFormat() {
  const language = useLanguage()
  return (value: number | null | undefined, currency: string | null | undefined) => {
    if (value === null || value === undefined) return '–'
    if (!currency) return new Intl.NumberFormat(language).format(value)
    return new Intl.NumberFormat(language, { style: 'currency', currency }).format(value)
  }
}

/** Buttons to the first, previous and next page of a list. */
export function Pager({
  back,
  before,
  on,
}: {
  back?: (() => void) | undefined
  before?: (() => void) | undefined
  on?: (() => void) | undefined
}) {
  const t = useTranslations(translations)
  if (!back && !on) return null
  return (
    <Group justify="space-between" p="md">
      <Group gap="sm">
        <Button disabled={!back} onClick={back} size="xs" variant="default">
          {t('backPage')}
        </Button>
        <Button disabled={!before} onClick={before} size="xs" variant="default">
          {t('previousPage')}
        </Button>
      </Group>
      <Button disabled={!on} onClick={on} size="xs" variant="default">
        {t('nextPage')}
      </Button>
    </Group>
  )
}
