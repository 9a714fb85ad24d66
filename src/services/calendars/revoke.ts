import type { Connection } from '../../domain/calendars/connection.ts'
import type { NewJob } from '../../domain/job.ts'
import { revokeToken } from '../../outside/oauth.ts'
import { isConnected, type StoredConnection } from '../../store/calendars/connections.ts'
import type { Context } from '../context.ts'
import { openTokens } from './access-token.ts'

/** The access of a connection that was deleted. */
export interface Revocation {
  readonly connectionId: string
  readonly provider: Connection['provider']
  readonly subject: string
  readonly sealedTokens: string
}

/** The job that ends a deleted connection's access; undefined if the provider has no way to. */
export function revocationJob(
  { providers, now }: Context,
  { id, provider, subject, sealedTokens }: StoredConnection,
): NewJob | undefined {
  if (!providers[provider]?.oauth.revokeUrl) return undefined
  // The tokens stay sealed in the outbox, as they were in their own table.
  const data: Revocation = { connectionId: id, provider, subject, sealedTokens }
  return { kind: 'connection-revoke', lane: null, data, dueAt: now() }
}

/** Ends a deleted connection's access at the provider. */
export async function revokeAccess(context: Context, revocation: Revocation): Promise<void> {
  const { connectionId: id, provider, sealedTokens } = revocation
  const client = context.providers[provider]?.oauth
  const token = openTokens(context, { id, sealedTokens })?.refreshToken
  if (client === undefined || token === undefined) return
  // Google ends all access of the account to this service, and so would end what was connected again since.
  if (await isConnected(context.db, revocation)) return
  await revokeToken(client, token)
}
