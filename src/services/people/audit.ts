import type { PageRequest } from '../../domain/cursor.ts'
import type { AuditEntry } from '../../domain/people/audit.ts'
import { reaches } from '../../domain/people/user.ts'
import { findAuditEntries } from '../../store/people/audit.ts'
import { findRoles } from '../../store/people/members.ts'
import type { Context } from '../context.ts'
import { readIdPage } from './access.ts'
import type { Principal } from './sign-in/principal.ts'

/** Changes to the user and the teams that they manage, newest first. */
export async function listAudit(
  context: Context,
  principal: Principal,
  page: PageRequest,
): Promise<AuditEntry[]> {
  const roles = await findRoles(context.db, principal.userId)
  // The audit shows who was invited and who got which role: only admins may read that.
  const managed = [...roles].filter(([, role]) => reaches(role, 'admin')).map(([teamId]) => teamId)
  return findAuditEntries(context.db, [principal.userId, ...managed], readIdPage(page))
}
