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
import { book } from '../bookings/book.ts'
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

  const offer = async (given: Partial<EventType> = {}) => {
    const host = await addUser(db(), `host-${++hosts}`)
    return { host, eventType: await addEventType(db(), host, given) }
  }
  const ask = async (context: Context, { host, eventType }: Offered, day = '12') => {
    const query = { dateFrom: `2027-01-${day}`, dateTo: `2027-01-${day}`, timezone: 'UTC' }
    const key = `${host.slug} ${eventType.slug} ${day}`
    // What is asked for once is not kept.
    await context.slots.list(host.slug, eventType.slug, query, { key })
    return context.slots.list(host.slug, eventType.slug, query, { key })
  }
  const starts = async (context: Context, offered: Offered, day = '12'): Promise<number[]> => {
    const days = JSON.parse(Buffer.from(await ask(context, offered, day)).toString())
    return days.flatMap((each: { slots: { startTime: string }[] }) =>
      each.slots.map(({ startTime }) => Date.parse(startTime)),
    )
  }
  const bookAt = async (context: Context, { host, eventType }: Offered, startsAt: number) => {
    const circumstances = { clientAddress: '127.0.0.1', idempotencyKey: undefined }
    const bookable = await context.slots.getBookable(host.slug, eventType.slug)
    await book(context, bookable, bookingOf(eventType, startsAt), circumstances)
  }

  interface Offered {
    readonly host: Scheduler
    readonly eventType: EventType
  }

  before(() => clock.moveTo(at('11T12:00')))

  it('is answered from memory once it was asked for twice', async () => {
    const [context, offered] = [instance(), await offer()]
    const kept = await ask(context, offered)
    assert.equal(await ask(context, offered), kept)
  })

  it('is never stale where it was booked', async () => {
    const [context, offered] = [instance(), await offer()]
    const before = await starts(context, offered)
    await bookAt(context, offered, at('12T09:00'))
    assert.deepEqual(await starts(context, offered), before.slice(1))
  })

  it('is never stale where another event type of the same host was booked', async () => {
    const [context, offered] = [instance(), await offer()]
    const other = { host: offered.host, eventType: await addEventType(db(), offered.host) }
    const before = await starts(context, offered)
    await bookAt(context, other, at('12T09:00'))
    assert.deepEqual(await starts(context, offered), before.slice(1))
  })

  it('is at most a second behind what another instance has booked', async () => {
    const [here, there, offered] = [instance(), instance(), await offer()]
    const before = await starts(here, offered)
    await bookAt(there, offered, at('12T09:00'))
    clock.moveTo(clock.now() + 1000)
    assert.deepEqual(await starts(here, offered), before.slice(1))
  })

  it('is at most a second behind what was changed about the event type or the hours', async () => {
    const [context, offered] = [instance(), await offer()]
    const all = await starts(context, offered)
    assert.equal(all.length, 16)
    // As another instance would: every change of settings bumps the revision of those concerned.
    const elsewhere = (work: (trx: Trx) => Promise<unknown>) => changeElsewhere(db(), offered.host.id, work)
    await elsewhere((trx) =>
      trx
        .updateTable('event_types')
        .set({ duration_minutes: 60 })
        .where('id', '=', offered.eventType.id)
        .execute(),
    )
    clock.moveTo(clock.now() + 1000)
    assert.equal((await starts(context, offered)).length, 8)
    await elsewhere((trx) =>
      trx.updateTable('schedules').set({ weekly: '{}' }).where('user_id', '=', offered.host.id).execute(),
    )
    clock.moveTo(clock.now() + 1000)
    assert.deepEqual(await starts(context, offered), [])
  })

  it('does not outlive the moment at which a slot falls under the notice', async () => {
    const [context, offered] = [instance(), await offer({ noticeMinutes: 60 })]
    clock.moveTo(at('12T09:29:59.900'))
    assert.equal((await starts(context, offered))[0], at('12T10:30'))
    clock.moveTo(at('12T09:30:00.000'))
    assert.equal((await starts(context, offered))[0], at('12T10:30'))
    clock.moveTo(at('12T09:30:00.001'))
    assert.equal((await starts(context, offered))[0], at('12T11:00'))
  })

  it('does not outlive the day, when the next one joins the booking window', async () => {
    const [context, offered] = [instance(), await offer({ window: { kind: 'rolling', days: 1 } })]
    clock.moveTo(at('12T23:59:59.900'))
    assert.deepEqual(await starts(context, offered, '14'), [])
    clock.moveTo(at('13T00:00:00'))
    assert.equal((await starts(context, offered, '14')).length, 16)
  })

  it('is not shared with a guest who asks after a booking, if it was begun before', async () => {
    const [context, offered] = [instance(), await offer()]
    clock.moveTo(at('11T12:00'))
    const early = starts(context, offered)
    await bookAt(context, offered, at('12T09:00'))
    const late = starts(context, offered)
    assert.equal((await late)[0], at('12T09:30'))
    await early
    assert.equal((await starts(context, offered))[0], at('12T09:30'))
  })
})
