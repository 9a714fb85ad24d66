import { setTimeout as sleep } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import type { ChangeRecord } from '../../../domain/bookings/change.ts'
import { isErased } from '../../../domain/bookings/erased.ts'
import type { Answers } from '../../../domain/forms/routing.ts'
import { DAY, MINUTE } from '../../../domain/interval.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { messageAbout, messageWithAnswers } from '../../../domain/webhooks/rewrite.ts'
import { deleteMailFilesWhere } from '../../../outside/mail/mail-files.ts'
import { bookingFromRow } from '../../../store/bookings/rows.ts'
import { findWrittenTo } from '../../../store/calendars/entries.ts'
import type { Schema } from '../../../store/engine/schema.ts'
import { findFormById } from '../../../store/forms/forms.ts'
import { forgetReasons } from '../../../store/messages/records.ts'
import { newId } from '../../../store/new-id.ts'
import { insertJobs } from '../../../store/outbox.ts'
import { findWebhooks } from '../../../store/webhooks/webhooks.ts'
import { deletePendingErasures, findPendingErasures } from '../../../store/workspace/erasure.ts'
import {
  deleteWaitingJob,
  findDeliveriesAbout,
  findJobsAbout,
  findJobsAboutResponse,
  findRunningReminders,
  findStored,
  type JobAbout,
  updateDeliveryBody,
  updateWaitingJob,
} from '../../../store/workspace/traces.ts'
import { forgetAnnounced } from '../../bookings/load-change.ts'
import { writeEntryJob } from '../../calendars/jobs.ts'
import type { Context } from '../../context.ts'
import type { MailJobData } from '../../mail/jobs.ts'
import { deliveryIdOf, laneOf } from '../../webhooks/queue-deliveries.ts'

type BookingRow = Selectable<Schema['bookings']>
type ResponseRow = Selectable<Schema['routing_responses']>
type Pending = Awaited<ReturnType<typeof findPendingErasures>>

const BATCH = 50
const LOOK_AGAIN_AFTER = 20
/** The jobs of an instance that died are leased for another minute. */
const LONGEST_WAIT = 1.5 * MINUTE

/**
 * Removes what is left elsewhere of erased bookings and responses: emails and deliveries that wait or were sent, and
 * entries in the hosts' calendars. Every step can be repeated.
 *
 * Workers may still have what a booking said before. This waits until they are done, and looks again.
 */
export async function removeTraces(context: Context): Promise<void> {
  for (;;) {
    const pending = await findPendingErasures(context.db, BATCH)
    if (pending.ids.length === 0) return
    forgetAnnounced(context.db)
    const renewed = new Set<number>()
    const until = performance.now() + LONGEST_WAIT
    for (;;) {
      // Those that run before could write more, and those that run after have read what was there before.
      const ranBefore = await clean(context, pending, renewed, true)
      const runAfter = await clean(context, pending, renewed, false)
      if (!ranBefore && !runAfter) break
      if (performance.now() > until) throw stillSending()
      await sleep(LOOK_AGAIN_AFTER)
    }
    if (context.mailFolder !== undefined) {
      await deleteMailFilesWhere(context.mailFolder, (content) =>
        pending.bookings.some(({ id }) => content.includes(id)),
      )
    }
    await finish(context, pending)
  }
}

const stillSending = () =>
  new Problem(
    'unavailable',
    sentence`Emails about this guest are being sent right now. Try again in a minute.`,
  )

/** Rewrites or deletes what waits and what was sent. Returns whether a worker has some of it. */
async function clean(
  context: Context,
  { bookings, responses }: Pending,
  renewed: Set<number>,
  rewrites: boolean,
): Promise<boolean> {
  const reminders = await findRunningReminders(context.db, context.now())
  const ids = new Set(bookings.map(({ id }) => id))
  let isRunning = reminders.some(({ data }) => ids.has((data as MailJobData).change.bookingId))
  for (const booking of bookings) {
    const webhooks = await findWebhooks(context.db, booking.scheduler_id)
    const lanes = webhooks.map((webhook) => laneOf(webhook, { bookingId: booking.id, id: '' }))
    const jobs = await findJobsAbout(context.db, booking, lanes)
    isRunning ||= jobs.some((job) => job.isRunning)
    if (rewrites) await rewriteJobs(context, booking, jobs, renewed)
  }
  if (rewrites) await rewriteDeliveries(context, bookings)
  if (rewrites) await forgetReasons(context.db, [...ids])
  for (const response of responses) {
    isRunning = (await cleanResponse(context, response, rewrites)) || isRunning
  }
  return isRunning
}

