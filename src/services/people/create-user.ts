import { chooseLocale, type Language } from '../../domain/languages.ts'
import { isSlug, RESERVED_SLUGS, slugTaken } from '../../domain/people/slug.ts'
import type { User } from '../../domain/people/user.ts'
import { Problem } from '../../domain/problem.ts'
import { english } from '../../domain/sentence.ts'
import type { Trx } from '../../store/engine/database.ts'
import { insertSchedule } from '../../store/event-types/schedules.ts'
import { newId } from '../../store/new-id.ts'
import { insertScheduler, isSlugInUse, isSlugTaken } from '../../store/people/schedulers.ts'
import { findUser, hasAdmin, updateUser } from '../../store/people/users.ts'
import { readTexts } from '../../texts/read.ts'

const NINE_TO_FIVE = [{ opens: '09:00', closes: '17:00' }]

/**
 * Adds a user with a page and working hours. Without a slug, one is derived from the email address.
 *
 * With `confirmedHours: false`, the hours offer nothing until the user has saved them.
 * The first user is an admin, however they are added: otherwise the next stranger to sign up would be one.
 */
export async function createUser(
  trx: Trx,
  given: {
    readonly email: string
    readonly slug?: string
    readonly name?: string
    readonly admin?: boolean
    readonly confirmedHours?: boolean
    readonly locale?: Language
  },
  now: number,
): Promise<User> {
  const slug = given.slug ?? (await freeSlug(trx, given.email))
  if (!isSlug(slug) || RESERVED_SLUGS.has(slug)) {
    throw new Problem(
      'invalid',
      english`"${slug}" cannot be a slug: use 1 to 64 lower-case letters, digits and hyphens, and no word that the service keeps for itself.`,
    )
  }
  if (await isSlugTaken(trx, slug)) throw slugTaken(slug)
  const id = newId()
  const { locale = 'en' } = given
  await insertScheduler(trx, {
    id,
    kind: 'user',
    slug,
    email: given.email,
    name: given.name ?? given.email.slice(0, given.email.indexOf('@')),
    bio: '',
    avatarUrl: '',
    timeZone: 'UTC',
    locale,
    germanAddress: 'sie',
    theme: 'auto',
    branding: { primaryColor: '#2563eb', logoUrl: '' },
    createdAt: now,
  })
  if (given.admin === true || !(await hasAdmin(trx))) await updateUser(trx, id, { admin: true })
  await insertSchedule(trx, {
    ...usualHours(locale),
    id: newId(),
    userId: id,
    timeZone: 'UTC',
    confirmed: given.confirmedHours ?? true,
  })
  return (await findUser(trx, id)) as User
}

/** The default schedule of those who have said nothing about their hours. */
export const usualHours = (locale: string) => ({
  name: readTexts(chooseLocale(undefined, undefined, locale).language, 'labels').workingHours,
  weekly: { 1: NINE_TO_FIVE, 2: NINE_TO_FIVE, 3: NINE_TO_FIVE, 4: NINE_TO_FIVE, 5: NINE_TO_FIVE },
  overrides: {},
  isDefault: true,
})

/** A free slug from the part before the @, with a number if it is taken. */
async function freeSlug(trx: Trx, email: string): Promise<string> {
  const input = email
    .slice(0, email.indexOf('@'))
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 50)
  const stem = isSlug(input) ? input : 'user'
  for (let number = 1; ; number++) {
    const slug = number === 1 ? stem : `${stem}-${number}`
    if (!RESERVED_SLUGS.has(slug) && !(await isSlugInUse(trx, slug))) return slug
  }
}
