import { isStart, isStop } from '../../domain/messages/sms.ts'
import { NOTHING, sentence } from '../../domain/sentence.ts'
import type { SmsCall } from '../../outside/sms/sms.ts'
import { findMessage } from '../../store/messages/messages.ts'
import { findRecordOf, settleRecord } from '../../store/messages/records.ts'
import { deleteStopped, insertStopped } from '../../store/messages/text-messages.ts'
import type { Context } from '../context.ts'
import { noteFailure } from './once.ts'
import { numberHash } from './send-sms.ts'

/** Takes a call of the provider: what became of a text message, or what someone has answered. */
export async function receiveSms(context: Context, { url, form }: SmsCall): Promise<void> {
  const state = form.get('MessageStatus')
  if (state === null) return receiveAnswer(context, form.get('From') ?? '', form.get('Body') ?? '')
  const sid = form.get('MessageSid') ?? ''
  const record = await findRecordOf(context.db, sid, new URL(url).searchParams.get('message') ?? undefined)
  if (record === undefined) return
  if (state === 'failed' || state === 'undelivered') {
    const message = await findMessage(context.db, record.messageId)
    const code = form.get('ErrorCode') ?? ''
    const reason = sentence`The phone company did not deliver it (${code || state}).`
    if (record.state !== 'failed' && message !== undefined)
      await noteFailure(context, message, record, reason)
  } else if (state === 'delivered' && record.state === 'failed') {
    // We had no clear answer, and this is one.
    await settleRecord(context.db, record, { state: 'sent', at: context.now(), reason: NOTHING })
  }
}

/** Whoever answers STOP gets no text messages from this instance, until they answer START. */
async function receiveAnswer({ db, now }: Context, from: string, text: string): Promise<void> {
  if (isStop(text)) await insertStopped(db, numberHash(from), now())
  else if (isStart(text)) await deleteStopped(db, numberHash(from))
}
