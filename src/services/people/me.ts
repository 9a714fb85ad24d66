import { isWebAddress } from '../../domain/people/contact.ts'
import { imageIdOf } from '../../domain/people/image.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { checkSlug, RESERVED_SLUGS, slugTaken } from '../../domain/people/slug.ts'
import type { Preferences, Role, User } from '../../domain/people/user.ts'
import { invalidField, Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { checkName, checkProse } from '../../domain/text.ts'
import { canonicalZone } from '../../domain/zone.ts'
import type { Trx } from '../../store/engine/database.ts'
import { findRoles } from '../../store/people/members.ts'
import { GLOBAL_SCOPE, moveSlug } from '../../store/people/old-slugs.ts'
import { findScheduler, isSlugTaken, updateScheduler } from '../../store/people/schedulers.ts'
import { findUser, updateUser } from '../../store/people/users.ts'
import { change, changedFields } from '../change.ts'
import type { Context } from '../context.ts'
import { notFound } from './access.ts'
import { replaceImages } from './images.ts'
import type { Principal } from './sign-in/principal.ts'

export interface Me {
  readonly user: User
  readonly teams: readonly { readonly team: Scheduler; readonly role: Role }[]
}

/** The signed-in user, with the teams they belong to. */
export async function getMe(context: Context, principal: Principal): Promise<Me> {
  const user = await findUser(context.db, principal.userId)
  if (user === undefined) throw notFound()
  const teams: { team: Scheduler; role: Role }[] = []
  for (const [teamId, role] of await findRoles(context.db, user.id)) {
    const team = await findScheduler(context.db, teamId)
    if (team !== undefined) teams.push({ team, role })
  }
  return { user, teams }
}

/** What a user or team may change about their page. */
export type PageChange = Partial<Omit<Scheduler, 'id' | 'kind'>>

/** `expect` throws if the current version is not the one the client saw. */
export async function updateMe(
  context: Context,
  principal: Principal,
  input: PageChange & Partial<Preferences>,
  expect: (me: Me) => void,
): Promise<Me> {
  await change(context, principal, principal.userId, async (trx) => {
    expect(await getMe({ ...context, db: trx }, principal))
    const user = await findUser(trx, principal.userId)
    if (user === undefined) throw notFound()
    const { timeFormat = user.timeFormat, weekStart = user.weekStart, ...page } = input
    const preferences = { timeFormat, weekStart }
    await updateUser(trx, user.id, preferences)
    const changes = [
      ...(await changePage(trx, user, page)),
      ...changedFields({ timeFormat: user.timeFormat, weekStart: user.weekStart }, preferences),
    ]
    const audit = { schedulerId: user.id, action: 'updated', objectType: 'user', objectId: user.id, changes }
    return { result: undefined, audit, affects: [user.id] }
  })
  return getMe(context, principal)
}

/** Changes a page and checks it as a whole. An old slug keeps working. Returns the changed fields. */
export async function changePage(trx: Trx, before: Scheduler, input: PageChange): Promise<string[]> {
  const { timeZone = before.timeZone } = input
  const after: Scheduler = {
    ...before,
    ...input,
    timeZone: canonicalZone(timeZone) ?? timeZone,
    branding: { ...before.branding, ...input.branding },
  }
  checkPage(after)
  const isRenamed = after.slug !== before.slug
  if (isRenamed && (await isSlugTaken(trx, after.slug))) throw slugTaken(after.slug)
  await replaceImages(trx, before.id, before, after)
  await updateScheduler(trx, after)
  if (isRenamed) {
    await moveSlug(trx, {
      kind: 'scheduler',
      scope: GLOBAL_SCOPE,
      targetId: before.id,
      from: before.slug,
      to: after.slug,
    })
  }
  return changedFields(before, after)
}

/** Throws `invalid` with the reason if a page cannot look like this. */
export function checkPage(page: Omit<Scheduler, 'id' | 'kind'>): void {
  checkSlug(page.slug)
  if (RESERVED_SLUGS.has(page.slug)) {
    throw new Problem('invalid', sentence`"${page.slug}" is reserved. Please choose another.`, {
      field: 'slug',
    })
  }
  checkName(page.name)
  checkProse(page.bio, 'bio')
  checkImage(page.avatarUrl, 'avatarUrl')
  if (canonicalZone(page.timeZone) === undefined) {
    throw invalidField('timezone', sentence`{field} must be an IANA time zone such as Europe/Berlin.`)
  }
  const { primaryColor, logoUrl } = page.branding
  if (primaryColor !== '' && !/^#[0-9a-f]{6}$/i.test(primaryColor)) {
    throw invalidField('branding.primaryColor', sentence`{field} must be a colour such as #2563eb, or empty.`)
  }
  checkImage(logoUrl, 'branding.logoUrl')
}

function checkImage(url: string, field: string): void {
  if (url !== '' && imageIdOf(url) === undefined && !isWebAddress(url))
    throw invalidField(field, sentence`{field} must begin with https://, or be empty.`)
}
