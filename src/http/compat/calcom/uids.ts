import { isManageToken, manageToken } from '../../../services/bookings/guest/manage-link.ts'
import type { Context } from '../../../services/context.ts'

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
}

/** A bare id is known to everyone who sees an embed's events, so it opens nothing without a token of its host. */
export function readUid(context: Context, uid: string): ReadUid {
  const id = uid.slice(0, ID_LENGTH)
  const token = uid.slice(ID_LENGTH)
  return { id, isSecret: token.startsWith('_') && isManageToken(context, id, token.slice(1)) }
}
