/** How a sign-in at the identity provider can fail; the sign-in page has a sentence for each. */
export const SIGN_IN_OUTCOMES = [
  /** Nothing was begun by this browser, or too long ago, or it was used before. */
  'expired',
  'denied',
  'refused',
  'unavailable',
  'misconfigured',
  'no-email',
  'unverified',
  'disabled',
  /** Signing up is not open to this person. */
  'closed',
] as const

export type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number]

/** The page of the dashboard that is asked for, if it is one: a link must not lead to another site. */
export function dashboardPath(given: string): string {
  return /^\/app(?:\/(?!\/)[\w/?=&%.:-]*)?$/.test(given) && !given.startsWith('/app/sign-in') ? given : '/app'
}
