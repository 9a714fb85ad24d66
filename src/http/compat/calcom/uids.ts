import { isManageToken, manageToken } from '../../../services/bookings/guest/manage-link.ts'
import type { Context } from '../../../services/context.ts'
import { findOldBooking } from '../../../services/imports/old-links.ts'

const ID_LENGTH = 36

/**
 * There, whoever has the uid of a booking opens, moves and cancels it. So it is a secret here, too: the id with the token of
 * the guest's own link.
 */
export const uidOf = (context: Context, bookingId: string): string =>
  `${bookingId}_${manageToken(context, bookingId)}`

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
  const id = uid.slice(0, ID_LENGTH)
  const token = uid.slice(ID_LENGTH)
  if (token.startsWith('_') && isManageToken(context, id, token.slice(1)))
    return { id, isSecret: true, isGuess: false }
  const old = await findOldBooking(context, uid)
  return { id: old?.id ?? id, isSecret: old !== undefined, isGuess: true }
}
