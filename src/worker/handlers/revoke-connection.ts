import { revokeAccess } from '../../services/calendars/revoke.ts'
import type { Context } from '../../services/context.ts'
import { removeHook } from '../../services/payments/connect-account.ts'
import type { JobOf } from '../handler.ts'

/** Revokes the access of a connection that a host has disconnected. */
export async function revokeConnection(context: Context, job: JobOf<'connection-revoke'>): Promise<void> {
  const { data } = job
  await ('hookId' in data ? removeHook(context, data) : revokeAccess(context, data))
}
