import type { ReactNode } from 'react'

/** What a status means: fine, wrong, needs attention, neutral, or informative. */
export type Tone = 'good' | 'bad' | 'warn' | 'calm' | 'info'

export function StatusBadge({
  tone,
  code,
  children,
}: {
  tone: Tone
  /** The value of the API, shown as the tooltip. */
  code?: string
  children: ReactNode
}) {
  return (
    <span className="badge" data-tone={tone} title={code}>
      {children}
    </span>
  )
}
