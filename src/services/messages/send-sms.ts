import { createHash } from 'node:crypto'
import type { Invitee } from '../../domain/bookings/booking.ts'
import { isInCountries } from '../../domain/messages/sms.ts'
import { type Sentence, sentence } from '../../domain/sentence.ts'
import { SmsNotAsked, SmsRefused } from '../../outside/sms/sms.ts'
import { type MessageRecord, noteAsked, updateExternalId } from '../../store/messages/records.ts'
import { countSms, isStopped } from '../../store/messages/text-messages.ts'
import type { Context, SmsService } from '../context.ts'
import type { SendingJob } from './once.ts'

export const NO_SMS = sentence`This instance sends no text messages.`

/** Why it is not asked again: Twilio would send it a second time. */
const UNKNOWN = sentence`It is unknown whether this was sent: the provider gave no clear answer.`

/** What is kept of a number, so that it is not texted again. */
export const numberHash = (number: string): string => createHash('sha256').update(number).digest('base64url')

/** The most text messages to a number on one day. */
const MOST_TO_NUMBER = 5

/** Throws `SmsRefused` if a provider that knows no repeats was asked for this already: the process has crashed since. */
export function checkUnasked({ sms }: Context, { externalId }: MessageRecord): void {
  if (externalId !== null && sms?.sender.isIdempotent !== true) throw new SmsRefused(UNKNOWN)
}

/** Texts the guest; returns why not, if so. The record says that the provider is asked before it is. */
export async function sendSms(
  context: Context,
  job: SendingJob,
  record: MessageRecord,
  { invitee, text }: { readonly invitee: Invitee; readonly text: string },
): Promise<Sentence | undefined> {
  const { db, sms } = context
  if (sms === undefined) return NO_SMS
  const { smsNumber: to } = invitee
  if (to === undefined) return sentence`The guest has not agreed to text messages.`
  const reason = await whyNot(context, sms, job, to)
  if (reason !== undefined) return reason
  const isFirst = await noteAsked(db, record.id)
  if (!isFirst && !sms.sender.isIdempotent) throw new SmsRefused(UNKNOWN)
  try {
    await updateExternalId(db, record.id, await sms.sender.send({ id: record.id, to, text }))
    return undefined
  } catch (error) {
    if (error instanceof SmsNotAsked) await updateExternalId(db, record.id, null)
    const isClear = error instanceof SmsNotAsked || error instanceof SmsRefused
    if (isClear || sms.sender.isIdempotent) throw error
    throw new SmsRefused(UNKNOWN, { cause: error })
  }
}

async function whyNot(
  { db, now }: Context,
  { countries, dailyLimit }: SmsService,
  { attempts }: SendingJob,
  number: string,
): Promise<Sentence | undefined> {
  if (!isInCountries(number, countries))
    return sentence`This instance sends no text messages to that country.`
  const hash = numberHash(number)
  if (await isStopped(db, hash)) return sentence`They have answered STOP.`
  // The first attempt has been counted.
  if (attempts > 0) return undefined
  const day = new Date(now()).toISOString().slice(0, 10)
  if (!(await countSms(db, day, hash, MOST_TO_NUMBER)))
    return sentence`This number has had ${MOST_TO_NUMBER} text messages today.`
  return (await countSms(db, day, '', dailyLimit))
    ? undefined
    : sentence`The limit of ${dailyLimit} text messages a day is reached.`
}
