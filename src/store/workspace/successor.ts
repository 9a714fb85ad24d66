import { sql } from 'kysely'
import type { Role } from '../../domain/people/user.ts'
import type { Trx } from '../engine/database.ts'
import { findEventTypes, isEventSlugInUse } from '../event-types/event-types.ts'
import { findSchedules, insertSchedule } from '../event-types/schedules.ts'
import { findFormsOf, isFormSlugInUse } from '../forms/forms.ts'
import { newId } from '../new-id.ts'
import { updateMemberAttributes } from '../people/attributes.ts'
import { deleteInvitationsBy } from '../people/invitations.ts'
import {
  deleteTeamMember,
  findRole,
  findTeamMember,
  hasOtherOwner,
  insertTeamMember,
  updateRole,
} from '../people/members.ts'
import { GLOBAL_SCOPE } from '../people/old-slugs.ts'
import { shareBalances } from '../people/team-hosts.ts'

/** Who leaves, and who takes over. The caller has locked both, and everyone who owns what they host. */
export interface Succession {
  readonly from: string
  readonly to: string
}

/** Where the successor gets a seat that only the leaver had; elsewhere both of them host. */
interface Seats {
  /** Event types whose seat the successor takes, with its balance. */
  readonly taken: readonly string[]
  /** Event types that the successor hosts already. */
  readonly shared: readonly string[]
}

/** The event types that the leaver hosts, by whether the successor hosts them, too. */
export async function findSeats(trx: Trx, { from, to }: Succession): Promise<Seats> {
  const rows = await trx
    .selectFrom('event_type_hosts')
    .select(['event_type_id', 'host_id'])
    .where('host_id', 'in', [from, to])
    .execute()
  const hostedBy = (id: string) =>
    rows.filter((row) => row.host_id === id).map(({ event_type_id }) => event_type_id)
  const own = new Set(hostedBy(to))
  return {
    taken: hostedBy(from).filter((id) => !own.has(id)),
    shared: hostedBy(from).filter((id) => own.has(id)),
  }
}

/** Ends what is held for guests who are just booking the leaver. */
export async function deleteHoldsOn(trx: Trx, hostId: string): Promise<void> {
  const holds = await trx
    .selectFrom('claims')
    .select('meeting_id')
    .where('host_id', '=', hostId)
    .where('expires_at', 'is not', null)
    .execute()
  const ids = holds.map((row) => row.meeting_id)
  if (ids.length === 0) return
  await trx.deleteFrom('claims').where('meeting_id', 'in', ids).where('expires_at', 'is not', null).execute()
}

/**
 * Gives the leaver's seats in event types to the successor, with weight and balance, and copies of the hours that these
 * event types use. Where both host, the successor keeps their own seat, and attends every meeting if the leaver did.
 */
export async function moveSeats(trx: Trx, succession: Succession, { taken, shared }: Seats): Promise<void> {
  const { from, to } = succession
  await copySchedules(trx, succession, taken)
  for (const id of taken) {
    await trx
      .updateTable('event_type_hosts')
      .set({ host_id: to })
      .where('event_type_id', '=', id)
      .where('host_id', '=', from)
      .execute()
  }
  for (const id of shared) {
    const left = await trx
      .deleteFrom('event_type_hosts')
      .where('event_type_id', '=', id)
      .where('host_id', '=', from)
      .returning('fixed')
      .executeTakeFirst()
    if (left?.fixed === 1) {
      await trx
        .updateTable('event_type_hosts')
        .set({ fixed: 1 })
        .where('event_type_id', '=', id)
        .where('host_id', '=', to)
        .execute()
    }
  }
  if (shared.length > 0) await shareBalances(trx, shared)
  // What is left of the leaver in event types: hours and calendars of theirs.
  await trx
    .updateTable('event_types')
    .set({ schedule_id: null })
    .where('schedule_id', 'in', (eb) => eb.selectFrom('schedules').select('id').where('user_id', '=', from))
    .execute()
  await trx
    .updateTable('event_types')
    .set({ write_to_calendar_id: null })
    .where('write_to_calendar_id', 'in', (eb) =>
      eb.selectFrom('calendars').select('id').where('user_id', '=', from),
    )
    .execute()
  await moveLinkedHosts(trx, succession, [...taken, ...shared])
}

/** Hours belong to one user: an event type keeps its own by a copy that belongs to the successor. */
async function copySchedules(
  trx: Trx,
  { from, to }: Succession,
  eventTypeIds: readonly string[],
): Promise<void> {
  if (eventTypeIds.length === 0) return
  for (const schedule of await findSchedules(trx, from, { limit: 10_000 })) {
    const uses = await trx
      .selectFrom('event_types')
      .select('id')
      .where('schedule_id', '=', schedule.id)
      .where('id', 'in', eventTypeIds)
      .execute()
    if (uses.length === 0) continue
    const copy = { ...schedule, id: newId(), userId: to, isDefault: false }
    await insertSchedule(trx, copy)
    const ids = uses.map(({ id }) => id)
    await trx.updateTable('event_types').set({ schedule_id: copy.id }).where('id', 'in', ids).execute()
  }
}

