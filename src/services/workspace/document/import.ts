import { isDeepStrictEqual } from 'node:util'
import { checkAbsence } from '../../../domain/event-types/absence.ts'
import { readBlocklistEntry } from '../../../domain/event-types/blocklist.ts'
import { EVENT_TYPE_DEFAULTS, type EventType } from '../../../domain/event-types/event-type.ts'
import { withLocations } from '../../../domain/event-types/location.ts'
import { checkFilteredAttributes } from '../../../domain/forms/form-attributes.ts'
import { checkForm, FORM_DEFAULTS, type FormContent } from '../../../domain/forms/routing.ts'
import { changeValues, checkAttributes } from '../../../domain/people/attributes.ts'
import type { Actor } from '../../../domain/people/audit.ts'
import type { Scheduler } from '../../../domain/people/scheduler.ts'
import { isGone } from '../../../domain/people/user.ts'
import { Problem } from '../../../domain/problem.ts'
import { english } from '../../../domain/sentence.ts'
import { findBlockedEntries, insertBlockedGuest } from '../../../store/bookings/guests/blocked-guests.ts'
import type { Trx } from '../../../store/engine/database.ts'
import { findAbsencePage, insertAbsence } from '../../../store/event-types/absences.ts'
import { type HostSeat, insertEventType } from '../../../store/event-types/event-types.ts'
import { findSchedules, insertSchedule, type NamedSchedule } from '../../../store/event-types/schedules.ts'
import { insertForm } from '../../../store/forms/forms.ts'
import { newId } from '../../../store/new-id.ts'
import { findAttributes, updateAttributes, updateMemberAttributes } from '../../../store/people/attributes.ts'
import { insertTeamMember } from '../../../store/people/members.ts'
import {
  bumpRevisions,
  insertScheduler,
  lockHosts,
  lockSchedulers,
  updateScheduler,
} from '../../../store/people/schedulers.ts'
import { updateTeamRules } from '../../../store/people/teams.ts'
import { findUserByEmail, hasAdmin, updateUser } from '../../../store/people/users.ts'
import { MAX_ENTRIES } from '../../bookings/host/blocklist.ts'
import { recordAudit } from '../../change.ts'
import type { Context } from '../../context.ts'
import { check as checkHosted } from '../../event-types/event-types.ts'
import { check as checkNamed } from '../../event-types/schedules.ts'
import { importImage, replaceImages } from '../../people/images.ts'
import { checkPage } from '../../people/me.ts'
import { readEmail } from '../../people/sign-in/sign-in.ts'
import { checkMeetings } from './check-meetings.ts'
import { readTime, readWorkspace, type WorkspaceTarget } from './document.ts'
import { importMeetings } from './import-meetings.ts'
import { importMessages } from './import-messages.ts'
import { type Owner, resolveOwners } from './resolve-owners.ts'

type UserOwner = Owner & { readonly kind: 'user' }
type TeamOwner = Owner & { readonly kind: 'team' }

/**
 * Imports an exported workspace, all or nothing, and returns its users and teams with their new ids and slugs.
 *
 * Everything gets new ids, and references are kept. A user with the same email address is taken
 * to be the same person: they keep their page, and the rest is added.
 */
export async function importWorkspace(
  context: Context,
  actor: Actor,
  text: string,
  { rename }: { readonly rename: boolean },
): Promise<readonly Pick<Owner, 'id' | 'kind' | 'slug'>[]> {
  const workspace = readWorkspace(text, context.kinds)
  const now = context.now()
  const bookings = checkMeetings(workspace, context.slots.zones, now)
  const owners = await context.db.transaction().execute(async (trx) => {
    // Keeps others from taking a slug or an address between the check and the insert.
    await lockSchedulers(trx)
    const owners = await resolveOwners(trx, workspace, rename)
    const known = owners.flatMap(({ existing }) => existing?.id ?? [])
    await bumpRevisions(trx, known)
    await lockHosts(trx, known)

    const users = owners.filter((owner) => owner.kind === 'user')
    const teams = owners.filter((owner) => owner.kind === 'team')
    const hours = new Hours()
    for (const user of users) await within(user.slug, () => importUser(trx, user, hours, now))
    // Those who stand in are here by now.
    for (const user of users) await within(user.slug, () => importAbsences(trx, user))
    for (const team of teams) await within(team.slug, () => importTeam(trx, team, now))
    const eventTypes = new Map<string, EventType>()
    for (const owner of owners) {
      for (const resolved of owner.eventTypes) {
        const made = await within(`${owner.slug}/${resolved.slug}`, () =>
          importEventType(trx, owner, resolved, hours),
        )
        eventTypes.set(`${owner.given.slug}/${resolved.given.slug}`, made)
      }
      for (const form of owner.forms)
        await within(`${owner.slug}/forms/${form.slug}`, () => importForm(trx, owner, form))
      await within(owner.slug, () => importBlocklist(trx, owner, now))
      await within(`${owner.slug}/messages`, () => importMessages(context, trx, owner))
    }
    const meetings = { bookings, claims: workspace.claims }
    await importMeetings(trx, meetings, eventTypes, (email) => getUserId(trx, email))
    for (const { id, kind } of owners) {
      const audit = { schedulerId: id, objectType: kind, objectId: id, action: 'imported', changes: [] }
      await recordAudit(trx, actor, now, audit)
    }
    return owners
  })
  const ids = owners.map(({ id }) => id)
  context.slots.settingsChanged(ids)
  context.slots.bookingsChanged(ids)
  return owners
}

