import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from './context.ts'

/** Proves that whoever shows it was given the link to this booking. It lasts as long as the booking. */
export function manageToken({ jwtSecret }: Pick<Context, 'jwtSecret'>, bookingId: string): string {
  // A key of its own: what signs links can never sign anything else.
  const key = createHmac('sha256', jwtSecret).update('manage-links').digest()
  return createHmac('sha256', key).update(`manage:${bookingId}`).digest('base64url')
}

export function isManageToken(
  context: Pick<Context, 'jwtSecret'>,
  bookingId: string,
  token: string,
): boolean {
  const expected = Buffer.from(manageToken(context, bookingId))
  const given = Buffer.from(token)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** The page where a guest looks after their booking. */
export function manageUrl(context: Pick<Context, 'jwtSecret' | 'publicUrl'>, bookingId: string): string {
  return `${context.publicUrl}/booking/${bookingId}?token=${manageToken(context, bookingId)}`
}

/** The same for programs. */
export function manageApiUrl(context: Pick<Context, 'jwtSecret' | 'publicUrl'>, bookingId: string): string {
  return `${context.publicUrl}/api/public/bookings/${bookingId}?token=${manageToken(context, bookingId)}`
}
