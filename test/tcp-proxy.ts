import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands between a client and its server, and can stall or cut their connections. */
export interface TcpProxy {
  /** The server's URL, by way of this proxy. */
  readonly url: string
  /** From now on nothing passes, in either direction. New connections are accepted and left alone. */
  stall(): void
  resume(): void
  /** Cuts all connections. New ones are served. */
  cut(): void
  close(): Promise<void>
}

/** A proxy on loopback to the server of this URL. */
export async function startTcpProxy(serverUrl: string): Promise<TcpProxy> {
  const target = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let stalled = false

  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // The other side hears of it by `close`.
    socket.on('error', () => {})
    if (stalled) socket.pause()
  }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port), allowHalfOpen: true })
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (data) => to.write(data))
      from.on('end', () => to.end())
      from.on('close', () => to.destroy())
      track(from)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(serverUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    stall() {
      stalled = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      stalled = false
      for (const socket of sockets) socket.resume()
    },
    cut,
    async close() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}