/** Maps the schedules of the file to the imported ones. */
class Hours {
  readonly ids = new Map<string, string>()
  /** For users who already had a default schedule here: the imported default, by user. */
  readonly brought = new Map<string, string>()
}

async function importUser(trx: Trx, user: UserOwner, hours: Hours, now: number): Promise<void> {
  if (user.existing === undefined) {
    await importPage(trx, user, user.email, now)
    const { timeFormat = 'auto', weekStart = 'auto' } = user.given
    await updateUser(trx, user.id, { timeFormat, weekStart })
    if (user.given.disabled) await updateUser(trx, user.id, { disabledAt: now })
    else if (!(await hasAdmin(trx))) await updateUser(trx, user.id, { admin: true })
  }
  await importSchedules(trx, user, hours)
}

/** A page to be made: what its owner says of it, and what it is called here. */
type GivenPage = Pick<Scheduler, 'id' | 'kind' | 'slug'> & {
  readonly given: Pick<Scheduler, 'name' | 'bio' | 'avatarUrl' | 'timeZone' | 'theme' | 'branding'> & {
    readonly locale: string
    readonly germanAddress?: Scheduler['germanAddress'] | undefined
  }
}

/** Makes the page of a user or team, with the pictures that are in it. */
export async function importPage(
  trx: Trx,
  owner: GivenPage,
  email: string | null,
  createdAt: number,
): Promise<void> {
  const { name, bio, avatarUrl, timeZone, locale, germanAddress = 'sie', theme, branding } = owner.given
  const { id, kind, slug } = owner
  // Pictures refer to their owner, so the page comes first, without those that are in the file.
  const bare: Scheduler = {
    ...{ id, kind, slug, name, bio, timeZone, locale, germanAddress, theme },
    avatarUrl: isPicture(avatarUrl) ? '' : avatarUrl,
    branding: { ...branding, logoUrl: isPicture(branding.logoUrl) ? '' : branding.logoUrl },
  }
  checkPage(bare)
  await replaceImages(trx, id, undefined, bare)
  await insertScheduler(trx, { ...bare, email, createdAt })
  const add = (picture: string, otherwise: string) =>
    isPicture(picture) ? importImage(trx, bare, bytesOf(picture), createdAt) : otherwise
  const page = {
    ...bare,
    avatarUrl: await add(avatarUrl, bare.avatarUrl),
    branding: { ...bare.branding, logoUrl: await add(branding.logoUrl, bare.branding.logoUrl) },
  }
  await updateScheduler(trx, page)
}

const isPicture = (address: string) => address.startsWith('data:')

const bytesOf = (picture: string) => Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64')

async function importSchedules(trx: Trx, user: UserOwner, hours: Hours): Promise<void> {
  const { id: userId, given, existing } = user
  if (given.schedules.filter(({ isDefault }) => isDefault).length !== 1) {
    throw new Problem('invalid', english`One schedule, and only one, must be the default.`)
  }
  const here = existing === undefined ? [] : await findSchedules(trx, userId, { limit: 10_000 })
  for (const schedule of given.schedules) {
    const same = here.find((other) => isDeepStrictEqual(contentOf(other), contentOf(schedule)))
    const made = same ?? {
      ...schedule,
      id: newId(),
      userId,
      isDefault: schedule.isDefault && existing === undefined,
      confirmed: schedule.confirmed ?? true,
    }
    if (same === undefined) {
      checkNamed(made)
      await insertSchedule(trx, made)
    }
    hours.ids.set(schedule.id, made.id)
    if (schedule.isDefault && !made.isDefault) hours.brought.set(userId, made.id)
  }
}

const contentOf = ({
  name,
  timeZone,
  weekly,
  overrides,
}: Omit<NamedSchedule, 'id' | 'userId' | 'confirmed'>) => ({
  name,
  timeZone,
  weekly,
  overrides,
})

