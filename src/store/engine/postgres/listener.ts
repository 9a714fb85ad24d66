import { PostgresClient } from './client.ts'
import { CONNECT_TIMEOUT, whereToConnect } from './pool.ts'

const RECONNECT_DELAY = 1000

export interface Listener {
  readonly url: string
  readonly connectTimeout: number | undefined
}

/**
 * Calls `onNotification` for each notification on `channel` until the returned function is called.
 *
 * It uses a connection of its own, because the pool must not lend out one that listens. A lost connection is
 * opened again, and `onNotification` is called then, too: notifications in between were missed.
 */
export function listen(
  { url, connectTimeout = CONNECT_TIMEOUT }: Listener,
  channel: string,
  onNotification: () => void,
  onError: (error: Error) => void,
): () => Promise<void> {
  const where = whereToConnect(url)
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let client: PostgresClient | undefined

  const connect = () => {
    const current = new PostgresClient({
      ...where,
      connectionTimeoutMillis: connectTimeout,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
    })
    client = current
    let lost = false
    const lose = (error: Error) => {
      if (lost || stopped) return
      lost = true
      onError(error)
      current.end().catch(() => {})
      timer = setTimeout(connect, RECONNECT_DELAY)
    }
    current.on('error', lose)
    current.on('end', () => lose(new Error(`The connection that listens on ${channel} has ended.`)))
    current.on('notification', onNotification)
    current
      .connect()
      .then(() => current.query(`listen ${channel}`))
      .then(onNotification, lose)
  }
  connect()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await client?.end().catch(() => {})
  }
}
