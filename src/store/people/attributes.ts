import type { Attribute, AttributeValues, Importable } from '../../domain/people/attributes.ts'
import type { Db, Trx } from '../engine/database.ts'

/** What a team records about its members. */
export async function findAttributes(db: Db, teamId: string): Promise<Attribute[]> {
  const row = await db
    .selectFrom('team_attributes')
    .select('attributes')
    .where('team_id', '=', teamId)
    .executeTakeFirst()
  return row === undefined ? [] : JSON.parse(row.attributes)
}

export async function updateAttributes(
  trx: Trx,
  teamId: string,
  attributes: readonly Attribute[],
): Promise<void> {
  const row = { attributes: JSON.stringify(attributes) }
  await trx
    .insertInto('team_attributes')
    .values({ team_id: teamId, ...row })
    .onConflict((conflict) => conflict.column('team_id').doUpdateSet(row))
    .execute()
}

export async function updateMemberAttributes(
  trx: Trx,
  teamId: string,
  userId: string,
  values: AttributeValues,
): Promise<void> {
  await trx
    .updateTable('team_members')
    .set({ attributes: JSON.stringify(values) })
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .execute()
}

/** All members of a team with what is set for them, by name. */
export async function findAttributedMembers(db: Db, teamId: string): Promise<Importable[]> {
  const rows = await db
    .selectFrom('team_members as m')
    .innerJoin('schedulers as u', 'u.id', 'm.user_id')
    .select(['m.user_id', 'u.name', 'u.email', 'm.attributes'])
    .where('m.team_id', '=', teamId)
    .orderBy('u.name')
    .orderBy('m.user_id')
    .execute()
  return rows.map((row) => ({
    userId: row.user_id,
    name: row.name,
    email: row.email ?? '',
    attributes: JSON.parse(row.attributes),
  }))
}
