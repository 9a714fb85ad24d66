import { randomBytes } from 'node:crypto'
import {
  type Connection,
  type ConnectOutcome,
  MAX_CONNECTIONS,
  type ProviderName,
} from '../../domain/calendars/connection.ts'
import type { PageRequest } from '../../domain/cursor.ts'
import { MINUTE } from '../../domain/interval.ts'
import type { User } from '../../domain/people/user.ts'
import { Problem } from '../../domain/problem.ts'
import { NOTHING, sentence } from '../../domain/sentence.ts'
import { printableLine, shortened } from '../../format/text/printable.ts'
import {
  authorizationUrl,
  exchangeCode,
  type Grant,
  GrantLost,
  hasScopes,
} from '../../outside/accounts/oauth.ts'
import { type Account, type ProviderCalendar, ProviderFailure } from '../../outside/accounts/provider.ts'
import { refreshConnectionSoon } from '../../store/calendars/calendars.ts'
import { findChannelsOf, renewConnectionChannels } from '../../store/calendars/channels.ts'
import {
  countConnections,
  deleteConnection,
  findConnection,
  findConnectionOf,
  findConnectionPage,
  insertAttempt,
  insertConnection,
  renewConnection,
  type StoredConnection,
  takeAttempt,
} from '../../store/calendars/connections.ts'
import { newId } from '../../store/new-id.ts'
import { insertJobs } from '../../store/outbox.ts'
import { findUser } from '../../store/people/users.ts'
import { change } from '../change.ts'
import type { Context } from '../context.ts'
import { getId, notFound, readIdPage } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import { hashSecret } from '../secret.ts'
import { accountAt, accountsOf, sealTokens, withAccess } from './access-token.ts'
import { revocationJob } from './revoke.ts'

/** How long a host has to give access on the provider's pages. */
export const ATTEMPT_LASTS = 10 * MINUTE

/** The providers at which hosts can connect accounts. */
export const listProviders = ({ kinds, providers }: Context): ProviderName[] =>
  kinds.names.accounts.filter((name) => providers[name] !== undefined)

/** Where the host's browser goes, and the secret that it must still hold when it comes back. */
interface BegunConnection {
  readonly authorizationUrl: string
  readonly verifier: string
}

/**
 * Begins to connect an account.
 *
 * The browser keeps the PKCE verifier in a cookie, and we keep its hash, which the provider gets as well. So nobody else's
 * browser can finish what this one began, nor this one what a stranger began.
 */
export async function beginConnection(
  context: Context,
  principal: Principal,
  provider: ProviderName,
): Promise<BegunConnection> {
  const client = accountAt(context, provider)?.oauth
  if (client === undefined) {
    const reason = sentence`${context.kinds.titleOf(provider)} is not set up here. Ask whoever runs this service to register a client.`
    throw new Problem('invalid', reason, { field: 'provider' })
  }
  const [state, verifier] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
  const challenge = hashSecret(verifier)
  const expiresAt = context.now() + ATTEMPT_LASTS
  const { userId } = principal
  await insertAttempt(context.db, { stateHash: hashSecret(state), userId, provider, challenge, expiresAt })
  const redirectUri = redirectUriOf(context, provider)
  return { authorizationUrl: authorizationUrl(client, { redirectUri, state, challenge }), verifier }
}

/** What the provider sends the host's browser back with, and the verifier of its cookie. */
interface ReturnedConnection {
  readonly state: string
  readonly code: string
  /** Why the provider gave no code; empty if it did. */
  readonly error: string
  readonly verifier: string
}

/** Connects the account that the host has given access to. An attempt counts once, however it ends. */
export async function finishConnection(
  context: Context,
  provider: ProviderName,
  returned: ReturnedConnection,
): Promise<ConnectOutcome> {
  const userId = await takeAttempt(
    context.db,
    { stateHash: hashSecret(returned.state), provider, challenge: hashSecret(returned.verifier) },
    context.now(),
  )
  const user = userId === undefined ? undefined : await findUser(context.db, userId)
  if (user === undefined || user.disabledAt !== null) return 'expired'
  if (returned.error !== '') return returned.error === 'access_denied' ? 'denied' : 'refused'
  try {
    const { oauth, findAccount } = accountsOf(context, provider)
    const { code, verifier } = returned
    const redirectUri = redirectUriOf(context, provider)
    const grant = await exchangeCode(oauth, { code, verifier, redirectUri })
    if (!hasScopes(oauth, grant)) return 'missing-scope'
    // Without one, the access would end within the hour.
    if (grant.refreshToken === undefined) return 'refused'
    return await keepConnection(context, user, {
      provider,
      account: await findAccount({ token: grant.accessToken }, grant.idToken),
      grant,
    })
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return error instanceof GrantLost || error.code === 'refused' ? 'refused' : 'unavailable'
  }
}

