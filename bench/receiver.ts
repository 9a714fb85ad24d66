// A receiver of webhook deliveries: a separate process, which answers each after a delay.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from './child.ts'

export type ReceiverQuestion =
  /** Listen, and answer after this many milliseconds. */
  | { readonly ask: 'start'; readonly after: number }
  /** Count from zero. */
  | { readonly ask: 'begin' }
  /** Tell how many have arrived, and how long that took. */
  | { readonly ask: 'tally' }

export interface ReceiverAnswer {
  readonly port: number
  readonly count: number
  /** From the first to the last. */
  readonly seconds: number
}

let port = 0
let count = 0
let [firstAt, lastAt] = [0, 0]

answerParent(async (question: ReceiverQuestion): Promise<ReceiverAnswer> => {
  if (question.ask === 'start') port = await listen(question.after)
  if (question.ask === 'begin') count = 0
  return { port, count, seconds: (lastAt - firstAt) / 1000 }
})

async function listen(after: number): Promise<number> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      lastAt = performance.now()
      if (count++ === 0) firstAt = lastAt
      setTimeout(() => response.writeHead(204).end(), after)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
