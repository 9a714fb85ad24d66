import type { Trx } from '../../../store/engine/database.ts'
import type { Invitation } from '../../../store/people/invitations.ts'
import { insertTeamMember } from '../../../store/people/members.ts'
import type { Changed } from '../../change.ts'

/** Adds a user to the team of an invitation that was just consumed; returns the audit entry. */
export async function joinTeam(
  trx: Trx,
  userId: string,
  { teamId, role }: Invitation & { readonly teamId: string },
  now: number,
): Promise<Changed<unknown>['audit']> {
  await insertTeamMember(trx, { teamId, userId, role }, now)
  return {
    schedulerId: teamId,
    action: 'joined',
    objectType: 'team-member',
    objectId: userId,
    changes: ['members'],
  }
}

/** Is the invitation to a team, rather than to the instance alone? */
export function isToTeam(invitation: Invitation): invitation is Invitation & { readonly teamId: string } {
  return invitation.teamId !== null
}
