import type { Connection } from '../../domain/calendars/connection.ts'
import { revokeToken } from '../../outside/oauth.ts'
import { isConnected } from '../../store/calendars/connections.ts'
import type { Context } from '../context.ts'
import { openTokens } from './access-token.ts'

/** The access of a connection that was deleted. */
export interface Revocation {
  readonly connectionId: string
  readonly provider: Connection['provider']
  readonly subject: string
  readonly sealedTokens: string
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
