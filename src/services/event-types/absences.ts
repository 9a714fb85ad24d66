import { randomUUIDv7 } from 'node:crypto'
import { readCursor } from '../../domain/cursor.ts'
import { type Absence, checkAbsence } from '../../domain/event-types/absence.ts'
import type { Db } from '../../store/engine/database.ts'
import {
  deleteAbsence,
  findAbsence,
  findAbsencePage,
  insertAbsence,
  updateAbsence,
} from '../../store/event-types/absences.ts'
import { change, changedFields } from '../change.ts'
import type { Context } from '../context.ts'
import { getId, notFound } from '../people/access.ts'
import type { Principal } from '../people/principal.ts'

export type AbsenceInput = Partial<Omit<Absence, 'id' | 'userId'>>

/** The user's time off; upcoming entries come before past ones. */
export async function listAbsences(
  context: Context,
  principal: Principal,
  cursor: string | undefined,
  limit: number,
): Promise<Absence[]> {
  return findAbsencePage(context.db, principal.userId, readCursor(cursor), limit)
}

export async function getAbsence(db: Db, principal: Principal, id: string): Promise<Absence> {
  const absence = await findAbsence(db, principal.userId, getId(id))
  if (absence === undefined) throw notFound()
  return absence
}

export async function createAbsence(
  context: Context,
  principal: Principal,
  input: AbsenceInput & Pick<Absence, 'startsAt' | 'endsAt'>,
): Promise<Absence> {
  const { userId } = principal
  const absence: Absence = { note: '', ...input, id: randomUUIDv7(), userId }
  checkAbsence(absence)
  return change(context, principal, userId, async (trx) => {
    await insertAbsence(trx, absence)
    const audit = { ...about(absence), action: 'created', changes: Object.keys(input) }
    return { result: absence, audit, affects: [userId] }
  })
}

/** `expect` throws if the current version is not the one the client saw. */
export async function changeAbsence(
  context: Context,
  principal: Principal,
  id: string,
  input: AbsenceInput,
  expect: (absence: Absence) => void,
): Promise<Absence> {
  const { userId } = principal
  return change(context, principal, userId, async (trx) => {
    const before = await getAbsence(trx, principal, id)
    expect(before)
    const after: Absence = { ...before, ...input, id: before.id, userId }
    checkAbsence(after)
    await updateAbsence(trx, after)
    const audit = { ...about(after), action: 'updated', changes: changedFields(before, after) }
    return { result: after, audit, affects: [userId] }
  })
}

export async function removeAbsence(
  context: Context,
  principal: Principal,
  id: string,
  expect: (absence: Absence) => void,
): Promise<void> {
  const { userId } = principal
  await change(context, principal, userId, async (trx) => {
    const absence = await getAbsence(trx, principal, id)
    expect(absence)
    await deleteAbsence(trx, absence.id)
    const audit = { ...about(absence), action: 'deleted', changes: [] }
    return { result: undefined, audit, affects: [userId] }
  })
}

const about = ({ id, userId }: Absence) => ({ schedulerId: userId, objectType: 'absence', objectId: id })