/** Private links and answers to forms that lead to the leaver lead to the successor. */
async function moveLinkedHosts(
  trx: Trx,
  { from, to }: Succession,
  eventTypeIds: readonly string[],
): Promise<void> {
  if (eventTypeIds.length === 0) return
  const links = await trx
    .selectFrom('private_links')
    .select(['id', 'host_ids'])
    .where('event_type_id', 'in', eventTypeIds)
    .where('host_ids', 'like', `%${from}%`)
    .execute()
  for (const { id, host_ids } of links) {
    await trx
      .updateTable('private_links')
      .set({ host_ids: passOnIds(host_ids, from, to) })
      .where('id', '=', id)
      .execute()
  }
}

const passOnIds = (json: string, from: string, to: string) =>
  JSON.stringify([...new Set((JSON.parse(json) as string[]).map((id) => (id === from ? to : id)))])

/** Lets visitors who have just answered a form book the successor instead of the leaver. */
export async function moveFreshRoutes(trx: Trx, { from, to }: Succession, since: number): Promise<void> {
  await trx
    .updateTable('routing_responses')
    .set({ route: sql`replace(route, ${from}, ${to})` })
    .where('created_at', '>', since)
    .where('booking_id', 'is', null)
    .where('route', 'like', `%${from}%`)
    .execute()
}

/**
 * Makes the successor the owner of the leaver's event types, with all their bookings, and of their forms and blocklist.
 *
 * A slug that the successor uses already gets a number.
 */
export async function moveOwned(trx: Trx, { from, to }: Succession): Promise<void> {
  const last = await trx
    .selectFrom('event_types')
    .select((eb) => eb.fn.max('position').as('position'))
    .where('scheduler_id', '=', to)
    .executeTakeFirst()
  let position = (last?.position ?? -1) + 1
  for (const { id, slug: old } of await findEventTypes(trx, from)) {
    const slug = await freeSlug(old, (one) => isEventSlugInUse(trx, to, one))
    await trx
      .updateTable('event_types')
      .set({ scheduler_id: to, slug, position: position++ })
      .where('id', '=', id)
      .execute()
  }
  for (const { id, slug: old } of await findFormsOf(trx, from)) {
    const slug = await freeSlug(old, (one) => isFormSlugInUse(trx, to, one))
    await trx.updateTable('routing_forms').set({ scheduler_id: to, slug }).where('id', '=', id).execute()
  }
  await trx.updateTable('bookings').set({ scheduler_id: to }).where('scheduler_id', '=', from).execute()
  await trx
    .updateTable('blocked_guests')
    .set({ scheduler_id: to })
    .where('scheduler_id', '=', from)
    .where('entry', 'not in', (eb) =>
      eb.selectFrom('blocked_guests').select('entry').where('scheduler_id', '=', to),
    )
    .execute()
}

async function freeSlug(slug: string, isTaken: (slug: string) => Promise<boolean>): Promise<string> {
  let free = slug
  for (let number = 2; await isTaken(free); number++) free = `${slug.slice(0, 58)}-${number}`
  return free
}

/** Lets the addresses of the leaver's page, present and former ones, lead to the successor's. */
export async function moveAddresses(
  trx: Trx,
  { from, to }: Succession,
  slug: string,
  nameless: string,
): Promise<void> {
  await trx.updateTable('schedulers').set({ slug: nameless }).where('id', '=', from).execute()
  await trx
    .updateTable('old_slugs')
    .set({ target_id: to })
    .where('kind', '=', 'scheduler')
    .where('target_id', '=', from)
    .execute()
  await trx
    .insertInto('old_slugs')
    .values({ kind: 'scheduler', scope: GLOBAL_SCOPE, slug, target_id: to })
    .execute()
  const within = await trx.selectFrom('old_slugs').selectAll().where('scope', '=', from).execute()
  for (const row of within) {
    await trx
      .insertInto('old_slugs')
      .values({ ...row, scope: to })
      // What the successor's own address led to stays.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  await trx.deleteFrom('old_slugs').where('scope', '=', from).execute()
}

/**
 * Takes the leaver out of a team. The successor joins it with the leaver's role and attributes; if they are a member
 * already, both stay as they are, unless the team would have no owner.
 */
export async function moveMembership(
  trx: Trx,
  { from, to }: Succession,
  { teamId, role }: { readonly teamId: string; readonly role: Role },
  now: number,
): Promise<void> {
  const left = await findTeamMember(trx, teamId, from)
  if ((await findRole(trx, teamId, to)) === undefined) {
    await insertTeamMember(trx, { teamId, userId: to, role }, now)
    await updateMemberAttributes(trx, teamId, to, left?.attributes ?? {})
  } else if (role === 'owner' && !(await hasOtherOwner(trx, teamId, from))) {
    await updateRole(trx, teamId, to, 'owner')
  }
  await deleteInvitationsBy(trx, teamId, from)
  await deleteTeamMember(trx, teamId, from)
}
