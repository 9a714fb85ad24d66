import type { Trx } from '../../store/engine/database.ts'
import type { Invitation } from '../../store/people/invitations.ts'
import { insertTeamMember } from '../../store/people/members.ts'
import type { Changed } from '../change.ts'

/** Makes a user a member of the team of an invitation that was just used up; returns what to record of it. */
export async function joinTeam(
  trx: Trx,
  userId: string,
  { teamId, role }: Invitation & { readonly teamId: string },
  now: number,
): Promise<Changed<unknown>['audit']> {
  await insertTeamMember(trx, teamId, userId, role, now)
  return {
    schedulerId: teamId,
    action: 'joined',
    objectType: 'team-member',
    objectId: userId,
    changes: ['members'],
  }
}

/** Is it to a team, and not to the instance alone? */
export function isToTeam(invitation: Invitation): invitation is Invitation & { readonly teamId: string } {
  return invitation.teamId !== null
}
