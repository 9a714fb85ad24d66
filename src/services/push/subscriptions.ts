import { MINUTE } from '../../domain/interval.ts'
import { invalidField, Problem } from '../../domain/problem.ts'
import { PUSH_KINDS, type PushKind, type PushSubscription, type PushTarget } from '../../domain/push/push.ts'
import { sentence } from '../../domain/sentence.ts'
import { RefusedAddress } from '../../outside/network/reachable-address.ts'
import { areBrowserKeys, type PushSender } from '../../outside/push/push.ts'
import { newId } from '../../store/new-id.ts'
import { findUser } from '../../store/people/users.ts'
import {
  deleteSubscription,
  findSubscriptionsOf,
  upsertSubscription,
} from '../../store/push/subscriptions.ts'
import type { Context } from '../context.ts'
import { languageOf } from '../mail/languages.ts'
import { notFound } from '../people/access.ts'
import { type Principal, requireSession } from '../people/sign-in/principal.ts'
import { pushNow } from './send.ts'

/** Limited, because every booking is told to each of them. */
const MAX_SUBSCRIPTIONS = 20

/** The browsers in which the user wants notifications. */
export function listSubscriptions({ db }: Context, { userId }: Principal): Promise<PushSubscription[]> {
  return findSubscriptionsOf(db, [userId])
}

/**
 * Turns notifications on in the browser of this session, or changes what they are about.
 *
 * This is the user's own affair, so the audit has nothing of it.
 */
export async function subscribe(
  context: Context,
  principal: Principal,
  { endpoint, keys }: PushTarget,
  kinds: readonly PushKind[] | undefined,
): Promise<PushSubscription> {
  senderOf(context)
  requireSession(principal, sentence`An API token cannot turn on notifications. Sign in for that.`)
  if (!areBrowserKeys(keys)) throw invalidField('subscription.keys', sentence`{field} is not valid.`)
  // Looking up a name can take long, so it must not happen inside a transaction.
  await checkEndpoint(context, endpoint)
  const { userId, via } = principal
  return context.db.transaction().execute(async (trx) => {
    const own = await findSubscriptionsOf(trx, [userId])
    const before = own.find((one) => one.endpoint === endpoint)
    if (before === undefined && own.length >= MAX_SUBSCRIPTIONS)
      throw new Problem(
        'invalid',
        sentence`You have notifications in ${MAX_SUBSCRIPTIONS} browsers. Turn them off in one of them first.`,
      )
    const subscription: PushSubscription = {
      id: before?.id ?? newId(),
      userId,
      sessionId: via.id,
      endpoint,
      keys,
      kinds: PUSH_KINDS.filter((kind) => (kinds ?? before?.kinds ?? PUSH_KINDS).includes(kind)),
      createdAt: before?.createdAt ?? context.now(),
    }
    await upsertSubscription(trx, subscription)
    return subscription
  })
}

/** Turns notifications off in a browser of the user. */
export async function unsubscribe(
  { db }: Context,
  { userId }: Principal,
  { endpoint }: Pick<PushTarget, 'endpoint'>,
): Promise<void> {
  const removed = await db.transaction().execute((trx) => deleteSubscription(trx, userId, endpoint))
  if (!removed) throw notFound()
}

/** Shows a sample in a browser of the user. */
export async function sendTestPush(
  context: Context,
  { userId }: Principal,
  { endpoint }: Pick<PushTarget, 'endpoint'>,
): Promise<void> {
  const sender = senderOf(context)
  const own = await findSubscriptionsOf(context.db, [userId])
  const subscription = own.find((one) => one.endpoint === endpoint)
  const user = await findUser(context.db, userId)
  if (subscription === undefined || user === undefined) throw notFound()
  const { heading, lead } = languageOf(user.locale, user.germanAddress).texts.pushTest
  const shown = { title: heading, body: lead, url: `${context.publicUrl}/app/profile`, tag: 'test' }
  const outcome = await pushNow(context, sender, { subscription, shown, ttl: MINUTE })
  if (outcome.state === 'sent') return
  if (outcome.state === 'gone')
    throw new Problem(
      'state_conflict',
      sentence`This browser no longer takes notifications. Turn them off and on again.`,
    )
  throw new Problem('state_conflict', outcome.reason)
}

function senderOf({ webPush }: Context): PushSender {
  if (webPush !== undefined) return webPush
  throw new Problem('not_found', sentence`Notifications in browsers are turned off on this instance.`)
}

async function checkEndpoint({ guard }: Context, endpoint: string): Promise<void> {
  try {
    await guard.check(endpoint)
  } catch (error) {
    if (!(error instanceof RefusedAddress)) throw error
    throw new Problem('invalid', error.sentence, { cause: error, field: 'subscription.endpoint' })
  }
}
