import { webAddressOf } from '../../domain/calendars/calendar.ts'
import { ONLY_SERVER } from '../../domain/imports/kinds.ts'
import type { PlannedConnection } from '../../domain/imports/plan.ts'
import type { Tree } from '../../domain/imports/values.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence, sentenceOf } from '../../domain/sentence.ts'
import { type Grant, hasScopes, refreshGrant } from '../../outside/accounts/oauth.ts'
import { type Account, ProviderFailure } from '../../outside/accounts/provider.ts'
import { ServerFailure } from '../../outside/calendars/calendar-server.ts'
import { accountsOf } from '../calendars/access-token.ts'
import { sourceOf } from '../calendars/opened-calendar.ts'
import type { Context } from '../context.ts'

/** A calendar of an account that was opened. */
export interface OpenedCalendar {
  /** What the service before called it: its id at the provider, or its address on a server. */
  readonly name: string
  readonly externalId: string
  readonly url: string
  readonly writable: boolean
}

/** An account of the service before that this one could sign in to. */
export type OpenedAccount =
  | {
      readonly at: 'provider'
      readonly account: Account
      readonly grant: Grant & { readonly refreshToken: string }
      readonly calendars: readonly OpenedCalendar[]
    }
  | {
      readonly at: 'server'
      readonly username: string
      readonly password: string
      readonly calendars: readonly OpenedCalendar[]
    }

const UNREADABLE = sentence`What the connection signs in with can’t be read. Please connect the calendar here.`

const textOf = (tree: Tree, name: string): string => {
  const value = tree[name]
  return typeof value === 'string' ? value : ''
}

/** An import stays leased for longer than one account can take. */
const LONGEST = 20_000

/** Signs in to an account as the service before did, and lists its calendars; throws a `Problem` with the reason. */
export async function openAccount(
  context: Context,
  { key, content }: PlannedConnection,
  secret: Tree | undefined,
): Promise<OpenedAccount> {
  if (secret === undefined) throw new Problem('invalid', UNREADABLE)
  const signal = AbortSignal.timeout(LONGEST)
  try {
    const source = sourceOf(context, { kind: content.provider })
    return source.connect === 'account'
      ? await openAtProvider(context, content.provider, secret, signal)
      : await openAtServer(context, content.provider, key, secret, signal)
  } catch (error) {
    if (!(error instanceof ProviderFailure || error instanceof ServerFailure)) throw error
    throw new Problem('invalid', sentence`${error.sentence} Please connect it again.`, { cause: error })
  }
}

async function openAtProvider(
  context: Context,
  provider: string,
  secret: Tree,
  signal: AbortSignal,
): Promise<OpenedAccount> {
  const refreshToken = textOf(secret, 'refresh_token')
  if (refreshToken === '') throw new Problem('invalid', UNREADABLE)
  const { oauth, findAccount, findCalendars } = accountsOf(context, provider)
  const grant = await refreshGrant(oauth, refreshToken, signal)
  if (!hasScopes(oauth, grant)) {
    throw new Problem(
      'invalid',
      sentence`The connection does not allow all that is needed here. Please connect the calendar here.`,
    )
  }
  const access = { token: grant.accessToken, signal }
  const calendars = await findCalendars(access)
  return {
    at: 'provider',
    account: await findAccount(access, grant.idToken),
    grant: { ...grant, refreshToken: grant.refreshToken ?? refreshToken },
    calendars: calendars.map(({ externalId, name, writable }) => ({ externalId, name, writable, url: '' })),
  }
}

async function openAtServer(
  context: Context,
  kind: string,
  owner: string,
  secret: Tree,
  signal: AbortSignal,
): Promise<OpenedAccount> {
  const [username, password] = [textOf(secret, 'username'), textOf(secret, 'password')]
  const discover = sourceOf(context, { kind }).discover
  if (username === '' || discover === undefined) throw new Problem('invalid', UNREADABLE)
  const { guard } = context
  const url = await guard.check(webAddressOf(textOf(secret, 'url') || ONLY_SERVER)).catch((cause) => {
    throw new ServerFailure(sentenceOf(cause), { cause })
  })
  const found = await discover({ guard, owner, username, password, signal }, url.href)
  return {
    at: 'server',
    username,
    password,
    calendars: found.map(({ url, name, writable }) => ({ url, name, writable, externalId: '' })),
  }
}
