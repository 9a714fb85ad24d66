import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'

/** The token of a booking's manage link. It proves that its holder got the link, and lasts as long as the booking. */
export function manageToken({ jwtSecret }: Pick<Context, 'jwtSecret'>, bookingId: string): string {
  return createHmac('sha256', keyFrom(jwtSecret)).update(`manage:${bookingId}`).digest('base64url')
}

const keys = new Map<string, Buffer>()

/** A separate key, so that nothing else can be signed with it. Cached, since every booking needs it. */
function keyFrom(secret: string): Buffer {
  let key = keys.get(secret)
  if (key === undefined) {
    key = createHmac('sha256', secret).update('manage-links').digest()
    keys.set(secret, key)
  }
  return key
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

/** The page where a guest manages their booking. */
export function manageUrl(context: Pick<Context, 'jwtSecret' | 'publicUrl'>, bookingId: string): string {
  return `${context.publicUrl}/booking/${bookingId}?token=${manageToken(context, bookingId)}`
}

/** The same booking in the API. */
export function manageApiUrl(context: Pick<Context, 'jwtSecret' | 'publicUrl'>, bookingId: string): string {
  return `${context.publicUrl}/api/public/bookings/${bookingId}?token=${manageToken(context, bookingId)}`
}
