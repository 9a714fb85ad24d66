import { reaches } from '../../domain/people/user.ts'
import { type AuditEntry, findAuditEntries } from '../../store/people/audit.ts'
import { findRoles } from '../../store/people/members.ts'
import type { Context } from '../context.ts'
import { getId } from './access.ts'
import type { Principal } from './principal.ts'

/** What was changed about the user, and about the teams that they manage; newest first. */
export async function listAudit(
  context: Context,
  principal: Principal,
  cursor: string | undefined,
  limit: number,
): Promise<AuditEntry[]> {
  const roles = await findRoles(context.db, principal.userId)
  // It tells who was invited and who appointed whom: for those whose business that is.
  const managed = [...roles].filter(([, role]) => reaches(role, 'admin')).map(([teamId]) => teamId)
  return findAuditEntries(context.db, [principal.userId, ...managed], cursor && getId(cursor), limit)
}
