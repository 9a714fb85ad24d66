import { readWholeUid } from '../../../services/bookings/guest/manage-link.ts'
import type { Context } from '../../../services/context.ts'
import { findOldBooking } from '../../../services/imports/old-links.ts'

const ID_LENGTH = 36

/** The booking that a uid names, and whether the uid is whole. */
export interface ReadUid {
  readonly id: string
  readonly isSecret: boolean
  /** Whether it has no token of ours, so that someone may have guessed it. */
  readonly isGuess: boolean
}

/**
 * A bare id is known to everyone who sees an embed's events, so it opens nothing without a token of its host. The uid that a
 * booking had before it was imported opens it, as there.
 */
export async function readUid(context: Context, uid: string): Promise<ReadUid> {
  const whole = readWholeUid(context, uid)
  if (whole !== undefined) return { id: whole.id, isSecret: true, isGuess: false }
  const old = await findOldBooking(context, uid)
  return { id: old?.id ?? uid.slice(0, ID_LENGTH), isSecret: old !== undefined, isGuess: true }
}
