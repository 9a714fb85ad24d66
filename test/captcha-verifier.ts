import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A CAPTCHA service on loopback, which answers as a test says and records the requests. */
export interface CaptchaVerifier {
  readonly url: string
  /** Every form that was posted, oldest first. */
  readonly asked: readonly Readonly<Record<string, string>>[]
  /** How it answers from now on. */
  answer(how: (response: ServerResponse) => void): void
  /** Resolves when it is asked the next time. */
  nextAsked(): Promise<void>
  close(): Promise<void>
}

/** Answers with this status and text. */
export const say =
  (body: string, status = 200) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }

export const passes = say('{"success":true}')
export const refuses = say('{"success":false,"error-codes":["invalid-input-response"]}')

export async function startCaptchaVerifier(): Promise<CaptchaVerifier> {
  const asked: Record<string, string>[] = []
  let answer: (response: ServerResponse) => void = passes
  let heard = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    asked.push(isForm ? Object.fromEntries(new URLSearchParams(body)) : {})
    heard.resolve()
    heard = Promise.withResolvers()
    answer(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/siteverify`,
    asked,
    answer(how) {
      answer = how
    },
    nextAsked: () => heard.promise,
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      // One that never answers would keep its connection, and the tests, open.
      server.closeAllConnections()
      await closed
    },
  }
}
