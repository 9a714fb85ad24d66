import { isDeepStrictEqual } from 'node:util'
import { checkMessage, checkOnlyReplacement, type MessageContent } from '../../../domain/messages/message.ts'
import { Problem } from '../../../domain/problem.ts'
import { english } from '../../../domain/sentence.ts'
import type { Trx } from '../../../store/engine/database.ts'
import { findMessagesOf, insertMessage } from '../../../store/messages/messages.ts'
import { newId } from '../../../store/new-id.ts'
import type { Context } from '../../context.ts'
import { speaks } from '../../messages/compose.ts'
import { MAX_MESSAGES, planMessageAgain } from '../../messages/messages.ts'
import type { Owner } from './resolve-owners.ts'

/** Adds the messages of an owner, after their event types and forms, unless they have the same already. */
export async function importMessages(context: Context, trx: Trx, owner: Owner): Promise<void> {
  const { id: schedulerId, given, existing } = owner
  const { locale } = existing ?? given
  const here = await findMessagesOf(trx, [schedulerId])
  for (const { eventTypes, forms, ...rest } of given.messages ?? []) {
    const content: MessageContent = {
      ...rest,
      eventTypeIds: idsOf(eventTypes, owner.eventTypes),
      formIds: idsOf(forms, owner.forms),
    }
    checkMessage(content, speaks(locale))
    const message = { ...content, id: newId(), schedulerId, createdAt: context.now() }
    const { id, createdAt } = message
    if (here.some((other) => isDeepStrictEqual({ ...other, id, createdAt }, message))) continue
    checkOnlyReplacement(message, here)
    here.push(message)
    await insertMessage(trx, message)
    await planMessageAgain(context, trx, message)
  }
  if (here.length > MAX_MESSAGES)
    throw new Problem('invalid', english`There can be at most ${MAX_MESSAGES} messages.`)
}

/** The ids that these slugs of the file have got here. */
function idsOf(slugs: readonly string[], resolved: Owner['eventTypes'] | Owner['forms']): string[] {
  return slugs.map((slug) => {
    const found = resolved.find(({ given }) => given.slug === slug)
    if (found === undefined)
      throw new Problem('invalid', english`A message is about "${slug}", which its owner does not have.`)
    return found.id
  })
}
