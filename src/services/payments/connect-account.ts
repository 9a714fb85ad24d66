import {
  type HookRemoval,
  hookRemovalJob,
  type PaymentAccount,
  paymentsUnderWay,
} from '../../domain/payments/account.ts'
import { invalidField, Problem } from '../../domain/problem.ts'
import { NOTHING, sentence } from '../../domain/sentence.ts'
import { printableLine, shortened } from '../../format/text/printable.ts'
import { PaymentRefused, PaymentUnavailable } from '../../outside/payments/provider.ts'
import { newId } from '../../store/new-id.ts'
import { insertJobs } from '../../store/outbox.ts'
import {
  deletePaymentAccount,
  findPaymentAccount,
  findPaymentAccountOf,
  findPricedNames,
  hasPaymentsUnderWay,
  insertPaymentAccount,
  renewPaymentAccount,
} from '../../store/payments/accounts.ts'
import { change } from '../change.ts'
import type { Context } from '../context.ts'
import { getId, isId, requireRole } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import { keyOf, sealSecrets } from './accounts.ts'

interface WantedAccount {
  readonly secretKey: string
  /** Undefined: the user's own. */
  readonly teamId?: string | undefined
}

/** Connects an account at the provider: checks the key, and has notices sent here. The same account again gets the new key. */
export async function connectPaymentAccount(
  context: Context,
  principal: Principal,
  { secretKey, teamId }: WantedAccount,
): Promise<PaymentAccount> {
  const schedulerId = teamId === undefined ? principal.userId : getId(teamId)
  await requireRole(context.db, principal, schedulerId, 'admin')
  const key = readKey(secretKey)
  const theirs = await askProvider(() => context.payments.readAccount(key))
  const known = await findPaymentAccountOf(context.db, schedulerId)
  if (known !== undefined && known.account !== theirs.id) throw anotherAccount(known)
  const id = known?.id ?? newId()
  const hook = await askProvider(() => context.payments.makeHook(key, hookUrl(context, id)))
  const secrets = sealSecrets(context, id, { key, hookSecret: hook.secret })
  const account: PaymentAccount = {
    id,
    schedulerId,
    provider: 'stripe',
    account: theirs.id,
    name: shortened(printableLine(theirs.name), 200),
    ...secrets,
    hookId: hook.id,
    status: 'ok',
    lastError: NOTHING,
    createdAt: context.now(),
  }
  try {
    return await keepAccount(context, principal, account)
  } catch (error) {
    // Nothing is known of that address here, so its notices would be refused for weeks.
    context.inBackground(() => context.payments.removeHook(key, hook.id))
    throw error
  }
}

function keepAccount(
  context: Context,
  principal: Principal,
  account: PaymentAccount,
): Promise<PaymentAccount> {
  const { id, schedulerId } = account
  const now = context.now()
  return change(context, principal, schedulerId, async (trx) => {
    const known = await findPaymentAccountOf(trx, schedulerId)
    const audit = { schedulerId, objectType: 'connection', objectId: id }
    if (known === undefined) {
      await insertPaymentAccount(trx, account)
      const changes = ['provider', 'account']
      return { result: account, audit: { ...audit, action: 'created', changes }, affects: [] }
    }
    // Someone else has connected one meanwhile.
    if (known.id !== id) throw anotherAccount(known)
    await renewPaymentAccount(trx, account)
    const { sealedKey } = account
    await insertJobs(trx, [hookRemovalJob({ accountId: id, sealedKey, hookId: known.hookId }, now)], now)
    const result = { ...account, createdAt: known.createdAt }
    return { result, audit: { ...audit, action: 'updated', changes: ['status'] }, affects: [] }
  }).finally(() => context.outbox.wake())
}

/** Disconnects an account, unless something still needs it. False if there is no such account. */
export async function disconnectPaymentAccount(
  context: Context,
  principal: Principal,
  id: string,
): Promise<boolean> {
  const found = isId(id) ? await findPaymentAccount(context.db, id) : undefined
  if (found === undefined) return false
  const { schedulerId } = found
  await requireRole(context.db, principal, schedulerId, 'admin')
  const now = context.now()
  await change(context, principal, schedulerId, async (trx) => {
    const names = await findPricedNames(trx, schedulerId)
    if (names.length > 0) {
      throw new Problem(
        'state_conflict',
        sentence`Guests pay for these through this account: ${names}. Make them free first.`,
      )
    }
    if (await hasPaymentsUnderWay(trx, id)) throw paymentsUnderWay()
    const account = (await findPaymentAccount(trx, id)) ?? found
    await deletePaymentAccount(trx, id)
    const { sealedKey, hookId } = account
    if (hookId !== '') await insertJobs(trx, [hookRemovalJob({ accountId: id, sealedKey, hookId }, now)], now)
    const audit = { schedulerId, objectType: 'connection', objectId: id, action: 'deleted', changes: [] }
    return { result: undefined, audit, affects: [] }
  })
  context.outbox.wake()
  return true
}

/** Has no more notices sent to an address. A key that is refused can't do it any more. */
export async function removeHook(context: Context, removal: HookRemoval): Promise<void> {
  try {
    const key = keyOf(context, { id: removal.accountId, sealedKey: removal.sealedKey })
    await context.payments.removeHook(key, removal.hookId)
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error
  }
}

const hookUrl = ({ publicUrl }: Context, id: string) => `${publicUrl}/api/hooks/stripe/${id}`

function readKey(given: string): string {
  const key = given.trim()
  if (!/^[\w-]{1,300}$/.test(key))
    throw invalidField('secretKey', sentence`{field} does not look like a key.`)
  if (key.startsWith('pk_')) {
    const complaint = sentence`{field} must be a secret or restricted key, which begins with sk_ or rk_. This one is for websites.`
    throw invalidField('secretKey', complaint)
  }
  return key
}

const anotherAccount = ({ name }: PaymentAccount) =>
  new Problem(
    'state_conflict',
    sentence`Another account is connected already: ${name}. Please disconnect it first.`,
  )

/** Asks the provider; its refusals become ours. */
async function askProvider<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof PaymentRefused)
      throw new Problem('invalid', error.sentence, { cause: error, field: 'secretKey' })
    if (error instanceof PaymentUnavailable) {
      const { sentence: failure, retryAfter } = error
      throw new Problem('unavailable', sentence`${failure} Please try again in a moment.`, {
        cause: error,
        ...(retryAfter !== undefined && { retryAfter: Math.ceil(retryAfter / 1000) }),
      })
    }
    throw error
  }
}
