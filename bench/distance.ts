// A network of some milliseconds between the service and its database: a separate process, which passes bytes on later.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { answerParent } from './child.ts'

export interface DistanceQuestion {
  /** The port of the database. */
  readonly port: number
  /** How long a byte takes in each direction. */
  readonly milliseconds: number
}

export interface DistanceAnswer {
  /** The same database, from afar. */
  readonly port: number
}

answerParent(async ({ port, milliseconds }: DistanceQuestion): Promise<DistanceAnswer> => {
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: '127.0.0.1', port, noDelay: true })
    passLater(near, far, milliseconds)
    passLater(far, near, milliseconds)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port }
})

function passLater(from: Socket, to: Socket, milliseconds: number): void {
  from.on('data', (bytes: Buffer) => setTimeout(() => to.write(bytes), milliseconds))
  from.on('close', () => setTimeout(() => to.destroy(), milliseconds))
  // Its close follows.
  from.on('error', () => {})
}
