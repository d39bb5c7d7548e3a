import type { Socket } from 'node:net'

const ofOne = /^HTTP\/1\.1 100[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/
const longest = 1_024
const most = 20

/** Whether an answer is being waited for, and how many times 100 came instead. */
export interface Awaited {
  isOpen: boolean
  times: number
}

/**
 * Takes every `100 Continue` out of what comes before an answer. Nobody asks for it here, but a server
 * may send it all the same (RFC 9110, 15.2), and undici would take it for a broken answer.
 */
export function dropContinue(socket: Socket, awaited: Awaited): void {
  const read = socket.read.bind(socket)
  socket.read = (size?: number) => {
    for (;;) {
      const chunk = read(size) as Buffer | null
      if (chunk === null || !awaited.isOpen) return chunk
      const rest = afterContinue(chunk, awaited)
      awaited.isOpen = rest.length === 0
      if (rest.length > 0) return rest
    }
  }
}

function afterContinue(chunk: Buffer, awaited: Awaited): Buffer {
  let rest = chunk
  // The three digits behind `HTTP/1.1 `, looked at before anything is made of them.
  while (rest[9] === 0x31 && rest[10] === 0x30 && rest[11] === 0x30 && awaited.times < most) {
    const found = ofOne.exec(rest.toString('latin1', 0, longest))
    if (!found) break
    awaited.times++
    rest = rest.subarray(found[0].length)
  }
  return rest
}
