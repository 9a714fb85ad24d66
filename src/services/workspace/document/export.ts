import type { Assignment } from '../../../domain/bookings/assignment.ts'
import type { Booking } from '../../../domain/bookings/booking.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import type { SeriesPlace } from '../../../domain/bookings/series.ts'
import type { Absence } from '../../../domain/event-types/absence.ts'
import type { EventType } from '../../../domain/event-types/event-type.ts'
import type { RoutingForm, Target } from '../../../domain/forms/routing.ts'
import { MINUTE } from '../../../domain/interval.ts'
import type { Message } from '../../../domain/messages/message.ts'
import { factsOf } from '../../../domain/payments/payment.ts'
import { imageIdOf } from '../../../domain/people/image.ts'
import type { Scheduler } from '../../../domain/people/scheduler.ts'
import { isGone, type User } from '../../../domain/people/user.ts'
import { Problem } from '../../../domain/problem.ts'
import { english } from '../../../domain/sentence.ts'
import { findClaims } from '../../../store/bookings/claims.ts'
import { findBlockedEntries } from '../../../store/bookings/guests/blocked-guests.ts'
import { findBookingPage } from '../../../store/bookings/list.ts'
import type { Db } from '../../../store/engine/database.ts'
import { findAbsencePage } from '../../../store/event-types/absences.ts'
import { findEventTypes, findHostSeats } from '../../../store/event-types/event-types.ts'
import { findSchedules, type NamedSchedule } from '../../../store/event-types/schedules.ts'
import { findFormPage } from '../../../store/forms/forms.ts'
import { findMessagesOf } from '../../../store/messages/messages.ts'
import { findAttributes } from '../../../store/people/attributes.ts'
import { findImage } from '../../../store/people/images.ts'
import { findTeamMembers, type TeamMember } from '../../../store/people/members.ts'
import { findSchedulerBySlug } from '../../../store/people/schedulers.ts'
import { findTeamRules } from '../../../store/people/teams.ts'
import { findUser } from '../../../store/people/users.ts'
import { beginSnapshot } from '../../../store/workspace/dump.ts'
import { takesTime } from './check-meetings.ts'
import {
  FORMAT,
  formatTime,
  VERSION,
  type Workspace,
  type WorkspaceBooking,
  type WorkspaceClaim,
  type WorkspaceEventType,
  type WorkspaceForm,
  type WorkspaceMessage,
  type WorkspaceTarget,
  type WorkspaceUser,
} from './document.ts'

export const PAGE = 500

/** Limited, because an import reads the whole file into memory. */
const MAX_BOOKINGS = 100_000

/** The owners to export, by slug. */
interface ExportOptions {
  readonly users: readonly string[]
  readonly teams: readonly string[]
  readonly withBookings: boolean
}

/**
 * Everything that these users and teams own, at one moment.
 *
 * Team members and hosts of exported bookings are included too, with their pages and schedules only.
 */
export function exportWorkspace(db: Db, options: ExportOptions, now: number): Promise<Workspace> {
  return atOneMoment(db, (snapshot) => collectWorkspace(snapshot, options, now))
}

/** Runs `read` on the database as it is now, whatever is written meanwhile. */
export async function atOneMoment<T>(db: Db, read: (snapshot: Db) => Promise<T>): Promise<T> {
  const trx = await beginSnapshot(db)
  try {
    return await read(trx)
  } finally {
    await trx.rollback().execute()
  }
}

/** As `exportWorkspace`, from a snapshot. */
export async function collectWorkspace(
  snapshot: Db,
  options: ExportOptions,
  now: number,
): Promise<Workspace> {
  const people = new People(snapshot)
  const owners = await findOwners(snapshot, options)
  const owned = new Map<string, Owned>()
  for (const owner of owners) owned.set(owner.id, await readOwned(snapshot, owner, people))
  const teams: Workspace['teams'] = []
  for (const owner of owners) {
    if (owner.kind === 'user') await people.emailOf(owner.id)
    else
      teams.push({
        ...(await pageOf(snapshot, owner)),
        members: await membersOf(snapshot, owner, people),
        ...(await attributesOf(snapshot, owner)),
        ...((await findTeamRules(snapshot, owner.id)).membersSeeAll && { membersSeeAll: true }),
        ...getOwned(owned, owner),
      })
  }
  const meetings = options.withBookings
    ? await meetingsOf(snapshot, owners, people)
    : { bookings: [], claims: [] }
  const users: WorkspaceUser[] = []
  for (const user of people
    .all()
    .toSorted((a, b) => by('email')({ email: addressOf(a) }, { email: addressOf(b) })))
    users.push(await userOf(snapshot, user, getOwned(owned, user)))
  return { format: FORMAT, version: VERSION, exportedAt: formatTime(now), users, teams, ...meetings }
}