interface GrantedAccess {
  readonly provider: ProviderName
  readonly account: Account
  readonly grant: Grant
}

/** Stores the connection. An account that is connected already gets the new tokens. */
function keepConnection(
  context: Context,
  user: User,
  { provider, account: { subject, address }, grant }: GrantedAccess,
): Promise<ConnectOutcome> {
  const now = context.now()
  const account = shortened(printableLine(address), 200)
  const expiresAt = now + grant.expiresIn
  const { accessToken, refreshToken = '' } = grant
  const actor = { userId: user.id, email: user.email }
  return change(context, actor, user.id, async (trx) => {
    const own = { userId: user.id, provider }
    const known =
      (await findConnectionOf(trx, { ...own, subject })) ??
      // One that came from another service may be known by its address alone.
      (await findConnectionOf(trx, { ...own, subject: address }))
    const id = known?.id ?? newId()
    const sealedTokens = sealTokens(context, id, { accessToken, refreshToken })
    const audit = { schedulerId: user.id, objectType: 'connection', objectId: id }
    if (known !== undefined) {
      await renewConnection(trx, id, { account, sealedTokens, expiresAt })
      await refreshConnectionSoon(trx, id, now)
      await renewConnectionChannels(trx, id, now)
      return {
        result: 'connected' as const,
        audit: { ...audit, action: 'updated', changes: ['status'] },
        affects: [],
      }
    }
    if ((await countConnections(trx, user.id)) >= MAX_CONNECTIONS) throw new TooMany()
    await insertConnection(trx, {
      id,
      userId: user.id,
      provider,
      subject,
      account,
      sealedTokens,
      expiresAt,
      tokenRevision: 0,
      status: 'ok',
      lastError: NOTHING,
      createdAt: now,
    })
    return {
      result: 'connected' as const,
      audit: { ...audit, action: 'created', changes: ['provider', 'account'] },
      affects: [],
    }
  }).catch((error) => {
    if (error instanceof TooMany) return 'too-many' as const
    throw error
  })
}

/** Ends the transaction: the user has as many connections as one may have. */
class TooMany extends Error {}

export async function listConnections(
  context: Context,
  principal: Principal,
  page: PageRequest,
): Promise<Connection[]> {
  return findConnectionPage(context.db, principal.userId, readIdPage(page))
}

/** One of the user's connections; throws `not_found`. */
export async function getConnection(
  context: Context,
  principal: Principal,
  id: string,
): Promise<StoredConnection> {
  const connection = await findConnection(context.db, principal.userId, getId(id))
  if (connection === undefined) throw notFound()
  return connection
}

/** The calendars of a connected account, as the provider lists them now. */
export async function listProviderCalendars(
  context: Context,
  principal: Principal,
  id: string,
): Promise<ProviderCalendar[]> {
  const connection = await getConnection(context, principal, id)
  try {
    const { findCalendars } = accountsOf(context, connection.provider)
    return await withAccess(context, connection.id, findCalendars)
  } catch (error) {
    throw problemFrom(error)
  }
}

/** A provider's failure as a refusal that the host can act on. */
function problemFrom(error: unknown): unknown {
  if (!(error instanceof ProviderFailure)) return error
  const { sentence: failure, code, retryAfter } = error
  if (code === 'unauthorized') {
    return new Problem('state_conflict', sentence`${failure} Please connect it again.`, { cause: error })
  }
  if (code === 'rate-limited' || code === 'unavailable') {
    return new Problem('unavailable', sentence`${failure} Please try again in a moment.`, {
      cause: error,
      ...(retryAfter !== undefined && { retryAfter: Math.ceil(retryAfter / 1000) }),
    })
  }
  return new Problem('invalid', failure, { cause: error })
}

/** Disconnects an account: forgets its calendars and their busy times, and has its tokens revoked. */
export async function disconnect(context: Context, principal: Principal, id: string): Promise<void> {
  const { userId } = principal
  await change(context, principal, userId, async (trx) => {
    const channels = await findChannelsOf(trx, getId(id))
    const connection = await deleteConnection(trx, userId, getId(id))
    if (connection === undefined) throw notFound()
    const revocation = revocationJob(context, connection, channels)
    if (revocation !== undefined) await insertJobs(trx, [revocation], context.now())
    const audit = { schedulerId: userId, objectType: 'connection', objectId: connection.id }
    return { result: undefined, audit: { ...audit, action: 'deleted', changes: [] }, affects: [userId] }
  })
  context.outbox.wake()
}

const redirectUriOf = ({ publicUrl }: Context, provider: ProviderName) =>
  `${publicUrl}/connections/${provider}/callback`
