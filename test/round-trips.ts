import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A distant PostgreSQL: the same server, behind a line on which every answer takes a while. */
export interface DistantDatabase extends AsyncDisposable {
  readonly url: string
  /** How many round trips, one after another, `work` waits for. Nothing else may use the database at the same time. */
  count(work: () => Promise<unknown>): Promise<number>
}

/** Long enough that everything a process sends without waiting has left before the first answer arrives. */
const LATENCY = 25
/** And however slow this process is: turns of its loop in which it can send. */
const TURNS = 20

/**
 * Puts a line with latency in front of a PostgreSQL server.
 *
 * Everything sent before an answer has arrived, over any connection, is one trip.
 */
export async function farAway(url: string): Promise<DistantDatabase> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let trips = 0
  let answered = true
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    client.on('data', (chunk) => {
      if (answered) trips++
      answered = false
      upstream.write(chunk)
    })
    const deliver = (chunk: Buffer, turnsLeft: number) => {
      if (turnsLeft > 0) {
        setImmediate(deliver, chunk, turnsLeft - 1)
        return
      }
      answered = true
      client.write(chunk)
    }
    upstream.on('data', (chunk: Buffer) => setTimeout(deliver, LATENCY, chunk, TURNS))
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const distant = new URL(url)
  distant.port = String((server.address() as AddressInfo).port)
  return {
    url: distant.href,
    async count(work) {
      trips = 0
      answered = true
      await work()
      return trips
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
