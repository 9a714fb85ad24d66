import { randomBytes } from 'node:crypto'
import type { PageRequest } from '../../domain/cursor.ts'
import { Problem } from '../../domain/problem.ts'
import { NOTHING, sentence } from '../../domain/sentence.ts'
import {
  checkOwnSecret,
  checkWebhook,
  ROTATION,
  type Webhook,
  type WebhookContent,
} from '../../domain/webhooks/webhook.ts'
import { RefusedAddress } from '../../outside/network/reachable-address.ts'
import { formatSecret, isStandardSecret } from '../../outside/webhooks/signatures.ts'
import type { Db, Trx } from '../../store/engine/database.ts'
import { findEventTypes } from '../../store/event-types/event-types.ts'
import { newId } from '../../store/new-id.ts'
import {
  deleteWebhook,
  findWebhook,
  findWebhookPage,
  findWebhooks,
  insertWebhook,
  markWorking,
  updateWebhook,
} from '../../store/webhooks/webhooks.ts'
import { change, changedFields, type VersionOf } from '../change.ts'
import type { Context } from '../context.ts'
import { getId, managedSchedulers, notFound, readIdPage, requireRole } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import { openSecret, sealSecret } from './secret.ts'

/** Limited, because every booking change is compared with every webhook. */
export const MAX_WEBHOOKS = 50

const SECRET_BYTES = 32

/**
 * Webhooks of the user and the teams they manage, or of one of them.
 *
 * Plain members don't see a team's webhooks: for many receivers, knowing the URL is enough to post to them.
 */
export async function listWebhooks(
  context: Context,
  principal: Principal,
  ownerId: string | undefined,
  page: PageRequest,
): Promise<Webhook[]> {
  const { db } = context
  if (ownerId !== undefined) await requireRole(db, principal, getId(ownerId), 'admin')
  const owners = ownerId === undefined ? await managedSchedulers(db, principal) : [ownerId]
  return findWebhookPage(db, owners, readIdPage(page))
}

/** A webhook that the principal manages; throws `not_found` or `forbidden` for others. */
export async function getOwnWebhook(db: Db, principal: Principal, id: string): Promise<Webhook> {
  const webhook = await findWebhook(db, getId(id))
  if (webhook === undefined) throw notFound()
  await requireRole(db, principal, webhook.schedulerId, 'admin')
  return webhook
}

/** What a client can set, besides the settings that it gets to see. */
interface WebhookInput extends WebhookContent {
  /** The client's own, where the format takes one. */
  readonly secret: string
}

/** Creates a webhook. Its secret is returned here and by `rotateSecret`, and nowhere else. */
export async function createWebhook(
  context: Context,
  principal: Principal,
  ownerId: string,
  { secret, ...input }: Partial<WebhookInput> & Pick<WebhookContent, 'url'>,
): Promise<Webhook> {
  await requireRole(context.db, principal, getId(ownerId), 'admin')
  const url = await readUrl(context, input.url)
  return change(context, principal, ownerId, async (trx) => {
    await requireRole(trx, principal, ownerId, 'admin')
    if ((await findWebhooks(trx, ownerId)).length >= MAX_WEBHOOKS) {
      throw new Problem('invalid', sentence`There can be at most ${MAX_WEBHOOKS} webhooks.`)
    }
    const content: WebhookContent = {
      format: 'standard',
      events: [],
      eventTypeIds: [],
      active: true,
      ...input,
      url,
    }
    checkWebhook(content)
    if (secret !== undefined) checkOwnSecret(secret, content.format)
    await checkEventTypes(trx, ownerId, content.eventTypeIds)
    const webhook: Webhook = {
      ...content,
      id: newId(),
      schedulerId: ownerId,
      secret: secret ?? newSecret(),
      previousSecret: null,
      previousSecretUntil: null,
      createdAt: context.now(),
      failingSince: null,
      disabledAt: null,
      disabledReason: NOTHING,
    }
    await insertWebhook(trx, { ...webhook, secret: sealSecret(context, webhook.id, webhook.secret) })
    const audit = { ...about(webhook), action: 'created', changes: Object.keys(input) }
    return { result: webhook, audit, affects: [] }
  })
}