/** Emails to the guest are not sent. Others no longer have what the guest wrote. */
async function rewriteJobs(
  { db }: Context,
  row: BookingRow,
  jobs: readonly JobAbout[],
  renewed: Set<number>,
): Promise<void> {
  const erased = isErased(bookingFromRow(row))
  for (const { id, kind, data, isRunning } of jobs) {
    if (isRunning || renewed.has(id)) continue
    const { recipient } = data as Partial<MailJobData>
    if (erased && (recipient?.role === 'guest' || recipient?.role === 'addedGuest')) {
      await deleteWaitingJob(db, id)
    } else if (kind === 'announce') {
      await updateWaitingJob(db, id, { ...(data as ChangeRecord), ...(erased && { reason: '' }) })
    } else if (kind === 'mail' || kind === 'reminder') {
      const { change } = data as MailJobData
      // Under a new id, no instance finds the change as it was among those that it has just announced.
      const fresh = { ...change, id: newId(), ...(erased && { reason: '' }) }
      await updateWaitingJob(db, id, { ...(data as MailJobData), change: fresh })
    }
    renewed.add(id)
  }
}

async function rewriteDeliveries({ db }: Context, rows: readonly BookingRow[]): Promise<void> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const [ownerId, owned] of Map.groupBy(rows, (row) => row.scheduler_id)) {
    const since = Math.min(...owned.map((row) => row.created_at)) - DAY
    for (const webhook of await findWebhooks(db, ownerId)) {
      const ids = new Set(owned.map(({ id }) => id))
      for (const { id, body, bookingId } of await findDeliveriesAbout(db, webhook.id, ids, since)) {
        const row = byId.get(bookingId ?? '')
        if (row !== undefined) await updateDeliveryBody(db, id, bodyOf(body, row))
      }
    }
  }
}

const bodyOf = (body: string, row: BookingRow) =>
  JSON.stringify(messageAbout(JSON.parse(body), bookingFromRow(row)))

async function cleanResponse(
  { db }: Context,
  { id, form_id: formId, answers }: ResponseRow,
  rewrites: boolean,
): Promise<boolean> {
  const form = await findFormById(db, formId)
  const webhooks = form === undefined ? [] : await findWebhooks(db, form.schedulerId)
  const ids = webhooks.map((webhook) => deliveryIdOf(id, webhook.id))
  const lanes = webhooks.map((webhook, i) => laneOf(webhook, { bookingId: null, id: ids[i] ?? '' }))
  const jobs = await findJobsAboutResponse(db, id, lanes)
  const kept = JSON.parse(answers) as Answers
  for (const delivery of rewrites ? await findStored(db, ids) : []) {
    const message = messageWithAnswers(JSON.parse(delivery.body), kept)
    await updateDeliveryBody(db, delivery.id, JSON.stringify(message))
  }
  return jobs.some(({ isRunning }) => isRunning)
}

/** Has the hosts' calendars written again, and ends the work on these. */
async function finish(context: Context, { ids, bookings }: Pending): Promise<void> {
  const now = context.now()
  const meetings = [...new Set(bookings.flatMap((row) => [row.meeting_id, row.id]))]
  await context.db.transaction().execute(async (trx) => {
    const written = meetings.length === 0 ? [] : await findWrittenTo(trx, meetings)
    await insertJobs(
      trx,
      written.map((key) => writeEntryJob(key, now)),
      now,
    )
    await deletePendingErasures(trx, ids)
  })
  context.outbox.wake()
}
