import type { ReactNode } from 'react'
import { CopyButton } from './CopyButton.tsx'

/** Text as machines write it, with a button that copies it. */
export function CodeBlock({ text, label }: { text: string; label?: string | undefined }) {
  return <CodeFrame copies={text} label={label} shown={text} />
}

/** JSON, set out and coloured; text that is none is shown as it is. */
export function JsonBlock({ value, label }: { value: unknown; label?: string | undefined }) {
  const parsed = typeof value === 'string' ? parseJson(value) : value
  if (parsed === undefined) return <CodeBlock label={label} text={String(value)} />
  const text = JSON.stringify(parsed, null, 2)
  return <CodeFrame copies={text} label={label} shown={highlightJson(text)} />
}

function CodeFrame({
  shown,
  copies,
  label,
}: {
  shown: ReactNode
  copies: string
  label: string | undefined
}) {
  return (
    <section aria-label={label} className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre tabIndex={0}>{shown}</pre>
      <span className="copy">
        <CopyButton text={copies} />
      </span>
    </section>
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const jsonTokenPattern =
  /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const maxHighlightedChars = 100_000

function highlightJson(text: string): ReactNode {
  if (text.length > maxHighlightedChars) return text
  const parts: ReactNode[] = []
  let at = 0
  for (const match of text.matchAll(jsonTokenPattern)) {
    const [whole, quoted, colon] = match
    parts.push(text.slice(at, match.index))
    const kind = quoted === undefined ? 'j-other' : colon ? 'j-key' : 'j-text'
    parts.push(
      <span className={kind} key={match.index}>
        {quoted ?? whole}
      </span>,
    )
    if (colon) parts.push(colon)
    at = match.index + whole.length
  }
  return [...parts, text.slice(at)]
}
