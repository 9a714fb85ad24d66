import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context.ts'

/** The token of a booking's manage link. It proves that its holder got the link, and lasts as long as the booking. */
export function manageToken(context: Pick<Context, 'jwtSecret'>, bookingId: string): string {
  return sign(context, `manage:${bookingId}`)
}

/** A token that only the guest's mails contain: using it proves that they read them. */
export function mailedToken(context: Pick<Context, 'jwtSecret'>, bookingId: string): string {
  return sign(context, `mailed:${bookingId}`)
}

function sign({ jwtSecret }: Pick<Context, 'jwtSecret'>, text: string): string {
  return createHmac('sha256', keyFrom(jwtSecret)).update(text).digest('base64url')
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

type Keys = Pick<Context, 'jwtSecret' | 'previousJwtSecret'>

/** Whether this is one of the two tokens. */
export function isManageToken(context: Keys, bookingId: string, token: string): boolean {
  return (
    isSignedToken(context, token, (key) => manageToken(key, bookingId)) ||
    isMailedToken(context, bookingId, token)
  )
}

export function isMailedToken(context: Keys, bookingId: string, token: string): boolean {
  return isSignedToken(context, token, (key) => mailedToken(key, bookingId))
}

/** Guests' links are in mails and calendars, and must outlive a change of the service's secret. */
function isSignedToken(
  { jwtSecret, previousJwtSecret = '' }: Keys,
  token: string,
  signed: (key: Pick<Context, 'jwtSecret'>) => string,
): boolean {
  if (isSame(token, signed({ jwtSecret }))) return true
  return previousJwtSecret !== '' && isSame(token, signed({ jwtSecret: previousJwtSecret }))
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** The uid by which programs of Cal.com know a booking. There, whoever has it opens, moves and cancels the booking. */
export const wholeUid = (context: Pick<Context, 'jwtSecret'>, bookingId: string): string =>
  `${bookingId}_${manageToken(context, bookingId)}`

/** What opens the booking that a uid names; undefined if it is none of ours. */
export function readWholeUid(
  context: Keys,
  uid: string,
): { readonly id: string; readonly token: string } | undefined {
  const [, id = '', token = ''] = /^([\da-f-]{36})_([\w-]+)$/.exec(uid) ?? []
  return isManageToken(context, id, token) ? { id, token } : undefined
}

/** The page where a guest manages their booking. */
export function manageUrl(
  context: Pick<Context, 'jwtSecret' | 'publicUrl'>,
  bookingId: string,
  token = manageToken(context, bookingId),
): string {
  return `${context.publicUrl}/booking/${bookingId}?token=${token}`
}

/** The same booking in the API. */
export function manageApiUrl(context: Pick<Context, 'jwtSecret' | 'publicUrl'>, bookingId: string): string {
  return `${context.publicUrl}/api/public/bookings/${bookingId}?token=${manageToken(context, bookingId)}`
}
