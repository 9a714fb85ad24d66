import { setTimeout } from 'node:timers/promises'
import type { Route } from '../../domain/forms/route.ts'
import type { Answers } from '../../domain/forms/routing.ts'
import { canonicalEmail, isEmail } from '../../domain/people/contact.ts'
import { newId } from '../../store/new-id.ts'
import { findUserByEmail } from '../../store/people/users.ts'
import type { Context } from '../context.ts'
import { firstOffered } from './find-owner.ts'
import type { Destination } from './get.ts'
import { readLookupSecret } from './lookup-secret.ts'

/** For everything: a visitor waits for it. */
const LIMIT = 2000

/** The route to the host whom the owner's own system names for this visitor; undefined if it names none that is offered. */
export async function lookUpOwner(
  context: Context,
  { scheduler, eventType }: Destination,
  { formId, url }: { readonly formId: string; readonly url: string },
  visitor: { readonly email: string; readonly answers: Answers },
): Promise<Route | undefined> {
  const hostEmail = await ask(context, formId, url, visitor)
  const host =
    hostEmail === undefined ? undefined : await findUserByEmail(context.db, canonicalEmail(hostEmail))
  if (host === undefined) return undefined
  const bookable = await context.slots.getBookable(scheduler.slug, eventType.slug)
  const hostId = await firstOffered(context, bookable, [host.id])
  if (hostId === undefined) return undefined
  const detail = 'The owner lookup named this host.'
  return { eventTypeId: eventType.id, hostIds: [hostId], reason: 'lookup', detail }
}

/** What the receiver answers. Whatever goes wrong there is no reason to keep the visitor waiting or to refuse them. */
async function ask(
  context: Context,
  formId: string,
  url: string,
  visitor: { readonly email: string; readonly answers: Answers },
): Promise<string | undefined> {
  const secret = await readLookupSecret(context, formId)
  // Answers of visitors are never sent without a signature.
  if (secret === undefined) return undefined
  const { email, answers } = visitor
  const stop = new AbortController()
  const sent = context.webhooks.send({
    url,
    id: newId(),
    body: JSON.stringify({ email, answers }),
    secrets: [secret],
    sentAt: context.now(),
    timeout: LIMIT,
  })
  // The sender may have been busy before it began.
  const late = setTimeout(LIMIT, undefined, { signal: stop.signal, ref: false }).catch(() => undefined)
  const answer = await Promise.race([sent, late])
  stop.abort()
  return answer?.error === '' ? hostEmailIn(answer.body) : undefined
}

function hostEmailIn(body: string): string | undefined {
  try {
    const { hostEmail } = (JSON.parse(body) ?? {}) as { readonly hostEmail?: unknown }
    return typeof hostEmail === 'string' && isEmail(hostEmail.trim()) ? hostEmail.trim() : undefined
  } catch {
    return undefined
  }
}
