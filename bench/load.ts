// The load: a separate process on raw sockets, so that the figures hold no work of an HTTP client. It
// reads each answer's status and length, and skips the rest.

import { connect, type Socket } from 'node:net'
import { answerParent } from './child.ts'

export interface Job {
  readonly port: number
  readonly connections: number
  /** No request is sent after this long. */
  readonly seconds: number
  /** Sent in this order, each whenever a connection is free. */
  readonly requests: readonly string[]
  /** Start over at the end of `requests`, instead of stopping there. */
  readonly repeat: boolean
}

export interface Outcome {
  readonly gets: number
  readonly posts: number
  readonly seconds: number
  /** Bytes in the bodies of the answers to GET. */
  readonly gotBytes: number
}

const GRACE_SECONDS = 15
const HEAD_END = Buffer.from('\r\n\r\n')

// Shared by all connections: each read is processed before the next one.
const buffer = Buffer.allocUnsafe(128 * 1024)

answerParent(shoot)

async function shoot(job: Job): Promise<Outcome> {
  const { promise: done, resolve: finish, reject: fail } = Promise.withResolvers<void>()
  const tally = { gets: 0, posts: 0, gotBytes: 0 }
  const connections: Connection[] = []
  let next = 0
  let busy = job.connections
  let deadline = Infinity

  const takeRequest = () => {
    if (performance.now() >= deadline) return undefined
    if (next === job.requests.length && job.repeat) next = 0
    return job.requests[next++]
  }
  const proceed = (connection: Connection) => {
    const request = takeRequest()
    if (request !== undefined) connection.send(request)
    else if (--busy === 0) finish()
  }
  const onAnswer = (connection: Connection, method: Method, status: number, bytes: number) => {
    if (method === 'GET' ? status !== 200 : status !== 201 && status !== 200) {
      fail(
        new Error(`${connection.request.split('\r\n', 1)} was answered with ${status}: ${connection.answer}`),
      )
    } else if (method === 'GET') {
      tally.gets++
      tally.gotBytes += bytes
      proceed(connection)
    } else {
      tally.posts++
      proceed(connection)
    }
  }

  const giveUp = setTimeout(
    () => fail(new Error(`${busy} connections still wait for an answer`)),
    (job.seconds + GRACE_SECONDS) * 1000,
  )
  try {
    for (let i = 0; i < job.connections; i++) connections.push(new Connection(job.port, onAnswer, fail))
    await Promise.race([done, Promise.all(connections.map((connection) => connection.opened))])
    const began = performance.now()
    deadline = began + job.seconds * 1000
    for (const connection of connections) proceed(connection)
    await done
    return { ...tally, seconds: (performance.now() - began) / 1000 }
  } finally {
    clearTimeout(giveUp)
    for (const connection of connections) connection.close()
  }
}

type Method = 'GET' | 'POST'

type OnAnswer = (connection: Connection, method: Method, status: number, bytes: number) => void

/** A kept-alive connection with one request at a time. */
class Connection {
  readonly opened: Promise<void>
  request = ''
  readonly #socket: Socket
  readonly #onAnswer: OnAnswer
  readonly #onError: (error: Error) => void
  #head: Buffer = Buffer.alloc(0)
  #answer = ''
  #inBody = false
  #status = 0
  #length = 0
  #missing = 0

  constructor(port: number, onAnswer: OnAnswer, onError: (error: Error) => void) {
    this.#onAnswer = onAnswer
    this.#onError = onError
    const { promise, resolve } = Promise.withResolvers<void>()
    this.opened = promise
    this.#socket = connect(
      {
        port,
        host: '127.0.0.1',
        noDelay: true,
        onread: {
          buffer,
          callback: (count) => {
            this.#read(count)
            return true
          },
        },
      },
      resolve,
    )
    this.#socket.on('error', onError)
    this.#socket.on('end', () => onError(new Error('the server closed a connection')))
  }

  /** The beginning of the last answer's body, for a message. */
  get answer(): string {
    return this.#answer
  }

  send(request: string): void {
    this.request = request
    this.#socket.write(request, 'latin1')
  }

  close(): void {
    this.#socket.removeAllListeners('end')
    this.#socket.destroy()
  }

  #read(count: number): void {
    if (this.#inBody) this.#missing -= count
    else if (!this.#readHead(buffer.subarray(0, count))) return
    if (this.#missing > 0) return
    this.#inBody = false
    const method = this.request.charCodeAt(0) === 0x47 ? 'GET' : 'POST'
    this.#onAnswer(this, method, this.#status, this.#length)
  }

  /** False when the head is not complete yet. */
  #readHead(read: Buffer): boolean {
    const chunk = this.#head.length === 0 ? read : Buffer.concat([this.#head, read])
    const end = chunk.indexOf(HEAD_END)
    if (end === -1) {
      this.#head = Buffer.from(chunk)
      return false
    }
    if (this.#head.length > 0) this.#head = Buffer.alloc(0)
    const head = chunk.toString('latin1', 0, end)
    const length = /content-length: (\d+)/i.exec(head)?.[1]
    if (length === undefined) {
      this.#onError(new Error(`an answer without content-length: ${head}`))
      return false
    }
    this.#status = Number(head.slice(9, 12))
    this.#length = Number(length)
    this.#inBody = true
    const bodyAt = end + HEAD_END.length
    if (this.#status >= 400) this.#answer = chunk.toString('latin1', bodyAt)
    this.#missing = this.#length - (chunk.length - bodyAt)
    return true
  }
}
