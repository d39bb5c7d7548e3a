import { closeSync, openSync } from 'node:fs'
import { NoConnectionLeft } from '../../src/platform/outbound/connections.ts'
import { makeSend } from '../../src/platform/outbound/outbound.ts'

/**
 * Started with an address, under a limit of open files: takes most of what the limit leaves, posts more
 * often at a time than there are files left, and prints what came of it.
 */
const [url = ''] = process.argv.slice(2)
const { send, close } = makeSend({ allowPrivateAddresses: true })
const descriptors: number[] = []
try {
  for (;;) descriptors.push(openSync('/dev/null', 'r'))
} catch {
  // There is none left.
}
for (const file of descriptors.slice(0, 8)) closeSync(file)
const outcomes = await Promise.allSettled(
  Array.from({ length: 30 }, () => send({ url, headers: {}, body: '{}', timeoutMs: 5_000 })),
)
const isUnknown = (outcome: PromiseSettledResult<unknown>) =>
  outcome.status === 'rejected' && outcome.reason instanceof NoConnectionLeft
const isAnswered = (outcome: PromiseSettledResult<{ kind: string }>) =>
  outcome.status === 'fulfilled' && outcome.value.kind === 'answered'
process.stdout.write(
  JSON.stringify({
    answered: outcomes.filter(isAnswered).length,
    unknown: outcomes.filter(isUnknown).length,
    others: outcomes.filter((outcome) => !isAnswered(outcome) && !isUnknown(outcome)).map(String),
  }),
)
await close()
