import type { Connection } from '../../domain/calendars/connection.ts'
import type { NewJob } from '../../domain/job.ts'
import { refreshGrant, revokeToken } from '../../outside/accounts/oauth.ts'
import { type AccountProvider, ProviderFailure } from '../../outside/accounts/provider.ts'
import type { Channel } from '../../store/calendars/channels.ts'
import { isConnected, type StoredConnection } from '../../store/calendars/connections.ts'
import type { Context } from '../context.ts'
import { accountAt, openTokens, type Tokens } from './access-token.ts'
import { channelsOf } from './channels.ts'

/** The access of a connection that was deleted. */
export interface Revocation {
  readonly connectionId: string
  readonly provider: Connection['provider']
  readonly subject: string
  readonly sealedTokens: string
  /** By which the provider still tells of changes. Jobs of older versions have none. */
  readonly channels?: readonly Channel[]
}

/** The job that ends a deleted connection's channels and access; undefined if there is nothing to end. */
export function revocationJob(
  context: Context,
  { id, provider, subject, sealedTokens }: StoredConnection,
  channels: readonly Channel[],
): NewJob | undefined {
  if (!accountAt(context, provider)?.oauth.revokeUrl && channels.length === 0) return undefined
  // The tokens stay sealed in the outbox, as they were in their own table.
  const data: Revocation = { connectionId: id, provider, subject, sealedTokens, channels }
  return { kind: 'connection-revoke', lane: null, data, dueAt: context.now() }
}

/** Ends a deleted connection's channels and its access at the provider. */
export async function revokeAccess(context: Context, revocation: Revocation): Promise<void> {
  const { connectionId: id, provider, sealedTokens, channels = [] } = revocation
  const account = accountAt(context, provider)
  const tokens = openTokens(context, { id, sealedTokens })
  if (account === undefined || tokens === undefined) return
  const client = account.oauth
  if (channels.length > 0) await closeChannels(context, account, tokens, revocation)
  // Google ends all access of the account to this service, and so would end what was connected again since.
  if (client.revokeUrl === '' || (await isConnected(context.db, revocation))) return
  await revokeToken(client, tokens.refreshToken)
}

/** If the provider refuses, its notices are not accepted here, and end within a week. */
async function closeChannels(
  context: Context,
  { apiUrl, oauth }: AccountProvider,
  { accessToken, refreshToken }: Tokens,
  { provider, channels = [] }: Revocation,
): Promise<void> {
  const protocol = channelsOf(context, provider)
  if (protocol === undefined) return
  const closeAll = async (token: string) => {
    for (const channel of channels) await protocol.close(apiUrl, { token }, channel)
  }
  try {
    await closeAll(accessToken).catch(async (error) => {
      const isOld = error instanceof ProviderFailure && error.code === 'unauthorized'
      if (!isOld) throw error
      await closeAll((await refreshGrant(oauth, refreshToken)).accessToken)
    })
  } catch (error) {
    const isFinal =
      error instanceof ProviderFailure && (error.code === 'unauthorized' || error.code === 'refused')
    if (!isFinal) throw error
  }
}
