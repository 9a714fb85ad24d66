import { createHash } from 'node:crypto'
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
  /**
   * Loses the next `commit` of a PostgreSQL client, or the answer to it, and settles when that has happened.
   *
   * Its connection is cut then, or else left without another byte in either direction.
   */
  loseCommit(lost: 'request' | 'answer', then: 'cut' | 'freeze'): Promise<void>
  close(): Promise<void>
}

/** The statement as text, or the name under which a client has prepared it. */
const COMMITS = ['commit\0', createHash('md5').update('commit').digest('hex')]

/** A proxy on loopback to the server of this URL. */
export async function startTcpProxy(serverUrl: string): Promise<TcpProxy> {
  const target = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let stalled = false
  let losing:
    | { readonly lost: 'request' | 'answer'; readonly then: 'cut' | 'freeze'; done(): void }
    | undefined

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
    let lost: typeof losing
    let frozen = false
    const lose = () => {
      frozen = true
      if (lost?.then === 'cut') client.destroy()
      lost?.done()
    }
    const passes = (from: Socket, data: Buffer): boolean => {
      if (frozen) return false
      if (from === client && losing !== undefined && COMMITS.some((commit) => data.includes(commit))) {
        lost = losing
        losing = undefined
        if (lost.lost === 'request') lose()
        return !frozen
      }
      if (from === upstream && lost !== undefined) {
        if (data.includes('COMMIT\0')) lose()
        return false
      }
      return true
    }
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (data: Buffer) => {
        if (passes(from, data)) to.write(data)
      })
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
    loseCommit(lost, then) {
      const { promise, resolve: done } = Promise.withResolvers<void>()
      losing = { lost, then, done }
      return promise
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}
