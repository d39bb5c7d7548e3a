/**
 * Why a benchmark failed. What it throws is often a consequence only: requests fail because a server ended,
 * which ended because the disk is full. Whoever sees a cause reports it here.
 */
const reportedCauses = new Set<string>()
const reportedSymptoms = new Set<string>()

export function reportCause(text: string): void {
  reportedCauses.add(text)
}

/** Reports what has a cause itself; it is told where no cause is known. */
export function reportSymptom(text: string): void {
  reportedSymptoms.add(text)
}

/** Returns the failure and its known causes in one line. */
export function describeFailure(error: unknown): string {
  const message = messageOf(error)
  const others = [...(reportedCauses.size > 0 ? reportedCauses : reportedSymptoms)].filter(
    (cause) => !message.includes(cause),
  )
  return [message, ...others].map(oneLine).join('; ')
}

function messageOf(error: unknown): string {
  // fetch says no more than "fetch failed", and several addresses that fail leave the message empty.
  const parts: string[] = []
  for (let part = error; part instanceof Error; part = part.cause) {
    const inner = part instanceof AggregateError ? part.errors.map(messageOf).join(', ') : ''
    const text = [part.message, inner].filter((each) => each !== '').join(': ')
    if (text !== '' && !parts.some((each) => each.includes(text))) parts.push(text)
  }
  return parts.length > 0 ? parts.join(': ') : String(error)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
