import type pg from 'pg'
import { CHANNEL } from '../outbox.ts'
import { type Db, poolOf } from './database.ts'

const RECONNECT_AFTER = 1000

/**
 * Calls `onNews` whenever another instance says that there are jobs, until what is returned is called.
 *
 * A connection of its own, because one that listens must not be lent out. One that is lost is made anew;
 * what was said meanwhile was missed, so `onNews` is called then, too. On SQLite nobody else can speak.
 */
export function listenForJobs(
  db: Db,
  onNews: () => void,
  onError: (error: Error) => void,
): () => Promise<void> {
  const pool = poolOf(db)
  if (pool === undefined) return async () => {}
  const { Client } = pool as unknown as { readonly Client: typeof pg.Client }
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let client: pg.Client | undefined

  const connect = () => {
    const mine = new Client({
      connectionString: pool.options.connectionString,
      connectionTimeoutMillis: 2000,
      keepAlive: true,
    })
    client = mine
    let lost = false
    const lose = (error: Error) => {
      if (lost || stopped) return
      lost = true
      onError(error)
      mine.end().catch(() => {})
      timer = setTimeout(connect, RECONNECT_AFTER)
    }
    mine.on('error', lose)
    mine.on('end', () => lose(new Error('The connection that listens for jobs has ended.')))
    mine.on('notification', onNews)
    mine
      .connect()
      .then(() => mine.query(`listen ${CHANNEL}`))
      .then(onNews, lose)
  }
  connect()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await client?.end().catch(() => {})
  }
}