async function findOwners(db: Db, { users, teams }: ExportOptions): Promise<Scheduler[]> {
  const wanted = [
    ...users.map((slug) => ({ slug, kind: 'user' as const })),
    ...teams.map((slug) => ({ slug, kind: 'team' as const })),
  ]
  const owners = new Map<string, Scheduler>()
  for (const { slug, kind } of wanted) {
    const owner = await findSchedulerBySlug(db, slug)
    if (owner?.kind !== kind) throw new Problem('not_found', english`There is no ${kind} "${slug}".`)
    owners.set(owner.id, owner)
  }
  return [...owners.values()]
}

/** All users that the workspace mentions. */
class People {
  readonly #db: Db
  readonly #users = new Map<string, User>()

  constructor(db: Db) {
    this.#db = db
  }

  async emailOf(id: string): Promise<string> {
    let user = this.#users.get(id)
    if (user === undefined) {
      user = await findUser(this.#db, id)
      if (user === undefined) throw new Problem('not_found', english`There is no user ${id}.`)
      this.#users.set(id, user)
    }
    return addressOf(user)
  }

  all(): User[] {
    return [...this.#users.values()]
  }
}

/** People are identified by address. A host who has deleted their account has none, but past meetings refer to them. */
const addressOf = ({ email, slug }: User) => email || `${slug}@deleted.invalid`

type Owned = Pick<WorkspaceUser, 'eventTypes' | 'routingForms' | 'blocklist' | 'messages'>

const getOwned = (owned: ReadonlyMap<string, Owned>, { id }: Scheduler): Owned =>
  owned.get(id) ?? { eventTypes: [], routingForms: [], blocklist: [] }

async function readOwned(db: Db, owner: Scheduler, people: People): Promise<Owned> {
  const eventTypes = await findEventTypes(db, owner.id)
  const exported: WorkspaceEventType[] = []
  for (const eventType of eventTypes) exported.push(await eventTypeOf(db, eventType, people))
  const slugs = new Map(eventTypes.map(({ id, slug }) => [id, slug]))
  const forms = await readAll<RoutingForm>((after) =>
    findFormPage(db, [owner.id], { after: after?.id, limit: PAGE }),
  )
  const formSlugs = new Map(forms.map(({ id, slug }) => [id, slug]))
  const messages = (await findMessagesOf(db, [owner.id])).flatMap((message) =>
    messageOf(message, slugs, formSlugs),
  )
  return {
    eventTypes: exported,
    routingForms: forms.toSorted(by('slug')).map((form) => formOf(form, slugs)),
    blocklist: await findBlockedEntries(db, [owner.id]),
    ...(messages.length > 0 && { messages: messages.toSorted(by('name')) }),
  }
}

type Slugs = ReadonlyMap<string, string>

/** A message for event types or forms that are all gone is never sent: without them, it would be about all. */
function messageOf(message: Message, eventTypes: Slugs, forms: Slugs): WorkspaceMessage[] {
  const { id, schedulerId, createdAt, eventTypeIds, formIds, texts, ...content } = message
  const slugsOf = (ids: readonly string[], slugs: Slugs) => ids.flatMap((one) => slugs.get(one) ?? [])
  const about = { eventTypes: slugsOf(eventTypeIds, eventTypes), forms: slugsOf(formIds, forms) }
  const isGone =
    (eventTypeIds.length > 0 && about.eventTypes.length === 0) ||
    (formIds.length > 0 && about.forms.length === 0)
  return isGone ? [] : [{ ...content, ...about, texts: { ...texts } }]
}

async function eventTypeOf(db: Db, eventType: EventType, people: People): Promise<WorkspaceEventType> {
  // Calendars are not exported, so neither is the choice of one.
  const { id, schedulerId, scheduleId, writeToCalendarId, ...rest } = eventType
  const hosts: WorkspaceEventType['hosts'] = []
  for (const { hostId, balance, ...seat } of await findHostSeats(db, id)) {
    hosts.push({ email: await people.emailOf(hostId), ...seat, ...(balance !== 0 && { balance }) })
  }
  return { ...rest, schedule: scheduleId, hosts: hosts.toSorted(by('email')) }
}

function formOf(form: RoutingForm, slugs: ReadonlyMap<string, string>): WorkspaceForm {
  const { slug, name, description, fields, rules, abuse, keepPersonalDataDays } = form
  const fallback = targetOf(form.fallback, slugs)
  if (fallback === undefined) {
    throw new Problem(
      'invalid',
      english`The form "${slug}" falls back to an event type that is gone: give it another fallback first.`,
    )
  }
  // A rule whose event type was deleted never matches.
  const valid = rules.flatMap(({ when, target }) => {
    const exported = targetOf(target, slugs)
    return exported === undefined ? [] : [{ when, target: exported }]
  })
  const tests = form.tests.flatMap(({ expect, ...test }) => {
    const exported = targetOf(expect, slugs)
    return exported === undefined ? [] : [{ ...test, expect: exported }]
  })
  const kept = { abuse, tests, keepPersonalDataDays }
  return { slug, name, description, fields, rules: valid, fallback, ...kept } as WorkspaceForm
}

function targetOf(target: Target, slugs: ReadonlyMap<string, string>): WorkspaceTarget | undefined {
  if (target.action !== 'routeToEvent') return target
  const eventType = slugs.get(target.eventTypeId)
  if (eventType === undefined) return undefined
  const { eventTypeId: _, ...choice } = target
  return { ...choice, eventType }
}

type Team = Workspace['teams'][0]

async function membersOf(db: Db, team: Scheduler, people: People): Promise<Team['members']> {
  const members = await readAll<TeamMember>((after) =>
    findTeamMembers(db, team.id, { after: after?.userId, limit: PAGE }),
  )
  for (const { userId } of members) await people.emailOf(userId)
  return members.toSorted(by('email')).map(({ email, role, attributes }) => ({
    email,
    role,
    ...(isFilled(attributes) && { attributes }),
  })) as Team['members']
}

async function attributesOf(db: Db, team: Scheduler): Promise<Partial<Team>> {
  const attributes = await findAttributes(db, team.id)
  return isFilled(attributes) ? ({ attributes } as Partial<Team>) : {}
}

const isFilled = (content: object) => Object.keys(content).length > 0

async function userOf(db: Db, user: User, owned: Owned): Promise<WorkspaceUser> {
  const schedules = await readAll<NamedSchedule>((after) =>
    findSchedules(db, user.id, { after: after?.id, limit: PAGE }),
  )
  const absences = await readAll<Absence>((after) =>
    findAbsencePage(db, user.id, { after: after && { at: after.endsAt, id: after.id }, limit: PAGE }),
  )
  return {
    email: addressOf(user),
    ...(await pageOf(db, user)),
    disabled: user.disabledAt !== null,
    ...(user.timeFormat !== 'auto' && { timeFormat: user.timeFormat }),
    ...(user.weekStart !== 'auto' && { weekStart: user.weekStart }),
    schedules: schedules
      .toSorted(by('name'))
      .map(({ id, name, timeZone, weekly, overrides, isDefault, confirmed }) => {
        return { id, name, timeZone, weekly, overrides, isDefault, ...(!confirmed && { confirmed }) }
      }) as WorkspaceUser['schedules'],
    absences: await Promise.all(
      absences.map(async ({ startsAt, endsAt, note, redirectTo }) => {
        const standIn = redirectTo === null ? undefined : await findUser(db, redirectTo)
        return {
          startTime: formatTime(startsAt),
          endTime: formatTime(endsAt),
          note,
          ...(standIn && !isGone(standIn) && { redirectTo: standIn.email }),
        }
      }),
    ),
    ...owned,
  }
}

async function pageOf(db: Db, scheduler: Scheduler) {
  const { slug, name, bio, avatarUrl, timeZone, locale, germanAddress, theme, branding } = scheduler
  return {
    slug,
    name,
    bio,
    avatarUrl: await pictureOf(db, avatarUrl),
    timeZone,
    locale,
    theme,
    ...(germanAddress !== 'sie' && { germanAddress }),
    branding: { ...branding, logoUrl: await pictureOf(db, branding.logoUrl) },
  }
}

/** The picture itself if it was uploaded here, as a `data:` address. */
async function pictureOf(db: Db, address: string): Promise<string> {
  const id = imageIdOf(address)
  if (id === undefined) return address
  const image = await findImage(db, id)
  return image === undefined ? '' : `data:${image.type};base64,${image.bytes.toString('base64')}`
}

async function meetingsOf(
  db: Db,
  owners: readonly Scheduler[],
  people: People,
): Promise<Pick<Workspace, 'bookings' | 'claims'>> {
  const addresses = new Map<string, string>()
  const hosts = new Map<string, readonly string[]>()
  for (const owner of owners) {
    for (const { id, slug } of await findEventTypes(db, owner.id)) {
      addresses.set(id, `${owner.slug}/${slug}`)
      hosts.set(
        id,
        (await findHostSeats(db, id)).map(({ hostId }) => hostId),
      )
    }
  }
  const claimed = await findClaims(db, [...addresses.keys()])
  const attending = Map.groupBy(claimed, ({ claim }) => claim.meetingId)
  /** Those who attend a meeting, and no longer host its event type. */
  const formerHostsOf = async ({ booking, hostId }: ListedBooking): Promise<string[]> => {
    const known = new Set([hostId, ...(hosts.get(booking.eventTypeId) ?? [])])
    const former = (attending.get(booking.meetingId) ?? []).filter((one) => !known.has(one.hostId))
    return (await Promise.all(former.map((one) => people.emailOf(one.hostId)))).toSorted()
  }
  const bookings: Workspace['bookings'] = []
  const listedBookings = (await findBookings(db, owners)).filter(({ booking }) => !isUndecided(booking))
  for (const listed of listedBookings) {
    const { booking, hostId, seat, seats, assignment, hostNotes } = listed
    const formerHosts = await formerHostsOf(listed)
    const { status, invitee, guests, location, notes, customFields, source, utm, sequence, reason, series } =
      booking
    bookings.push({
      eventType: addresses.get(booking.eventTypeId) as string,
      meeting: booking.meetingId,
      host: await people.emailOf(hostId),
      seat,
      seats,
      status,
      startTime: formatTime(booking.startsAt),
      endTime: formatTime(booking.endsAt),
      invitee,
      location,
      notes,
      customFields,
      source,
      createdTime: formatTime(booking.createdAt),
      sequence,
      reason,
      utm,
      ...(guests.length > 0 && { guests: [...guests] }),
      ...(formerHosts.length > 0 && { formerHosts }),
      ...(hostNotes !== undefined && { hostNotes }),
      ...(booking.metadata && { metadata: { ...booking.metadata } }),
      ...(booking.uid !== undefined && { uid: booking.uid }),
      ...(booking.payment && { payment: factsOf(booking.payment) }),
      ...(series && { series: seriesOf(series) }),
      ...(assignment && { assignment: await assignmentOf(assignment, people) }),
    })
  }
  const meetings = new Set(bookings.filter(takesTime).map(({ meeting }) => meeting))
  const claims: Workspace['claims'] = []
  for (const { hostId, claim } of claimed.filter(({ claim }) => meetings.has(claim.meetingId))) {
    claims.push({
      eventType: addresses.get(claim.eventTypeId) as string,
      meeting: claim.meetingId,
      host: await people.emailOf(hostId),
      startTime: formatTime(claim.startsAt),
      endTime: formatTime(claim.endsAt),
      bufferBeforeMinutes: claim.bufferBefore / MINUTE,
      bufferAfterMinutes: claim.bufferAfter / MINUTE,
    })
  }
  return {
    bookings: bookings.toSorted((a, b) => byStart(a, b) || a.seat - b.seat),
    claims: claims.toSorted((a, b) => byStart(a, b) || by('host')(a, b)),
  }
}

/** It is booked or free within minutes, here: another instance would wait for its payment forever. */
const isUndecided = ({ status }: Booking) => status === 'PendingPayment'

async function assignmentOf({ hostId, reason, detail, changes }: Assignment, people: People) {
  const named: { host: string; by: number }[] = []
  for (const [id, change] of Object.entries(changes)) {
    named.push({ host: await people.emailOf(id), by: change })
  }
  return { reason, detail, host: await people.emailOf(hostId), changes: named.toSorted(by('host')) }
}

const seriesOf = ({ firstAt, ...place }: SeriesPlace) => ({ ...place, firstTime: formatTime(firstAt) })

async function findBookings(db: Db, owners: readonly Scheduler[]): Promise<ListedBooking[]> {
  const all = owners.map(({ id }) => ({ schedulerId: id }))
  const everything = { statuses: [], order: 'asc' } as const
  const bookings = await readAll<ListedBooking>(async (last, count) => {
    if (count > MAX_BOOKINGS) {
      throw new Problem(
        'invalid',
        english`There are more than ${MAX_BOOKINGS} bookings: use backup and restore instead.`,
      )
    }
    const after = last && { at: last.booking.startsAt, id: last.booking.id }
    return (await findBookingPage(db, all, { ...everything, ...(after && { after }) }, PAGE)).found
  })
  return bookings
}

/** Sorts by a field that people can read; ids of one millisecond have no order. */
const by =
  <K extends string>(key: K) =>
  (a: Readonly<Record<K, string>>, b: Readonly<Record<K, string>>) =>
    a[key] < b[key] ? -1 : Number(a[key] > b[key])

const byStart = (a: WorkspaceClaim | WorkspaceBooking, b: WorkspaceClaim | WorkspaceBooking) =>
  by('startTime')(a, b) || by('eventType')(a, b)

/** Reads pages of `PAGE` until one is not full. */
export async function readAll<T>(
  readPage: (last: T | undefined, count: number) => Promise<readonly T[]>,
): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const page = await readPage(all.at(-1), all.length)
    all.push(...page)
    if (page.length < PAGE) return all
  }
}
