import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A server on loopback whose paths answer as a test says: for iCalendar feeds. At `/mine.ics` is an empty one. */
export interface FeedServer {
  readonly url: string
  /** Paths that were asked for, oldest first. */
  readonly asked: readonly string[]
  /** How this path answers from now on. */
  answer(path: string, how: Answer): void
  /** Resolves when that path is asked for the next time. */
  nextAsked(path: string): Promise<void>
  close(): Promise<void>
}

/** Answers with a calendar of these events, and with 304 to clients that have that version. */
export const calendarOf = (...events: readonly (readonly string[])[]): Answer => {
  const text = calendarText(...events)
  const etag = `"${createHash('sha256').update(text).digest('hex')}"`
  return (response, request) => {
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end()
    else response.writeHead(200, { 'content-type': 'text/calendar', etag }).end(text)
  }
}

let uids = 0

/** iCalendar text; an event is its lines. */
export function calendarText(...events: readonly (readonly string[])[]): string {
  const blocks = events.map((lines) => {
    const uid = lines.some((line) => line.startsWith('UID:')) ? [] : [`UID:event-${++uids}`]
    return ['BEGIN:VEVENT', ...uid, 'DTSTAMP:20270101T000000Z', ...lines, 'END:VEVENT']
  })
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Test//EN',
    ...blocks.flat(),
    'END:VCALENDAR',
    '',
  ]
  return lines.join('\r\n')
}

export async function startFeedServer(): Promise<FeedServer> {
  const asked: string[] = []
  const answers = new Map<string, Answer>([['/mine.ics', calendarOf()]])
  const waiting = new Map<string, () => void>()
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    waiting.get(path)?.()
    const answer = answers.get(path)
    if (answer === undefined) response.writeHead(404).end()
    else answer(response, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: (path, how) => void answers.set(path, how),
    nextAsked: (path) => new Promise((resolve) => waiting.set(path, resolve)),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
