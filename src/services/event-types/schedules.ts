import type { PageRequest } from '../../domain/cursor.ts'
import { checkSchedule } from '../../domain/event-types/hours.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { checkName } from '../../domain/text.ts'
import { canonicalZone } from '../../domain/zone.ts'
import type { Db } from '../../store/engine/database.ts'
import {
  clearDefaultSchedule,
  deleteSchedule,
  findSchedule,
  findSchedules,
  findScheduleUses,
  insertSchedule,
  type NamedSchedule,
  updateSchedule,
} from '../../store/event-types/schedules.ts'
import { newId } from '../../store/new-id.ts'
import { change, changedFields, type VersionOf } from '../change.ts'
import type { Context } from '../context.ts'
import { getId, notFound, readIdPage } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'

export type ScheduleInput = Partial<Omit<NamedSchedule, 'id' | 'userId' | 'confirmed'>>

export async function listSchedules(
  context: Context,
  principal: Principal,
  page: PageRequest,
): Promise<NamedSchedule[]> {
  return findSchedules(context.db, principal.userId, readIdPage(page))
}

export async function getSchedule(db: Db, principal: Principal, id: string): Promise<NamedSchedule> {
  const schedule = await findSchedule(db, principal.userId, getId(id))
  if (schedule === undefined) throw notFound()
  return schedule
}

export async function createSchedule(
  context: Context,
  principal: Principal,
  input: ScheduleInput & Pick<NamedSchedule, 'name' | 'timeZone'>,
): Promise<NamedSchedule> {
  const { userId } = principal
  const schedule: NamedSchedule = {
    weekly: {},
    overrides: {},
    isDefault: false,
    ...input,
    timeZone: canonicalZone(input.timeZone) ?? input.timeZone,
    id: newId(),
    userId,
    confirmed: true,
  }
  check(schedule)
  return change(context, principal, userId, async (trx) => {
    if (schedule.isDefault) await clearDefaultSchedule(trx, userId)
    await insertSchedule(trx, schedule)
    const audit = { ...about(schedule), action: 'created', changes: Object.keys(input) }
    return { result: schedule, audit, affects: [userId] }
  })
}

export async function changeSchedule(
  context: Context,
  principal: Principal,
  { id, expect }: VersionOf<NamedSchedule>,
  input: ScheduleInput,
): Promise<NamedSchedule> {
  const { userId } = principal
  return change(context, principal, userId, async (trx) => {
    const before = await getSchedule(trx, principal, id)
    expect(before)
    const { timeZone = before.timeZone } = input
    const after: NamedSchedule = {
      ...before,
      ...input,
      timeZone: canonicalZone(timeZone) ?? timeZone,
      id: before.id,
      userId,
      confirmed: true,
    }
    check(after)
    if (before.isDefault && !after.isDefault) {
      const reason = sentence`One schedule must be the default. Make another one the default instead.`
      throw new Problem('invalid', reason, { field: 'isDefault' })
    }
    if (after.isDefault && !before.isDefault) await clearDefaultSchedule(trx, userId)
    await updateSchedule(trx, after)
    const audit = { ...about(after), action: 'updated', changes: changedFields(before, after) }
    return { result: after, audit, affects: [userId] }
  })
}

export async function removeSchedule(
  context: Context,
  principal: Principal,
  { id, expect }: VersionOf<NamedSchedule>,
): Promise<void> {
  const { userId } = principal
  await change(context, principal, userId, async (trx) => {
    const schedule = await getSchedule(trx, principal, id)
    expect(schedule)
    if (schedule.isDefault) {
      throw new Problem('in_use', sentence`This is the default schedule. Make another one the default first.`)
    }
    const uses = await findScheduleUses(trx, schedule.id)
    if (uses.length > 0) throw new Problem('in_use', sentence`This schedule is used by: ${uses}.`)
    await deleteSchedule(trx, schedule.id)
    const audit = { ...about(schedule), action: 'deleted', changes: [] }
    return { result: undefined, audit, affects: [userId] }
  })
}

export function check(schedule: NamedSchedule): void {
  checkName(schedule.name)
  checkSchedule(schedule)
}

const about = ({ id, userId }: NamedSchedule) => ({
  schedulerId: userId,
  objectType: 'schedule',
  objectId: id,
})
