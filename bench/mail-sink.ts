// A mail server that takes everything and keeps nothing: a separate process, which says how many came.

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { answerParent } from './child.ts'

export interface SinkAnswer {
  readonly port: number
  readonly count: number
}

let port = 0
let count = 0

answerParent(async (question: { readonly ask: 'start' | 'tally' }): Promise<SinkAnswer> => {
  if (question.ask === 'start') port = await listen()
  return { port, count }
})

async function listen(): Promise<number> {
  const server = createServer({ noDelay: true }, serve).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const END = '\r\n.\r\n'

function serve(socket: Socket): void {
  let unread = ''
  let inMail = false
  socket.setEncoding('latin1')
  socket.on('error', () => {})
  socket.on('data', (chunk: string) => {
    unread += chunk
    for (let length = lengthOfNext(unread, inMail); length > 0; length = lengthOfNext(unread, inMail)) {
      const part = unread.slice(0, length)
      unread = unread.slice(length)
      if (inMail) count++
      inMail = !inMail && /^data\r\n/i.test(part)
      socket.write(answerTo(part, inMail))
    }
  })
  socket.write('220 sink\r\n')
}

/** Of a command or a whole mail; 0 while it has not all arrived. */
function lengthOfNext(text: string, inMail: boolean): number {
  const end = inMail ? END : '\r\n'
  const index = text.indexOf(end)
  return index < 0 ? 0 : index + end.length
}

function answerTo(part: string, inMail: boolean): string {
  if (inMail) return '354 go on\r\n'
  return /^ehlo/i.test(part) ? '250-sink\r\n250-PIPELINING\r\n250 8BITMIME\r\n' : '250 ok\r\n'
}
