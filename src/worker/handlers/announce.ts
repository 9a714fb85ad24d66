import { type Announcement, announceChanges, type Channel } from '../../services/bookings/announce.ts'
import type { Context } from '../../services/context.ts'
import type { HandlerOf } from '../handler.ts'

interface Waiting {
  readonly announcement: Announcement
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Announces changes to bookings on these channels. Announcements that start together share one transaction. */
export function announcing(channels: readonly Channel[]): HandlerOf<'announce'> {
  const waiting = new Map<Context, Waiting[]>()

  const announceAll = async (context: Context) => {
    const batch = waiting.get(context) ?? []
    waiting.delete(context)
    try {
      const announcements = batch.map(({ announcement }) => announcement)
      const outcomes = await announceChanges(context, announcements, channels)
      for (const [i, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[i]
        if (outcome?.status === 'fulfilled') resolve()
        else reject(outcome?.reason)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (context, job) =>
    new Promise((resolve, reject) => {
      const announcement = { jobId: job.id, record: job.data }
      const batch = waiting.get(context)
      batch?.push({ announcement, resolve, reject })
      if (batch !== undefined) return
      waiting.set(context, [{ announcement, resolve, reject }])
      // The worker starts the jobs of one query in the same turn of the event loop.
      setImmediate(() => announceAll(context))
    })
}
