import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type Program, watchProgram } from '../program.ts'
import type { FromProducer, Plan, Produced } from './producer.ts'

const producerFile = new URL('./producer.ts', import.meta.url).pathname

/** The producer's process. */
export interface Producing {
  beganAt: number
  /** Once all have happened. */
  done: Promise<Produced>
  /** How many have been told by now. */
  tell(received: number): void
  /** Ends it before. */
  stop(): Promise<Produced>
}

export async function startProducing(plan: Plan): Promise<Producing> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = fork(producerFile, {
    execArgv: [],
    env: { PATH, NODE_COMPILE_CACHE },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  const program = watchProgram('the producer', child, { mayEnd: true })
  child.send(plan)
  await answer(program, child, 'ready')
  const done = answer(program, child, 'produced')
  const hangUp = () => {
    if (child.connected) child.disconnect()
  }
  done.then(hangUp, () => {})
  const beginning = answer(program, child, 'began')
  child.send('go')
  const { at: beganAt } = await beginning
  return {
    beganAt,
    done,
    tell(received) {
      if (child.connected) child.send({ received })
    },
    stop() {
      if (child.connected) child.send('stop')
      return done
    },
  }
}

async function answer<T extends FromProducer['say']>(
  program: Program,
  child: ChildProcess,
  say: T,
): Promise<Extract<FromProducer, { say: T }>> {
  const ended = new AbortController()
  const exited = once(child, 'close', { signal: ended.signal }).then(() => {
    throw new Error(program.ending())
  })
  exited.catch(() => {})
  const told = new Promise<Extract<FromProducer, { say: T }>>((resolve) => {
    child.on('message', (message: FromProducer) => {
      if (message.say === say) resolve(message as Extract<FromProducer, { say: T }>)
    })
  })
  try {
    return await Promise.race([told, exited])
  } finally {
    ended.abort()
  }
}
