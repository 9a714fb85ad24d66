import { type PageRequest, readPage } from '../../domain/cursor.ts'
import {
  type Absence,
  checkAbsence,
  daysOf,
  spanOfDays,
  type WholeDays,
} from '../../domain/event-types/absence.ts'
import { invalidField, Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import type { Zone } from '../../domain/zone.ts'
import type { Db, Trx } from '../../store/engine/database.ts'
import {
  countMeetingsIn,
  deleteAbsence,
  findAbsence,
  findAbsencePage,
  insertAbsence,
  updateAbsence,
} from '../../store/event-types/absences.ts'
import { newId } from '../../store/new-id.ts'
import { findRoles } from '../../store/people/members.ts'
import { findUser } from '../../store/people/users.ts'
import { change, changedFields, type VersionOf } from '../change.ts'
import type { Context } from '../context.ts'
import { getId, isId, notFound } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'

export type AbsenceInput = Partial<Omit<Absence, 'id' | 'userId'>> & { readonly days?: WholeDays }

/** An absence with what the host wants to know about it. */
export interface ListedAbsence extends Absence {
  /** Its days, if it is made of whole days in the host's zone. */
  readonly days: WholeDays | null
  /** Meetings inside. Time off does not cancel them. */
  readonly bookings: number
}

/** The user's time off; upcoming entries come before past ones. */
export async function listAbsences(
  context: Context,
  principal: Principal,
  page: PageRequest,
): Promise<ListedAbsence[]> {
  const found = await findAbsencePage(context.db, principal.userId, readPage(page))
  return withDetails(context, context.db, principal, found)
}

export async function getAbsence(
  context: Context,
  principal: Principal,
  id: string,
  db: Db = context.db,
): Promise<ListedAbsence> {
  const absence = await findAbsence(db, principal.userId, getId(id))
  if (absence === undefined) throw notFound()
  return withDetail(context, db, principal, absence)
}

async function withDetails(
  context: Context,
  db: Db,
  principal: Principal,
  absences: readonly Absence[],
): Promise<ListedAbsence[]> {
  if (absences.length === 0) return []
  const zone = await zoneOf(context, db, principal)
  const counts = await countMeetingsIn(
    db,
    absences.map(({ id }) => id),
  )
  return absences.map((absence) => ({
    ...absence,
    days: daysOf(absence, zone),
    bookings: counts.get(absence.id) ?? 0,
  }))
}

async function withDetail(
  context: Context,
  db: Db,
  principal: Principal,
  absence: Absence,
): Promise<ListedAbsence> {
  const [listed] = await withDetails(context, db, principal, [absence])
  return listed as ListedAbsence
}

async function zoneOf(context: Context, db: Db, { userId }: Principal): Promise<Zone> {
  const user = await findUser(db, userId)
  if (user === undefined) throw notFound()
  return context.slots.zones.get(user.timeZone)
}

export async function createAbsence(
  context: Context,
  principal: Principal,
  { days, ...input }: AbsenceInput,
): Promise<ListedAbsence> {
  const { userId } = principal
  return change(context, principal, userId, async (trx) => {
    const span = days && spanOfDays(days, await zoneOf(context, trx, principal))
    const { startsAt, endsAt } = { ...input, ...span }
    if (startsAt === undefined) throw invalidField('startTime', sentence`{field} is required.`)
    if (endsAt === undefined) throw invalidField('endTime', sentence`{field} is required.`)
    const given = { note: '', redirectTo: null, ...input }
    const absence: Absence = { ...given, startsAt, endsAt, id: newId(), userId }
    checkAbsence(absence)
    await checkStandIn(trx, absence)
    await insertAbsence(trx, absence)
    const audit = { ...about(absence), action: 'created', changes: ['startsAt', 'endsAt', 'note'] }
    return { result: await withDetail(context, trx, principal, absence), audit, affects: [userId] }
  })
}

export async function changeAbsence(
  context: Context,
  principal: Principal,
  { id, expect }: VersionOf<ListedAbsence>,
  { days, ...input }: AbsenceInput,
): Promise<ListedAbsence> {
  const { userId } = principal
  return change(context, principal, userId, async (trx) => {
    const listed = await getAbsence(context, principal, id, trx)
    expect(listed)
    const { days: _days, bookings: _bookings, ...before } = listed
    const span = days && spanOfDays(days, await zoneOf(context, trx, principal))
    const after: Absence = { ...before, ...input, ...span }
    checkAbsence(after)
    if (after.redirectTo !== before.redirectTo) await checkStandIn(trx, after)
    await updateAbsence(trx, after)
    const audit = { ...about(after), action: 'updated', changes: changedFields(before, after) }
    return { result: await withDetail(context, trx, principal, after), audit, affects: [userId] }
  })
}

export async function removeAbsence(
  context: Context,
  principal: Principal,
  { id, expect }: VersionOf<ListedAbsence>,
): Promise<void> {
  const { userId } = principal
  await change(context, principal, userId, async (trx) => {
    const absence = await getAbsence(context, principal, id, trx)
    expect(absence)
    await deleteAbsence(trx, absence.id)
    const audit = { ...about(absence), action: 'deleted', changes: [] }
    return { result: undefined, audit, affects: [userId] }
  })
}

/** Throws `invalid` unless a colleague from one of the user's teams stands in, or nobody. */
async function checkStandIn(trx: Trx, { userId, redirectTo }: Absence): Promise<void> {
  if (redirectTo === null) return
  if (isId(redirectTo) && redirectTo !== userId) {
    const [own, theirs] = [await findRoles(trx, userId), await findRoles(trx, redirectTo)]
    if ([...theirs.keys()].some((teamId) => own.has(teamId))) return
  }
  throw new Problem('invalid', sentence`Choose someone from one of your teams to stand in for you.`, {
    field: 'redirectTo',
  })
}

const about = ({ id, userId }: Absence) => ({ schedulerId: userId, objectType: 'absence', objectId: id })