export async function changeWebhook(
  context: Context,
  principal: Principal,
  { id, expect }: VersionOf<Webhook>,
  { secret, ...input }: Partial<WebhookInput>,
): Promise<Webhook> {
  const { schedulerId, url: present } = await getOwnWebhook(context.db, principal, id)
  // Looking up a name can take long, so it must not happen inside a transaction.
  const url = input.url === undefined || input.url === present ? undefined : await readUrl(context, input.url)
  return change(context, principal, schedulerId, async (trx) => {
    const before = await getOwnWebhook(trx, principal, id)
    expect(before)
    const content: WebhookContent = { ...before, ...input, url: url ?? before.url }
    checkWebhook(content)
    if (secret !== undefined) checkOwnSecret(secret, content.format)
    else if (content.format !== before.format) refuseForeignSecret(context, before, content)
    if (input.eventTypeIds !== undefined) await checkEventTypes(trx, schedulerId, input.eventTypeIds)
    const after: Webhook = {
      ...before,
      ...content,
      ...(content.active && { disabledAt: null, disabledReason: NOTHING }),
      ...(secret !== undefined && {
        secret: sealSecret(context, before.id, secret),
        previousSecret: null,
        previousSecretUntil: null,
      }),
    }
    await updateWebhook(trx, after)
    // With a new URL, or after being turned on again, earlier failures no longer count.
    const reset = after.url !== before.url || (after.active && !before.active)
    if (reset) await markWorking(trx, after.id)
    const audit = { ...about(after), action: 'updated', changes: changedFields(before, after) }
    return { result: reset ? { ...after, failingSince: null } : after, audit, affects: [] }
  })
}

/**
 * Gives a webhook a new secret. For a day both secrets sign, so that receivers have time to switch; formats with one
 * signature have no room for that.
 */
export async function rotateSecret(context: Context, principal: Principal, id: string): Promise<Webhook> {
  const { schedulerId } = await getOwnWebhook(context.db, principal, id)
  return change(context, principal, schedulerId, async (trx) => {
    const before = await getOwnWebhook(trx, principal, id)
    const after: Webhook = {
      ...before,
      secret: newSecret(),
      ...(before.format === 'standard'
        ? { previousSecret: before.secret, previousSecretUntil: context.now() + ROTATION }
        : { previousSecret: null, previousSecretUntil: null }),
    }
    await updateWebhook(trx, { ...after, secret: sealSecret(context, after.id, after.secret) })
    const audit = { ...about(after), action: 'updated', changes: ['secret'] }
    return { result: after, audit, affects: [] }
  })
}

/** Deletes a webhook with its deliveries. */
export async function removeWebhook(
  context: Context,
  principal: Principal,
  { id, expect }: VersionOf<Webhook>,
): Promise<void> {
  const { schedulerId } = await getOwnWebhook(context.db, principal, id)
  await change(context, principal, schedulerId, async (trx) => {
    const webhook = await getOwnWebhook(trx, principal, id)
    expect(webhook)
    await deleteWebhook(trx, webhook.id)
    const audit = { ...about(webhook), action: 'deleted', changes: [] }
    return { result: undefined, audit, affects: [] }
  })
}

/** Our own format needs a key of its own form, and nobody would see one that we make here. */
function refuseForeignSecret(context: Context, { id, secret }: Webhook, { format }: WebhookContent): void {
  const opened = format === 'standard' ? openSecret(context, id, secret) : undefined
  if (opened === undefined || isStandardSecret(opened)) return
  const reason = sentence`This webhook has a secret of your own, which this format can’t use. Create a new secret first.`
  throw new Problem('invalid', reason, { field: 'format' })
}

const newSecret = () => formatSecret(randomBytes(SECRET_BYTES))

/** The URL in its normal form; throws `invalid` if nothing may be sent there. */
async function readUrl({ webhooks }: Context, url: string): Promise<string> {
  try {
    return (await webhooks.check(url)).href
  } catch (error) {
    if (!(error instanceof RefusedAddress)) throw error
    throw new Problem('invalid', error.sentence, { cause: error, field: 'url' })
  }
}

/** A webhook covers only its owner's event types. The answer must not reveal whether someone else's exists. */
async function checkEventTypes(trx: Trx, ownerId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const own = new Set((await findEventTypes(trx, ownerId)).map(({ id }) => id))
  const stranger = ids.findIndex((id) => !own.has(id))
  if (stranger >= 0) {
    const reason = sentence`Choose event types that belong to the webhook’s owner.`
    throw new Problem('invalid', reason, { field: `eventTypeIds.${stranger}` })
  }
}

const about = ({ id, schedulerId }: Webhook) => ({ schedulerId, objectType: 'webhook', objectId: id })
