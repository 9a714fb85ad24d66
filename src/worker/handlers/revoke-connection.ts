import type { Job } from '../../domain/job.ts'
import { type Revocation, revokeAccess } from '../../services/calendars/revoke.ts'
import type { Context } from '../../services/context.ts'

/** Revokes the access of a connection that a host has disconnected. */
export async function revokeConnection(context: Context, job: Job): Promise<void> {
  await revokeAccess(context, job.data as Revocation)
}
