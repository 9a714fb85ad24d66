import type { PageRequest } from '../../domain/cursor.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import {
  checkMessage,
  checkOnlyReplacement,
  isAbout,
  MESSAGE_DEFAULTS,
  type Message,
  type MessageContent,
} from '../../domain/messages/message.ts'
import { invalidField, Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import type { Db, Trx } from '../../store/engine/database.ts'
import { findEventTypes } from '../../store/event-types/event-types.ts'
import { findFormsOf } from '../../store/forms/forms.ts'
import {
  deleteMessage,
  findMessage,
  findMessagePage,
  findMessagesOf,
  insertMessage,
  updateMessage,
} from '../../store/messages/messages.ts'
import { newId } from '../../store/new-id.ts'
import { insertJobs } from '../../store/outbox.ts'
import { findScheduler } from '../../store/people/schedulers.ts'
import { change, changedFields, type VersionOf } from '../change.ts'
import type { Context } from '../context.ts'
import { getId, listedSchedulers, notFound, readIdPage, requireRole } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import { speaks } from './compose.ts'
import type { MessagePlan } from './jobs.ts'
import { NO_SMS } from './send-sms.ts'

/** Limited, because every booking change is compared with every message. */
export const MAX_MESSAGES = 100

/** A message as a client gives it. */
export type MessageInput = Partial<MessageContent> & Pick<MessageContent, 'name' | 'on' | 'texts'>

/** Messages of the user and their teams, or of one of them. */
export async function listMessages(
  { db }: Context,
  principal: Principal,
  ownerId: string | undefined,
  page: PageRequest,
): Promise<Message[]> {
  return findMessagePage(db, await listedSchedulers(db, principal, ownerId), readIdPage(page))
}

/** A message that the user may see; throws `not_found` for others. */
export async function getMessage(db: Db, principal: Principal, id: string): Promise<Message> {
  const message = await findMessage(db, getId(id))
  if (message === undefined) throw notFound()
  await requireRole(db, principal, message.schedulerId, 'member')
  return message
}

/** The same, if they may also change it. */
export async function getOwnMessage(db: Db, principal: Principal, id: string): Promise<Message> {
  const message = await getMessage(db, principal, id)
  await requireRole(db, principal, message.schedulerId, 'admin')
  return message
}

export async function createMessage(
  context: Context,
  principal: Principal,
  ownerId: string,
  input: MessageInput,
): Promise<Message> {
  await requireRole(context.db, principal, getId(ownerId), 'admin')
  return change(context, principal, ownerId, async (trx) => {
    await requireRole(trx, principal, ownerId, 'admin')
    const others = await findMessagesOf(trx, [ownerId])
    if (others.length >= MAX_MESSAGES)
      throw new Problem('invalid', sentence`There can be at most ${MAX_MESSAGES} messages.`)
    const content: MessageContent = { ...MESSAGE_DEFAULTS, ...input }
    await checkContent(context, trx, ownerId, content)
    checkOnlyReplacement(content, others)
    const message: Message = {
      ...content,
      id: newId(),
      schedulerId: ownerId,
      createdAt: context.now(),
    }
    await insertMessage(trx, message)
    await planMessageAgain(context, trx, message)
    const audit = { ...about(message), action: 'created', changes: Object.keys(input) }
    return { result: message, audit, affects: [] }
  })
}

/** What decides when a message is due, and for which bookings. */
const DECIDING = [
  'on',
  'minutes',
  'eventTypeIds',
  'formIds',
  'enabled',
] as const satisfies (keyof MessageContent)[]

export async function changeMessage(
  context: Context,
  principal: Principal,
  { id, expect }: VersionOf<Message>,
  input: Partial<MessageContent>,
): Promise<Message> {
  const { schedulerId } = await getOwnMessage(context.db, principal, id)
  return change(context, principal, schedulerId, async (trx) => {
    const before = await getOwnMessage(trx, principal, id)
    expect(before)
    const after: Message = { ...before, ...input }
    await checkContent(context, trx, schedulerId, after)
    checkOnlyReplacement(after, await findMessagesOf(trx, [schedulerId]))
    await updateMessage(trx, after)
    const changes = changedFields(before, after)
    if (DECIDING.some((field) => changes.includes(field))) await planMessageAgain(context, trx, after)
    return { result: after, audit: { ...about(after), action: 'updated', changes }, affects: [] }
  })
}

/** Deletes a message. What is still planned of it is not sent. */
export async function removeMessage(
  context: Context,
  principal: Principal,
  { id, expect }: VersionOf<Message>,
): Promise<void> {
  const { schedulerId } = await getOwnMessage(context.db, principal, id)
  await change(context, principal, schedulerId, async (trx) => {
    const message = await getOwnMessage(trx, principal, id)
    expect(message)
    await deleteMessage(trx, message)
    const audit = { ...about(message), action: 'deleted', changes: [] }
    return { result: undefined, audit, affects: [] }
  })
}

/** Plans the message for bookings that there are already. */
export async function planMessageAgain(
  context: Context,
  trx: Trx,
  { id, on, enabled }: Message,
): Promise<void> {
  if (!enabled || (on !== 'before' && on !== 'after' && on !== 'unbooked')) return
  const now = context.now()
  const data: MessagePlan = { messageId: id }
  await insertJobs(trx, [{ kind: 'message-plan', lane: `message-plan:${id}`, data, dueAt: now }], now)
  context.outbox.wake(['message-plan'])
}

/** Throws `invalid` if a message can't work for its owner. */
export async function checkContent(
  { sms }: Context,
  db: Db,
  ownerId: string,
  content: MessageContent,
): Promise<void> {
  const owner = await findScheduler(db, ownerId)
  if (owner === undefined) throw notFound()
  if (content.by === 'sms' && sms === undefined) throw invalidField('by', NO_SMS)
  checkMessage(content, speaks(owner.locale))
  await checkScope(db, ownerId, content)
}

/** Whether guests of an event type are asked if they want text messages. */
export async function asksForSms(
  context: Context,
  { schedulerId, id }: Pick<EventType, 'schedulerId' | 'id'>,
): Promise<boolean> {
  return (await smsAskers(context, schedulerId))(id)
}

/** The same for each event type of an owner, by its id. */
export async function smsAskers(
  { db, sms }: Context,
  schedulerId: string,
): Promise<(eventTypeId: string) => boolean> {
  if (sms === undefined) return () => false
  const texts = (await findMessagesOf(db, [schedulerId])).filter(({ enabled, by }) => enabled && by === 'sms')
  return (id) => texts.some((message) => isAbout(message, id))
}

/** A message is about its owner's event types and forms. The answer must not reveal whether someone else's exist. */
async function checkScope(db: Db, ownerId: string, { eventTypeIds, formIds }: MessageContent): Promise<void> {
  if (eventTypeIds.length > 0) {
    const own = new Set((await findEventTypes(db, ownerId)).map(({ id }) => id))
    const stranger = eventTypeIds.findIndex((id) => !own.has(id))
    if (stranger >= 0) {
      throw new Problem('invalid', sentence`Choose event types that belong to the message’s owner.`, {
        field: `eventTypeIds.${stranger}`,
      })
    }
  }
  if (formIds.length > 0) {
    const own = new Set((await findFormsOf(db, ownerId)).map(({ id }) => id))
    const stranger = formIds.findIndex((id) => !own.has(id))
    if (stranger >= 0) {
      throw new Problem('invalid', sentence`Choose forms that belong to the message’s owner.`, {
        field: `formIds.${stranger}`,
      })
    }
  }
}

const about = ({ id, schedulerId }: Message) => ({ schedulerId, objectType: 'message', objectId: id })
