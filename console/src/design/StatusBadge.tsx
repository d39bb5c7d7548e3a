import type { ReactNode } from 'react'

/** What a status means to whoever looks: fine, wrong, to be watched, nothing yet, for your information. */
export type Tone = 'good' | 'bad' | 'warn' | 'calm' | 'told'

export function StatusBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  )
}
