import { invalidField, Problem } from '../problem.ts'
import { sentence } from '../sentence.ts'

/** Names of our own pages, present and future, that users and teams cannot take. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(
  `about account admin api app assets auth billing blog booking bookings calendar connections contact d dashboard docs
  embed embed-js event events favicon form forms health healthz help home img images index invite join l
  legal llms login logout manage mcp me metrics new null openapi org privacy profile public readyz reschedule robots
  root router routing scheduling security session settings setup sign-in sign-out sign-up signin signout signup
  sitemap static status support system team teams terms undefined unsubscribe user users v2 verify webhooks well-known
  www`.split(/\s+/),
)

/** Lower-case letters, digits and hyphens, 1 to 64. */
export function isSlug(text: string): boolean {
  return text.length <= 64 && /^[a-z0-9]+(?:-+[a-z0-9]+)*$/.test(text)
}

/** Throws `invalid` unless this is a slug. */
export function checkSlug(slug: string): void {
  if (!isSlug(slug))
    throw invalidField('slug', sentence`{field} must be 1 to 64 lower-case letters, digits and hyphens.`)
}

/** Said while guests who use this slug are led to where its owner went. */
export const formerSlug = (slug: string) =>
  new Problem(
    'slug_taken',
    sentence`"${slug}" is a former address that still leads to the new one. Please choose another.`,
    { field: 'slug' },
  )

export const tooManySlugs = (most: number) =>
  new Problem('in_use', sentence`This page has had ${most} other addresses already. Choose one of them.`, {
    field: 'slug',
  })

export const slugTaken = (slug: string) =>
  new Problem('slug_taken', sentence`"${slug}" is already taken. Please choose another.`, { field: 'slug' })
