import type { ChangeRecord } from '../domain/booking-change.ts'
import { announceChange, type Channel } from '../services/announce-change.ts'
import type { Handler } from './handlers.ts'

/** Spreads the news of a change to a booking over these channels. */
export const announcing =
  (channels: readonly Channel[]): Handler =>
  (context, job) =>
    announceChange(context, job.id, job.data as ChangeRecord, channels)
