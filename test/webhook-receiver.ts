import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** What a receiver was sent, before anyone has understood it. */
export interface ReceivedMessage {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

/** A receiver on loopback, which answers as a test says and records the requests. */
export interface WebhookReceiver {
  readonly url: string
  readonly port: number
  /** Oldest first. */
  readonly received: readonly ReceivedMessage[]
  /** How many connections were ever made to it. */
  readonly connections: () => number
  /** How it answers from now on. */
  answer(how: (response: ServerResponse) => void): void
  close(): Promise<void>
}

/** Answers with this status, headers and body. */
export const says =
  (status: number, headers: Record<string, string> = {}, body: string | Buffer = '') =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers).end(body)
  }

export async function startWebhookReceiver(tls?: {
  readonly key: string
  readonly cert: string
}): Promise<WebhookReceiver> {
  const received: ReceivedMessage[] = []
  let answer: (response: ServerResponse) => void = says(204)
  let connections = 0
  const server = tls === undefined ? createServer() : createSecureServer(tls)
  server.on('connection', () => connections++)
  server.on('request', async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('utf8')
    received.push({ path: request.url ?? '', headers: singleHeaders(request.headers), body })
    answer(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/hook`,
    port,
    received,
    connections: () => connections,
    answer(how) {
      answer = how
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const singleHeaders = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
