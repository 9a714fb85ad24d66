import type { PageRequest } from '../../../domain/cursor.ts'
import { changeValues } from '../../../domain/people/attributes.ts'
import { type Role, reaches } from '../../../domain/people/user.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import type { Db, Trx } from '../../../store/engine/database.ts'
import { findAttributes, updateMemberAttributes } from '../../../store/people/attributes.ts'
import { deleteInvitationsBy } from '../../../store/people/invitations.ts'
import {
  deleteTeamMember,
  findRole,
  findTeamMember,
  findTeamMembers,
  hasOtherOwner,
  type TeamMember,
  updateRole,
} from '../../../store/people/members.ts'
import { deleteTeamHost, findSoleHosted, hideEventTypes } from '../../../store/people/team-hosts.ts'
import { change, type VersionOf } from '../../change.ts'
import type { Context } from '../../context.ts'
import { getId, notFound, readIdPage, requireRole } from '../access.ts'
import type { Principal } from '../sign-in/principal.ts'
import { getTeam } from './teams.ts'

export async function listMembers(
  context: Context,
  principal: Principal,
  teamId: string,
  page: PageRequest,
): Promise<TeamMember[]> {
  const { team } = await getTeam(context.db, principal, teamId)
  return findTeamMembers(context.db, team.id, readIdPage(page))
}

/** A member of one of the user's teams. */
export async function getMember(
  db: Db,
  principal: Principal,
  teamId: string,
  userId: string,
): Promise<TeamMember> {
  const { team } = await getTeam(db, principal, teamId)
  const member = await findTeamMember(db, team.id, getId(userId))
  if (member === undefined) throw notFound()
  return member
}

/** What can be changed about a member. */
interface MemberChange {
  readonly role?: Role
  /** By key; attributes that are left out stay as they are, and null clears. */
  readonly attributes?: Readonly<Record<string, unknown>>
}

/** Which member of which team a change is about, and which version of them. */
interface MemberVersion extends Pick<VersionOf<TeamMember>, 'expect'> {
  readonly teamId: string
  readonly userId: string
}

export async function changeMember(
  context: Context,
  principal: Principal,
  { teamId, userId, expect }: MemberVersion,
  input: MemberChange,
): Promise<TeamMember> {
  return change(context, principal, getId(teamId), async (trx) => {
    const member = await getMember(trx, principal, teamId, userId)
    if (input.role !== undefined) await requireRankOver(trx, principal, { teamId, member }, input.role)
    if (input.attributes !== undefined) await requireRole(trx, principal, teamId, 'admin')
    expect(member)
    if (input.role !== undefined) await giveRole(trx, principal, { teamId, member }, input.role)
    const given = input.attributes ?? {}
    const attributes = changeValues(await findAttributes(trx, teamId), member.attributes, given)
    if (input.attributes !== undefined) await updateMemberAttributes(trx, teamId, userId, attributes)
    const changed = { ...member, attributes, role: input.role ?? member.role }
    const audit = { ...about(teamId, userId), action: 'updated', changes: Object.keys(input) }
    return { result: changed, audit, affects: [] }
  })
}

interface MemberOfTeam {
  readonly teamId: string
  readonly member: TeamMember
}

async function giveRole(
  trx: Trx,
  principal: Principal,
  { teamId, member }: MemberOfTeam,
  wanted: Role,
): Promise<void> {
  if (wanted !== 'owner') await refuseLastOwner(trx, teamId, member, 'role')
  await updateRole(trx, teamId, member.userId, wanted)
  // A demoted member's open invitations are withdrawn, so that none of them leads back to the old role.
  if (!reaches(wanted, member.role)) await withdrawInvitations(trx, principal, teamId, member.userId)
}

/**
 * Removes a member from a team and its event types. They keep the meetings they already have.
 *
 * The only host of an event type cannot be removed, since it would have no slots left. A member may still
 * leave: event types that they alone hosted are then hidden until they have another host.
 */
export async function removeMember(
  context: Context,
  principal: Principal,
  { teamId, userId, expect }: MemberVersion,
): Promise<void> {
  await change(context, principal, getId(teamId), async (trx) => {
    const member = await getMember(trx, principal, teamId, userId)
    const leaving = userId === principal.userId
    if (!leaving) await requireRankOver(trx, principal, { teamId, member })
    expect(member)
    await refuseLastOwner(trx, teamId, member)
    const soleHosted = await findSoleHosted(trx, teamId, userId)
    if (soleHosted.length > 0 && !leaving) {
      const names = soleHosted.map(({ name }) => name)
      throw new Problem(
        'in_use',
        sentence`${member.name} is the only host of: ${names}. Give that another host, or delete it, first.`,
      )
    }
    const ids = soleHosted.map(({ id }) => id)
    await hideEventTypes(trx, ids)
    await deleteTeamHost(trx, teamId, userId)
    await withdrawInvitations(trx, principal, teamId, userId)
    await deleteTeamMember(trx, teamId, userId)
    const audit = {
      ...about(teamId, userId),
      action: leaving ? 'left' : 'removed',
      changes: ids.length > 0 ? ['members', 'hosts', 'hidden'] : ['members', 'hosts'],
    }
    return { result: undefined, audit, affects: [userId] }
  })
}

/**
 * Throws `forbidden` unless the principal's role is high enough for this member and for the wanted role.
 *
 * Admins manage members and admins, owners manage everyone. Users may lower their own role, but not raise it.
 */
async function requireRankOver(
  trx: Trx,
  principal: Principal,
  { teamId, member }: MemberOfTeam,
  wanted: Role = member.role,
): Promise<void> {
  if (member.userId === principal.userId) {
    if (!reaches(member.role, wanted))
      throw new Problem('forbidden', sentence`You cannot raise your own role.`, { field: 'role' })
    return
  }
  const role = await findRole(trx, teamId, principal.userId)
  if (!reaches(role, 'admin'))
    throw new Problem('forbidden', sentence`Only admins and owners of the team can do this.`)
  const ownersOnly = sentence`Only owners of the team can do this.`
  if (!reaches(role, member.role)) throw new Problem('forbidden', ownersOnly)
  if (!reaches(role, wanted)) throw new Problem('forbidden', ownersOnly, { field: 'role' })
}

async function refuseLastOwner(
  trx: Trx,
  teamId: string,
  { userId, role }: TeamMember,
  field?: string,
): Promise<void> {
  if (role !== 'owner' || (await hasOtherOwner(trx, teamId, userId))) return
  throw new Problem('in_use', sentence`A team needs an owner. Make someone else an owner first.`, { field })
}

/** Withdraws the open invitations of a member who is demoted or removed, but not of one who leaves. */
async function withdrawInvitations(
  trx: Trx,
  principal: Principal,
  teamId: string,
  userId: string,
): Promise<void> {
  if (userId !== principal.userId) await deleteInvitationsBy(trx, teamId, userId)
}

const about = (teamId: string, userId: string) => ({
  schedulerId: teamId,
  objectType: 'team-member',
  objectId: userId,
})
