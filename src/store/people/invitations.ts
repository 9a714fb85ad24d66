import type { Selectable } from 'kysely'
import type { Page } from '../../domain/cursor.ts'
import type { Role } from '../../domain/people/user.ts'
import type { Db, Trx } from '../engine/database.ts'
import { pageById } from '../engine/paging.ts'
import type { Schema } from '../engine/schema.ts'

/** Lets the owner of an email address sign up or join a team. */
export interface Invitation {
  readonly id: string
  readonly email: string
  /** Null: only to the instance. */
  readonly teamId: string | null
  readonly role: Role
  readonly invitedBy: string | null
  /** Of the link that creates their account; null: they sign in as usual. */
  readonly tokenHash: string | null
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
      token_hash: invitation.tokenHash,
      created_at: invitation.createdAt,
      expires_at: invitation.expiresAt,
    })
    .execute()
}

/** Open invitations to this address, oldest first. */
export async function findInvitationsTo(db: Db, email: string, now: number): Promise<Invitation[]> {
  const rows = await db
    .selectFrom('invitations')
    .selectAll()
    .where('email', '=', email)
    .where('expires_at', '>', now)
    .orderBy('id')
    .execute()
  return rows.map(fromRow)
}

/** The address that this link invites, if the invitation is still open. */
export async function findInvitedAddress(
  db: Db,
  tokenHash: string,
  now: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('invitations')
    .select('email')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.email
}

/** Open invitations to a team, or (null) only to the instance, oldest first, after the one with id `after`. */
export async function findInvitations(
  db: Db,
  teamId: string | null,
  now: number,
  page: Page,
): Promise<Invitation[]> {
  const rows = await db
    .selectFrom('invitations')
    .selectAll()
    .where('team_id', teamId === null ? 'is' : '=', teamId)
    .where('expires_at', '>', now)
    .$call(pageById(page))
    .execute()
  return rows.map(fromRow)
}

/** Returns whether there was such an invitation. */
export async function deleteInvitation(db: Db, id: string, teamId: string | null): Promise<boolean> {
  const result = await db
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where('team_id', teamId === null ? 'is' : '=', teamId)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** Uses up all open invitations of this address, or the one with this id. Deleting them makes each work once. */
export async function takeInvitationsTo(
  trx: Trx,
  email: string,
  now: number,
  id?: string,
): Promise<Invitation[]> {
  const rows = await trx
    .deleteFrom('invitations')
    .where('email', '=', email)
    .where('expires_at', '>', now)
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .returningAll()
    .execute()
  return rows.map(fromRow)
}

/** Makes this the only invitation of its address to its team, or to the instance. */
export async function replaceInvitation(trx: Trx, invitation: Invitation): Promise<void> {
  const { email, teamId } = invitation
  await trx
    .deleteFrom('invitations')
    .where('email', '=', email)
    .where('team_id', teamId === null ? 'is' : '=', teamId)
    .execute()
  await insertInvitation(trx, invitation)
}

/** Withdraws the invitations to a team that this user sent. */
export async function deleteInvitationsBy(trx: Trx, teamId: string, userId: string): Promise<void> {
  await trx.deleteFrom('invitations').where('team_id', '=', teamId).where('invited_by', '=', userId).execute()
}

function fromRow(row: Selectable<Schema['invitations']>): Invitation {
  return {
    id: row.id,
    email: row.email,
    teamId: row.team_id,
    role: row.role,
    invitedBy: row.invited_by,
    tokenHash: row.token_hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
