import { setTimeout as pause } from 'node:timers/promises'
import { type ProviderName, RENEW_BEFORE } from '../../domain/calendars/connection.ts'
import { NOTHING, type Sentence, sentence } from '../../domain/sentence.ts'
import { type Grant, GrantLost, refreshGrant } from '../../outside/accounts/oauth.ts'
import {
  type Access,
  type AccountProvider,
  type Provider,
  ProviderFailure,
} from '../../outside/accounts/provider.ts'
import {
  findAnyConnection,
  leaseTokens,
  markLost,
  releaseTokens,
  type StoredConnection,
  type TokenLease,
  updateTokens,
} from '../../store/calendars/connections.ts'
import { insertJobs } from '../../store/outbox.ts'
import type { Context } from '../context.ts'
import { seal, unseal } from '../seal.ts'

/** Longer than a provider may take to answer, so that a lease never ends under a refresh. */
const LEASE = 12_000
/** How often to look whether another instance has refreshed the tokens. */
const LOOK_EVERY = 25
const LONGEST_WAIT = 15_000

/** The pair of tokens of a connection. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
}

/** The tokens as they are stored. */
export function sealTokens(context: Context, connectionId: string, tokens: Tokens): string {
  return seal(context, connectionId, JSON.stringify(tokens))
}

/** Undefined if they were sealed with a secret that we no longer have. */
export function openTokens(
  context: Context,
  { id, sealedTokens }: Pick<StoredConnection, 'id' | 'sealedTokens'>,
): Tokens | undefined {
  const text = unseal(context, id, sealedTokens)
  return text === undefined || text === '' ? undefined : (JSON.parse(text) as Tokens)
}

/** The provider, if the operator has set it up; throws `ProviderFailure`. */
export function providerOf(context: Context, name: ProviderName): Provider {
  const provider = context.providers[name]
  if (provider === undefined) throw notSetUp(context, name)
  return provider
}

/** Where hosts connect accounts, if the operator has a client there; throws `ProviderFailure`. */
export function accountsOf(context: Context, name: ProviderName): AccountProvider {
  const provider = accountAt(context, name)
  if (provider === undefined) throw notSetUp(context, name)
  return provider
}

/** Undefined if the operator has no client there. */
export function accountAt({ providers }: Context, name: ProviderName): AccountProvider | undefined {
  const provider = providers[name]
  return provider !== undefined && 'oauth' in provider ? provider : undefined
}

const notSetUp = ({ kinds }: Context, name: ProviderName) =>
  new ProviderFailure('refused', sentence`${kinds.titleOf(name)} is not set up on this service.`)

/**
 * Calls a provider on behalf of a connection.
 *
 * If the provider refuses the access token, although it should still be valid, one more attempt follows with a new one.
 */
export async function withAccess<T>(
  context: Context,
  connectionId: string,
  call: (access: Access) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const token = await getAccessToken(context, connectionId, { signal })
  try {
    return await call({ token, signal })
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.code !== 'unauthorized') throw error
    return call({ token: await getAccessToken(context, connectionId, { signal, refused: token }), signal })
  }
}

/**
 * A valid access token of a connection, refreshed if it ends within a minute or is the `refused` one.
 *
 * Throws `GrantLost` if the host must connect again, and `ProviderFailure` if the provider can't be asked. Refresh
 * tokens work once, so one instance refreshes, and the others wait for what it gets.
 */
export async function getAccessToken(
  context: Context,
  connectionId: string,
  { signal, refused = '' }: { readonly signal?: AbortSignal | undefined; readonly refused?: string } = {},
): Promise<string> {
  for (let waited = 0; waited < LONGEST_WAIT; waited += LOOK_EVERY) {
    const connection = await findAnyConnection(context.db, connectionId)
    const token = usableToken(context, connection, refused)
    if (token !== undefined) return token
    const lease = await leaseTokens(context.db, connectionId, LEASE)
    if (lease !== undefined) return refreshUnder(context, lease, refused)
    await pause(LOOK_EVERY, undefined, { signal, ref: false }).catch((cause) => {
      throw new ProviderFailure('unavailable', sentence`The access could not be renewed in time.`, { cause })
    })
  }
  throw new ProviderFailure('unavailable', sentence`The access could not be renewed in time.`)
}

/** The stored access token if it can be used as it is; throws `GrantLost` if it never can again. */
function usableToken(
  context: Context,
  connection: StoredConnection | undefined,
  refused: string,
): string | undefined {
  if (connection === undefined)
    throw new GrantLost('unauthorized', sentence`This account is no longer connected.`)
  if (connection.status === 'reconnect') throw new GrantLost('unauthorized', connection.lastError)
  if (connection.expiresAt < context.now() + RENEW_BEFORE) return undefined
  const token = openTokens(context, connection)?.accessToken
  return token === refused ? undefined : token
}

/** Refreshes the tokens, unless that has just been done, and gives the lease back. */
async function refreshUnder(context: Context, lease: TokenLease, refused: string): Promise<string> {
  let grant: Grant
  try {
    const token = usableToken(context, lease, refused)
    if (token !== undefined) {
      await releaseTokens(context.db, lease, NOTHING)
      return token
    }
    grant = await refresh(context, lease)
  } catch (error) {
    if (error instanceof GrantLost) await endAccess(context, lease, error.sentence)
    else await releaseTokens(context.db, lease, error instanceof ProviderFailure ? error.sentence : NOTHING)
    throw error
  }
  return store(context, lease, grant)
}

async function refresh(context: Context, lease: TokenLease): Promise<Grant> {
  const { oauth } = accountsOf(context, lease.provider)
  const refreshToken = openTokens(context, lease)?.refreshToken
  if (refreshToken === undefined) {
    throw new GrantLost('unauthorized', sentence`The stored access can no longer be read.`)
  }
  // Not ended with the caller: a refresh token that was used and not stored is lost.
  const grant = await refreshGrant(oauth, refreshToken)
  return { ...grant, refreshToken: grant.refreshToken ?? refreshToken }
}

async function store(context: Context, lease: TokenLease, grant: Grant): Promise<string> {
  const { accessToken, refreshToken = '' } = grant
  await updateTokens(context.db, lease, {
    sealedTokens: sealTokens(context, lease.id, { accessToken, refreshToken }),
    expiresAt: context.now() + grant.expiresIn,
  })
  // Valid in any case: if the host has connected again meanwhile, those tokens are kept.
  return accessToken
}

/** Ends a connection whose new access token was refused as well. The host must connect again. */
export async function endRefusedAccess(
  context: Context,
  connectionId: string,
  { sentence: reason }: ProviderFailure,
): Promise<GrantLost> {
  const lease = await leaseTokens(context.db, connectionId, LEASE)
  if (lease !== undefined) await endAccess(context, lease, reason)
  return new GrantLost('unauthorized', reason)
}

/** Notes that the host must connect again, and mails them the first time. */
async function endAccess(context: Context, lease: TokenLease, reason: Sentence): Promise<void> {
  const now = context.now()
  const data = { connectionId: lease.id }
  const isNews = await context.db.transaction().execute(async (trx) => {
    if (!(await markLost(trx, lease, reason))) return false
    await insertJobs(trx, [{ kind: 'connection-lost', lane: null, data, dueAt: now }], now)
    return true
  })
  if (isNews) context.outbox.wake()
}
