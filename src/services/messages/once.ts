import { GiveUp, type Job, nextDueAt } from '../../domain/job.ts'
import type { Message } from '../../domain/messages/message.ts'
import type { Recipient } from '../../domain/messages/moments.ts'
import { NOTHING, type Sentence, sentenceOf } from '../../domain/sentence.ts'
import { SmsRefused } from '../../outside/sms/sms.ts'
import {
  claimRecord,
  type MessageRecord,
  type RecordKey,
  settleRecord,
} from '../../store/messages/records.ts'
import { insertJobs } from '../../store/outbox.ts'
import type { Context } from '../context.ts'
import { queueMessageDeliveries } from '../webhooks/queue-deliveries.ts'

/** The job that sends something, as far as it matters here. */
export type SendingJob = Pick<Job, 'id' | 'kind' | 'attempts'>

/** What is to be sent, and to whom. */
export interface Sending {
  readonly message: Message
  readonly key: RecordKey
  /** Sends it; what it returns is kept as the reason that it was not sent after all. */
  readonly send: (record: MessageRecord) => Promise<Sentence | undefined>
}

/** Sends a message, unless it was sent before or another job has it. Its record says what became of it. */
export async function sendOnce(
  context: Context,
  job: SendingJob,
  { message, key, send }: Sending,
): Promise<void> {
  const { db } = context
  const record = await claimRecord(db, key, { channel: message.by, jobId: job.id, now: context.now() })
  // A job that failed for good can be run again by hand.
  const isOurs = record.jobId === job.id && (record.state === 'sending' || record.state === 'failed')
  if (!isOurs) return
  let skipped: Sentence | undefined
  try {
    skipped = await send(record)
  } catch (error) {
    const isRefused = error instanceof SmsRefused
    const isOver =
      isRefused ||
      error instanceof GiveUp ||
      nextDueAt(job.kind, job.attempts + 1, context.now(), 0) === undefined
    if (isOver) await noteFailure(context, message, record, sentenceOf(error))
    // Its job ends here, so that nobody can run it again: a text message is sent at most once.
    if (isRefused) return
    throw error
  }
  const state = skipped === undefined ? 'sent' : 'skipped'
  await settleRecord(db, record, { state, at: context.now(), reason: skipped ?? NOTHING })
  context.messagesSent[message.by][state]++
}

/** Sends a message to each of its recipients; if it fails for one, the others get theirs all the same. */
export async function sendEach(
  context: Context,
  job: SendingJob,
  sendings: readonly Sending[],
): Promise<void> {
  const failures: unknown[] = []
  for (const sending of sendings) {
    await sendOnce(context, job, sending).catch((error) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

/** Records that a message did not arrive, and tells the owner's webhooks. */
export async function noteFailure(
  context: Context,
  message: Pick<Message, 'id' | 'schedulerId' | 'name' | 'on' | 'by'>,
  record: MessageRecord,
  reason: Sentence,
): Promise<void> {
  const now = context.now()
  const told = { message, record, to: roleOf(record.recipient), reason }
  const isNew = await context.db.transaction().execute(async (trx) => {
    if (!(await settleRecord(trx, record, { state: 'failed', at: now, reason }))) return false
    await insertJobs(trx, await queueMessageDeliveries(trx, told, now, context), now)
    return true
  })
  if (!isNew) return
  context.messagesSent[message.by].failed++
  context.outbox.wake(['webhook'])
}

/** Whom a record is about. */
export const roleOf = (recipient: string) => (recipient.split(':')[0] ?? 'guest') as Recipient
