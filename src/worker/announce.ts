import type { ChangeRecord } from '../domain/bookings/change.ts'
import { type Announcement, announceChanges, type Channel } from '../services/bookings/announce.ts'
import type { Context } from '../services/context.ts'
import type { Handler } from './handler.ts'

interface Waiting {
  readonly announcement: Announcement
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Spreads the news of changes to bookings over these channels; those that begin together, together. */
export function announcing(channels: readonly Channel[]): Handler {
  const waiting = new Map<Context, Waiting[]>()

  const spread = async (context: Context) => {
    const together = waiting.get(context) ?? []
    waiting.delete(context)
    try {
      const announcements = together.map(({ announcement }) => announcement)
      const outcomes = await announceChanges(context, announcements, channels)
      for (const [i, { resolve, reject }] of together.entries()) {
        const outcome = outcomes[i]
        if (outcome?.status === 'fulfilled') resolve()
        else reject(outcome?.reason)
      }
    } catch (error) {
      for (const { reject } of together) reject(error)
    }
  }

  return (context, job) =>
    new Promise((resolve, reject) => {
      const announcement = { jobId: job.id, record: job.data as ChangeRecord }
      const together = waiting.get(context)
      together?.push({ announcement, resolve, reject })
      if (together !== undefined) return
      waiting.set(context, [{ announcement, resolve, reject }])
      // The worker begins what it has taken in one go.
      setImmediate(() => spread(context))
    })
}
