import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A pooler in front of a PostgreSQL server, which lends a connection for one transaction at a time. */
export interface Pooler {
  /** The server's URL, by way of the pooler. */
  readonly url: string
  stop(): Promise<void>
}

/** What a client may say when it connects. PgBouncer refuses everything else. */
const STARTUP_PARAMETERS = new Set([
  'user',
  'database',
  'application_name',
  'client_encoding',
  'datestyle',
  'timezone',
  'standard_conforming_strings',
])
const SSL_REQUEST = 80_877_103
const CANCEL_REQUEST = 80_877_102
/** Few, so that clients share them. */
const SERVERS = 4

interface Server {
  readonly socket: Socket
  client: Client | undefined
}

interface Client {
  readonly socket: Socket
  /** Messages that wait for a server. */
  readonly queue: Buffer[]
  server: Server | undefined
  /** How often the server has yet to say that it is ready. */
  pending: number
}

/**
 * Stands in for PgBouncer in transaction mode, and is as strict.
 *
 * Each transaction gets the server that has been idle for longest, so never the one of the transaction before:
 * whatever a session had been told is lost. Named statements are refused, as by PgBouncer before 1.21.
 */
export async function startTransactionPooler(serverUrl: string): Promise<Pooler> {
  const sockets = new Set<Socket>()
  const idle: Server[] = []
  const waiting: Client[] = []
  const track = (socket: Socket) => {
    sockets.add(socket)
    // Messages are written one by one, and none should wait for the next.
    socket.setNoDelay(true)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  }

  const release = (server: Server) => {
    server.client = undefined
    const next = waiting.shift()
    if (next === undefined) idle.push(server)
    else lend(server, next)
  }
  const lend = (server: Server, client: Client) => {
    server.client = client
    client.server = server
    for (const message of client.queue.splice(0)) server.socket.write(message)
  }
  /** Lends nothing that may be in the middle of a transaction. */
  const discard = async (server: Server) => {
    server.socket.destroy()
    release(await openServer())
  }
  const openServer = async (): Promise<Server> => {
    const target = new URL(serverUrl)
    const socket = connect(Number(target.port), target.hostname)
    track(socket)
    await once(socket, 'connect')
    const server: Server = { socket, client: undefined }
    const ready = Promise.withResolvers<void>()
    readMessages(socket, (message) => {
      const { client } = server
      const isReady = message[0] === code('Z')
      if (client === undefined) {
        if (isReady) ready.resolve()
        return
      }
      client.socket.write(message)
      if (!isReady || --client.pending > 0 || message[5] !== code('I')) return
      client.server = undefined
      release(server)
    })
    socket.write(startupMessage(target))
    await ready.promise
    return server
  }
  const forward = (client: Client, message: Buffer) => {
    if ([code('Q'), code('S')].includes(message[0] as number)) client.pending++
    if (client.server !== undefined) {
      client.server.socket.write(message)
      return
    }
    client.queue.push(message)
    if (waiting.includes(client)) return
    const server = idle.shift()
    if (server === undefined) waiting.push(client)
    else lend(server, client)
  }

  const listener = createServer((socket) => {
    track(socket)
    const client: Client = { socket, queue: [], server: undefined, pending: 0 }
    readMessages(
      socket,
      (message) => {
        if (message[0] === code('X')) socket.end()
        else if (message[0] === code('P') && message[5] !== 0) refuse(socket, 'named prepared statement')
        else forward(client, message)
      },
      (startup) => greet(socket, startup),
    )
    socket.on('close', () => {
      if (waiting.includes(client)) waiting.splice(waiting.indexOf(client), 1)
      if (client.server !== undefined) void discard(client.server)
    })
  })
  for (let i = 0; i < SERVERS; i++) idle.push(await openServer())
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const url = new URL(serverUrl)
  url.port = String((listener.address() as AddressInfo).port)
  return {
    url: url.href,
    async stop() {
      const closed = once(listener, 'close')
      listener.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const code = (letter: string) => letter.charCodeAt(0)

/** Calls `onMessage` with each message. The first ones of a client have no type; `onStartup` says when they are over. */
function readMessages(
  socket: Socket,
  onMessage: (message: Buffer) => void,
  onStartup?: (startup: Buffer) => boolean,
): void {
  let unread = Buffer.alloc(0)
  let started = onStartup === undefined
  socket.on('data', (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk])
    for (;;) {
      const offset = started ? 1 : 0
      if (unread.length < offset + 4) return
      const length = offset + unread.readInt32BE(offset)
      if (unread.length < length) return
      const message = unread.subarray(0, length)
      unread = unread.subarray(length)
      if (started) onMessage(message)
      else started = onStartup?.(message) ?? true
    }
  })
}

/** Answers the first message of a client as a server without passwords does; true once it may send queries. */
function greet(socket: Socket, message: Buffer): boolean {
  const version = message.readInt32BE(4)
  if (version === SSL_REQUEST) {
    socket.write('N')
    return false
  }
  if (version === CANCEL_REQUEST) {
    socket.end()
    return false
  }
  const words = message.subarray(8).toString().split('\0')
  const refused = words.find((word, i) => i % 2 === 0 && word !== '' && !STARTUP_PARAMETERS.has(word))
  if (refused !== undefined) {
    refuse(socket, `unsupported startup parameter: ${refused}`)
    return false
  }
  const key = Buffer.alloc(8)
  socket.write(Buffer.concat([typed('R', Buffer.alloc(4)), typed('K', key), typed('Z', Buffer.from('I'))]))
  return true
}

function refuse(socket: Socket, reason: string): void {
  socket.end(typed('E', Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${reason}\0\0`)))
}

function typed(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

function startupMessage({ username, pathname }: URL): Buffer {
  const body = Buffer.from(`\0\u0003\0\0user\0${username}\0database\0${pathname.slice(1)}\0\0`)
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([length, body])
}
