import type { Selectable } from 'kysely'
import type { Role } from '../domain/user.ts'
import type { Db } from './database.ts'
import type { Schema } from './schema.ts'

/** Leave to sign up, or to join a team, for whoever can read that address's mail. */
export interface Invitation {
  readonly id: string
  readonly email: string
  /** Null: to the instance alone. */
  readonly teamId: string | null
  readonly role: Role
  readonly invitedBy: string | null
  readonly createdAt: number
  readonly expiresAt: number
}

export async function insertInvitation(db: Db, invitation: Invitation): Promise<void> {
  await db
    .insertInto('invitations')
    .values({
      id: invitation.id,
      email: invitation.email,
      team_id: invitation.teamId,
      role: invitation.role,
      invited_by: invitation.invitedBy,
      created_at: invitation.createdAt,
      expires_at: invitation.expiresAt,
    })
    .execute()
}

export async function findInvitationsTo(db: Db, email: string, now: number): Promise<Invitation[]> {
  const rows = await db
    .selectFrom('invitations')
    .selectAll()
    .where('email', '=', email)
    .where('expires_at', '>', now)
    .execute()
  return rows.map(fromRow)
}

/** Open invitations to a team, or (null) to the instance alone. */
export async function findInvitations(db: Db, teamId: string | null, now: number): Promise<Invitation[]> {
  const rows = await db
    .selectFrom('invitations')
    .selectAll()
    .where('team_id', teamId === null ? 'is' : '=', teamId)
    .where('expires_at', '>', now)
    .orderBy('id')
    .execute()
  return rows.map(fromRow)
}

/** Says whether there was such an invitation. */
export async function deleteInvitation(db: Db, id: string, teamId: string | null): Promise<boolean> {
  const result = await db
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where('team_id', teamId === null ? 'is' : '=', teamId)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

export async function deleteInvitationsTo(db: Db, email: string): Promise<void> {
  await db.deleteFrom('invitations').where('email', '=', email).execute()
}

function fromRow(row: Selectable<Schema['invitations']>): Invitation {
  return {
    id: row.id,
    email: row.email,
    teamId: row.team_id,
    role: row.role,
    invitedBy: row.invited_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