async function importAbsences(trx: Trx, { id: userId, given }: UserOwner): Promise<void> {
  const here = await findAbsencePage(trx, userId, { limit: 10_000 })
  for (const { startTime, endTime, note, redirectTo } of given.absences) {
    const standIn = redirectTo === undefined ? undefined : await findUserByEmail(trx, redirectTo)
    const absence = {
      id: newId(),
      userId,
      startsAt: readTime(startTime),
      endsAt: readTime(endTime),
      note,
      redirectTo: standIn?.id ?? null,
    }
    checkAbsence(absence)
    const known = here.some((other) => isDeepStrictEqual({ ...other, id: absence.id }, absence))
    if (!known) await insertAbsence(trx, absence)
  }
}

async function importTeam(trx: Trx, team: TeamOwner, now: number): Promise<void> {
  await importPage(trx, team, null, now)
  const { members, membersSeeAll = false } = team.given
  await updateTeamRules(trx, team.id, { membersSeeAll })
  if (!members.some(({ role }) => role === 'owner'))
    throw new Problem('invalid', english`A team needs an owner.`)
  const attributes = checkAttributes(team.given.attributes ?? [])
  if (attributes.length > 0) await updateAttributes(trx, team.id, attributes)
  for (const { email, role, attributes: given } of members) {
    const userId = await getUserId(trx, email)
    await insertTeamMember(trx, { teamId: team.id, userId, role }, now)
    if (given === undefined) continue
    await updateMemberAttributes(trx, team.id, userId, changeValues(attributes, {}, given))
  }
}

async function importEventType(
  trx: Trx,
  owner: Owner,
  { given, id, slug }: Owner['eventTypes'][0],
  hours: Hours,
): Promise<EventType> {
  const { schedule, hosts, ...content } = given
  const scheduleId = schedule === null ? (hours.brought.get(owner.id) ?? null) : hours.ids.get(schedule)
  if (scheduleId === undefined)
    throw new Problem('invalid', english`There is no schedule "${String(schedule)}" in the file.`)
  const eventType: EventType = {
    ...EVENT_TYPE_DEFAULTS,
    ...content,
    ...withLocations(EVENT_TYPE_DEFAULTS, content),
    id,
    slug,
    schedulerId: owner.id,
    scheduleId,
  }
  const seats: HostSeat[] = []
  for (const { email, ...seat } of hosts) {
    seats.push({ hostId: await getUserId(trx, email), ...seat })
  }
  await checkHosted(trx, eventType, seats)
  await insertEventType(trx, eventType, seats)
  return eventType
}

async function importForm(trx: Trx, owner: Owner, { given, id, slug }: Owner['forms'][0]): Promise<void> {
  const ids = new Map(owner.eventTypes.map((eventType) => [eventType.given.slug, eventType.id]))
  const rules = given.rules.map(({ when, target }) => ({ when, target: targetOf(target, ids) }))
  const fallback = targetOf(given.fallback, ids)
  const tests = given.tests?.map(({ expect, ...test }) => ({ ...test, expect: targetOf(expect, ids) })) ?? []
  const content = { ...FORM_DEFAULTS, ...given, slug, rules, fallback, tests }
  const form = checkForm(content as FormContent)
  checkFilteredAttributes(form, await findAttributes(trx, owner.id))
  await insertForm(trx, { ...form, id, schedulerId: owner.id })
}

function targetOf(target: WorkspaceTarget, ids: ReadonlyMap<string, string>) {
  if (target.action !== 'routeToEvent') return target
  const eventTypeId = ids.get(target.eventType)
  if (eventTypeId === undefined) {
    throw new Problem(
      'invalid',
      english`A target leads to "${target.eventType}", which is no event type of the form’s owner.`,
    )
  }
  const { eventType: _, ...choice } = target
  return { ...choice, eventTypeId }
}

async function importBlocklist(
  trx: Trx,
  { id: schedulerId, given }: Owner,
  createdAt: number,
): Promise<void> {
  const listed = new Set(await findBlockedEntries(trx, [schedulerId]))
  for (const entry of given.blocklist.map((text) => readBlocklistEntry(text))) {
    if (listed.has(entry)) continue
    listed.add(entry)
    await insertBlockedGuest(trx, { id: newId(), schedulerId, entry, createdAt })
  }
  if (listed.size > MAX_ENTRIES)
    throw new Problem('invalid', english`A blocklist has at most ${MAX_ENTRIES} entries.`)
}

async function getUserId(trx: Trx, email: string): Promise<string> {
  const user = await findUserByEmail(trx, readEmail(email))
  if (user === undefined || isGone(user))
    throw new Problem('invalid', english`There is no user ${email}, neither in the file nor here.`)
  return user.id
}

/** Prefixes a refusal with the path of what it is about. */
async function within<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem(error.code, english`${path}: ${error.message}`, { cause: error })
  }
}
