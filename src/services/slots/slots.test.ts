import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { onEveryDatabase } from '../../../test/databases.ts'
import {
  addEventType,
  addUser,
  bookingOf,
  changeElsewhere,
  quietContext,
  stoppedClock,
} from '../../../test/kit.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import type { Trx } from '../../store/engine/database.ts'
import { book } from '../bookings/guest/book.ts'
import { type Context, createContext } from '../context.ts'

const at = (text: string) => Date.parse(`2027-01-${text}Z`)

onEveryDatabase('a cached listing', ({ db }) => {
  const clock = stoppedClock()
  const instance = () =>
    createContext({
      ...quietContext,
      db: db(),
      now: clock.now,
      publicUrl: 'https://book.example.com',
      captcha: { altchaSecret: 'secret', services: {} },
    })
  let hosts = 0

  const addTalk = async (given: Partial<EventType> = {}) => {
    const host = await addUser(db(), `host-${++hosts}`)
    return { host, eventType: await addEventType(db(), host, given) }
  }
  const ask = async (context: Context, { host, eventType }: Talk, day = '12') => {
    const query = { dateFrom: `2027-01-${day}`, dateTo: `2027-01-${day}`, timezone: 'UTC' }
    const key = `${host.slug} ${eventType.slug} ${day}`
    // The first request does not keep a listing.
    await context.slots.list(host.slug, eventType.slug, query, { key })
    return context.slots.list(host.slug, eventType.slug, query, { key })
  }
  const starts = async (context: Context, talk: Talk, day = '12'): Promise<number[]> => {
    const days = JSON.parse(Buffer.from(await ask(context, talk, day)).toString())
    return days.flatMap((each: { slots: { startTime: string }[] }) =>
      each.slots.map(({ startTime }) => Date.parse(startTime)),
    )
  }
  const bookAt = async (context: Context, { host, eventType }: Talk, startsAt: number) => {
    const circumstances = { clientAddress: '127.0.0.1', idempotencyKey: undefined }
    const bookable = await context.slots.getBookable(host.slug, eventType.slug)
    await book(context, bookable, bookingOf(eventType, startsAt), circumstances)
  }

  interface Talk {
    readonly host: Scheduler
    readonly eventType: EventType
  }

  before(() => clock.moveTo(at('11T12:00')))

  it('is reused once it was asked for twice', async () => {
    const [context, talk] = [instance(), await addTalk()]
    const kept = await ask(context, talk)
    assert.equal(await ask(context, talk), kept)
  })

  it('is never stale in the process that booked', async () => {
    const [context, talk] = [instance(), await addTalk()]
    const before = await starts(context, talk)
    await bookAt(context, talk, at('12T09:00'))
    assert.deepEqual(await starts(context, talk), before.slice(1))
  })

  it('is never stale after a booking of the host’s other event type', async () => {
    const [context, talk] = [instance(), await addTalk()]
    const other = { host: talk.host, eventType: await addEventType(db(), talk.host) }
    const before = await starts(context, talk)
    await bookAt(context, other, at('12T09:00'))
    assert.deepEqual(await starts(context, talk), before.slice(1))
  })

  it('is at most a second behind another instance’s bookings', async () => {
    const [here, there, talk] = [instance(), instance(), await addTalk()]
    const before = await starts(here, talk)
    await bookAt(there, talk, at('12T09:00'))
    clock.moveTo(clock.now() + 1000)
    assert.deepEqual(await starts(here, talk), before.slice(1))
  })

  it('is at most a second behind another instance’s changes to the event type or the hours', async () => {
    const [context, talk] = [instance(), await addTalk()]
    const all = await starts(context, talk)
    assert.equal(all.length, 16)
    // As another instance would: every change of settings bumps the revisions it affects.
    const elsewhere = (work: (trx: Trx) => Promise<unknown>) => changeElsewhere(db(), talk.host.id, work)
    await elsewhere((trx) =>
      trx
        .updateTable('event_types')
        .set({ duration_minutes: 60 })
        .where('id', '=', talk.eventType.id)
        .execute(),
    )
    clock.moveTo(clock.now() + 1000)
    assert.equal((await starts(context, talk)).length, 8)
    await elsewhere((trx) =>
      trx.updateTable('schedules').set({ weekly: '{}' }).where('user_id', '=', talk.host.id).execute(),
    )
    clock.moveTo(clock.now() + 1000)
    assert.deepEqual(await starts(context, talk), [])
  })

  it('is made again with one read, which has the revision of the host and their claims', async () => {
    const [here, there, talk] = [instance(), instance(), await addTalk()]
    const before = await starts(here, talk)
    const readsOf = async (work: () => Promise<void>) => {
      await work()
      clock.moveTo(clock.now() + 1000)
      const { primary } = here.slots.readCounts
      const listed = await starts(here, talk)
      return { reads: here.slots.readCounts.primary - primary, listed }
    }
    assert.deepEqual(await readsOf(async () => {}), { reads: 1, listed: before })
    assert.deepEqual(await readsOf(() => bookAt(there, talk, at('12T09:00'))), {
      reads: 1,
      listed: before.slice(1),
    })
  })

  it('expires when a slot falls under the notice', async () => {
    const [context, talk] = [instance(), await addTalk({ noticeMinutes: 60 })]
    clock.moveTo(at('12T09:29:59.900'))
    assert.equal((await starts(context, talk))[0], at('12T10:30'))
    clock.moveTo(at('12T09:30:00.000'))
    assert.equal((await starts(context, talk))[0], at('12T10:30'))
    clock.moveTo(at('12T09:30:00.001'))
    assert.equal((await starts(context, talk))[0], at('12T11:00'))
  })

  it('expires at midnight if the booking window rolls', async () => {
    const [context, talk] = [instance(), await addTalk({ window: { kind: 'rolling', days: 1 } })]
    clock.moveTo(at('12T23:59:59.900'))
    assert.deepEqual(await starts(context, talk, '14'), [])
    clock.moveTo(at('13T00:00:00'))
    assert.equal((await starts(context, talk, '14')).length, 16)
  })

  it('is not reused after a booking if it was started before it', async () => {
    const [context, talk] = [instance(), await addTalk()]
    clock.moveTo(at('11T12:00'))
    const early = starts(context, talk)
    await bookAt(context, talk, at('12T09:00'))
    const late = starts(context, talk)
    assert.equal((await late)[0], at('12T09:30'))
    await early
    assert.equal((await starts(context, talk))[0], at('12T09:30'))
  })
})
