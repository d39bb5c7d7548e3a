import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type BenchProgram, watchBenchProgram } from '../program.ts'
import type { ProducerMessage, ProducerPlan, ProducerResult } from './producer.ts'

const producerFile = new URL('./producer.ts', import.meta.url).pathname

/** The producer's process. */
export interface ProducerProcess {
  beganAt: number
  /** Once all have happened. */
  done: Promise<ProducerResult>
  /** How many have been told by now. */
  reportReceived(received: number): void
  /** Ends it before. */
  stop(): Promise<ProducerResult>
}

export async function startProducer(plan: ProducerPlan): Promise<ProducerProcess> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = fork(producerFile, {
    execArgv: [],
    env: { PATH, NODE_COMPILE_CACHE },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  const program = watchBenchProgram('the producer', child, { mayEnd: true })
  child.send(plan)
  await waitForReply(program, child, 'ready')
  const done = waitForReply(program, child, 'produced')
  const hangUp = () => {
    if (child.connected) child.disconnect()
  }
  done.then(hangUp, () => {})
  const beginning = waitForReply(program, child, 'began')
  child.send('go')
  const { at: beganAt } = await beginning
  return {
    beganAt,
    done,
    reportReceived(received) {
      if (child.connected) child.send({ received })
    },
    stop() {
      if (child.connected) child.send('stop')
      return done
    },
  }
}

async function waitForReply<T extends ProducerMessage['say']>(
  program: BenchProgram,
  child: ChildProcess,
  say: T,
): Promise<Extract<ProducerMessage, { say: T }>> {
  const ended = new AbortController()
  const exited = once(child, 'close', { signal: ended.signal }).then(() => {
    throw new Error(program.describeEnd())
  })
  exited.catch(() => {})
  const reply = new Promise<Extract<ProducerMessage, { say: T }>>((resolve) => {
    child.on('message', (message: ProducerMessage) => {
      if (message.say === say) resolve(message as Extract<ProducerMessage, { say: T }>)
    })
  })
  try {
    return await Promise.race([reply, exited])
  } finally {
    ended.abort()
  }
}
