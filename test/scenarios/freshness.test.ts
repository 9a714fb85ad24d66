import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { DAY, HOUR, MINUTE } from '../../src/domain/interval.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import type { Db } from '../../src/store/engine/database.ts'
import { GLOBAL_SCOPE, moveSlug } from '../../src/store/people/old-slugs.ts'
import { updateScheduler } from '../../src/store/people/schedulers.ts'
import { onEveryDatabase, openPatiently } from '../databases.ts'
import {
  addEventType,
  addTeam,
  addUser,
  appOn,
  bookingOf,
  changeElsewhere,
  fromSomeoneNew,
  MONDAY_NOON,
  stoppedClock,
  weekdays,
} from '../kit.ts'
import { connectTo } from '../server-process.ts'
import { stopAfterReading } from '../standstill.ts'

const TUESDAY_NINE = MONDAY_NOON + 21 * HOUR
const SECOND = 1000

interface Offered {
  readonly owner: Scheduler
  readonly eventType: EventType
}

const pathOf = ({ owner, eventType }: Offered) => `/api/public/scheduling/${owner.slug}/${eventType.slug}`

/** One server, asked over real sockets: what it keeps ready is served before a request reaches the app. */
async function openInstance(db: Db, now: () => number) {
  const { app } = await appOn(db, { now })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const client = connectTo({ port: (app.server.address() as AddressInfo).port })
  return {
    /** Every start on offer from the Monday on, with the seats left, as the guest's page would get it. */
    async starts(offer: Offered, timezone = 'UTC', days = 14): Promise<Map<number, number | undefined>> {
      const dateFrom = new Date(MONDAY_NOON).toISOString().slice(0, 10)
      const dateTo = new Date(MONDAY_NOON + days * DAY).toISOString().slice(0, 10)
      const query = new URLSearchParams({ dateFrom, dateTo, timezone })
      const { status, body } = await client.get(`${pathOf(offer)}/slots?${query}`)
      assert.equal(status, 200, JSON.stringify(body))
      const listing: { slots: { startTime: string; seatsLeft?: number }[] }[] = body
      return new Map(
        listing.flatMap(({ slots }) => slots.map((slot) => [Date.parse(slot.startTime), slot.seatsLeft])),
      )
    },
    async abuseConfig(offer: Offered): Promise<void> {
      assert.equal((await client.get(`${pathOf(offer)}/abuse-config`)).status, 200)
    },
    async book(offer: Offered, start: number): Promise<number> {
      const { status } = await client.post(
        `${pathOf(offer)}/book`,
        bookingOf(offer.eventType, start),
        fromSomeoneNew(),
      )
      return status
    },
    async close() {
      client.close()
      await app.close()
    },
  }
}

onEveryDatabase('freshness', ({ db, url }) => {
  let elsewhere: Db
  let names = 0
  const instances: { close(): Promise<void> }[] = []
  before(() => {
    elsewhere = openPatiently(url())
  })
  after(async () => {
    for (const instance of instances) await instance.close()
    await elsewhere.destroy()
  })

  const newUser = (schedule = weekdays()) => addUser(db(), `user-${names++}`, schedule)
  const newOffer = async (
    owner: Scheduler,
    given: Partial<EventType> = {},
    hosts: readonly Scheduler[] = [owner],
  ): Promise<Offered> => {
    const fixed = given.assignment !== 'round-robin'
    const members = hosts.map((host) => ({ hostId: host.id, fixed }))
    return { owner, eventType: await addEventType(db(), owner, given, members) }
  }
  const newInstance = async (at: Db, now: () => number) => {
    const opened = await openInstance(at, now)
    instances.push(opened)
    return opened
  }

  it('removes a booked slot from every listing before the booking is answered', async () => {
    const [ada, ben] = [await newUser(), await newUser()]
    const team = await addTeam(db(), `team-${names++}`)
    const half = await newOffer(ada)
    const hour = await newOffer(ada, { durationMinutes: 60 })
    const together = await newOffer(team, {}, [ada, ben])
    const inTurn = await newOffer(team, { assignment: 'round-robin' }, [ada])
    const affected = [half, hour, together, inTurn]
    const { starts, book } = await newInstance(db(), stoppedClock().now)
    const listings = () =>
      Promise.all(
        affected.flatMap((offer) => [
          starts(offer),
          starts(offer, 'Asia/Kathmandu'),
          starts(offer, 'UTC', 1),
        ]),
      )
    for (const listed of await listings()) assert.ok(listed.has(TUESDAY_NINE))
    assert.equal(await book(half, TUESDAY_NINE), 201)
    for (const listed of await listings()) {
      assert.ok(!listed.has(TUESDAY_NINE))
      assert.ok(listed.size > 0)
    }
  })

  it('counts seats down in the listing as they are booked', async () => {
    const offer = await newOffer(await newUser(), { seats: 3 })
    const { starts, book } = await newInstance(db(), stoppedClock().now)
    for (const left of [3, 2, 1]) {
      assert.equal((await starts(offer)).get(TUESDAY_NINE), left)
      assert.equal(await book(offer, TUESDAY_NINE), 201)
    }
    assert.ok(!(await starts(offer)).has(TUESDAY_NINE))
  })

  it('never lists a booked slot after the booking was answered', async () => {
    const offer = await newOffer(await newUser())
    const { starts, book } = await newInstance(db(), stoppedClock().now)
    const booked: number[] = []
    let reads = 0
    let done = false
    const reading = Array.from({ length: 6 }, async (_, reader) => {
      while (!done) {
        const before = booked.slice()
        const listed = await starts(offer, reader % 2 === 0 ? 'UTC' : 'Europe/Paris')
        for (const start of before) assert.ok(!listed.has(start))
        reads++
      }
    })
    const slots = [...(await starts(offer)).keys()].slice(0, 60)
    const booking = Array.from({ length: 3 }, async (_, guest) => {
      for (const start of slots.filter((_, i) => i % 3 === guest)) {
        assert.equal(await book(offer, start), 201)
        booked.push(start)
      }
    })
    await Promise.all(booking).finally(() => {
      done = true
    })
    await Promise.all(reading)
    assert.equal(booked.length, 60)
    assert.ok(reads >= 60)
  })

  it('never reuses a listing that was started before a booking', {
    timeout: 120_000,
  }, async (t) => {
    const offer = await newOffer(await newUser())
    const clock = stoppedClock()
    const before = await newInstance(db(), clock.now)
    assert.equal(await before.book(offer, TUESDAY_NINE + 60 * MINUTE), 201)
    const slow = stopAfterReading(t, db())
    const { starts, book } = await newInstance(slow.db, clock.now)
    const early = starts(offer)
    await slow.reached
    assert.equal(await book(offer, TUESDAY_NINE), 201)
    const duringThat = await starts(offer)
    slow.goOn()
    await early
    const afterThat = await starts(offer)
    assert.ok(!duringThat.has(TUESDAY_NINE))
    assert.ok(!afterThat.has(TUESDAY_NINE))
  })

  it('learns within a second what another instance has booked, with any state of its caches', async () => {
    const user = await newUser()
    const offer = await newOffer(user)
    const sibling = await newOffer(user)
    const clock = stoppedClock()
    const here = await newInstance(db(), clock.now)
    const there = await newInstance(elsewhere, clock.now)
    let slot = TUESDAY_NINE
    // Claims may have been read for this listing, or for another one.
    for (const first of [offer, sibling]) {
      for (const delay of [0, 1, 500, 799, 999]) {
        assert.ok((await there.starts(first)).has(slot))
        const bookedAt = clock.now()
        assert.equal(await here.book(offer, slot), 201)
        assert.ok(!(await here.starts(offer)).has(slot))
        // Another listing, made while the reads of the first may still be cached.
        clock.moveTo(bookedAt + delay)
        await there.starts(offer, 'Asia/Tokyo')
        clock.moveTo(bookedAt + SECOND)
        assert.ok(!(await there.starts(first)).has(slot), `still listed after a second (${delay})`)
        assert.ok(!(await there.starts(offer, 'Asia/Tokyo')).has(slot), `listed anew after ${delay} ms`)
        slot += 30 * MINUTE
        clock.moveTo(clock.now() + SECOND)
      }
    }
  })

  it('refuses to book from a listing that is stale', async () => {
    const offer = await newOffer(await newUser())
    const clock = stoppedClock()
    const here = await newInstance(db(), clock.now)
    const there = await newInstance(elsewhere, clock.now)
    await there.starts(offer)
    assert.equal(await here.book(offer, TUESDAY_NINE), 201)
    assert.equal(await there.book(offer, TUESDAY_NINE), 400)
  })

  it('learns within a second of hours that another instance changed, with any state of its caches', async () => {
    const clock = stoppedClock()
    const there = await newInstance(elsewhere, clock.now)
    // The hours may have been read for a listing, or for something that lists nothing.
    for (const first of [there.starts, there.abuseConfig]) {
      for (const delay of [0, 100, 500, 790, 799]) {
        const user = await newUser()
        const offer = await newOffer(user)
        const changedAt = clock.now()
        await first(offer)
        await closeTuesdays(db(), user)
        // Another listing, made while the old hours may still be remembered.
        clock.moveTo(changedAt + delay)
        await there.starts(offer, 'Asia/Tokyo')
        clock.moveTo(changedAt + SECOND)
        assert.ok(!(await there.starts(offer)).has(TUESDAY_NINE), `still listed after a second (${delay})`)
        assert.ok(
          !(await there.starts(offer, 'Asia/Tokyo')).has(TUESDAY_NINE),
          `listed anew after ${delay} ms`,
        )
      }
    }
  })

  it('learns within a second of a slug’s new owner, with any state of its caches', async () => {
    const clock = stoppedClock()
    const there = await newInstance(elsewhere, clock.now)
    for (const delay of [0, 500, 799]) {
      const user = await newUser()
      const offer = await newOffer(user, { slug: 'talk' })
      const other = await newUser({ ...weekdays(), weekly: WITHOUT_TUESDAYS })
      await newOffer(other, { slug: 'talk' })
      await moveTo(db(), user, `user-${names++}`)
      assert.ok((await there.starts(offer)).has(TUESDAY_NINE), 'the old address still leads there')
      const takenAt = clock.now()
      // As if its owner were gone: before that, nobody else gets it.
      await db().deleteFrom('old_slugs').where('target_id', '=', user.id).execute()
      await moveTo(db(), other, user.slug)
      clock.moveTo(takenAt + delay)
      await there.starts(offer, 'Asia/Tokyo')
      clock.moveTo(takenAt + SECOND)
      const listed = await there.starts(offer)
      assert.ok(!listed.has(TUESDAY_NINE), `still the old one's after a second (${delay})`)
      assert.ok(listed.size > 0)
      clock.moveTo(clock.now() + SECOND)
    }
  })

  it('does not book outside hours that another instance has just changed', async () => {
    const user = await newUser()
    const alone = await newOffer(user)
    const seated = await newOffer(user, { seats: 2 })
    const there = await newInstance(elsewhere, stoppedClock().now)
    for (const offer of [alone, seated]) assert.ok((await there.starts(offer)).has(TUESDAY_NINE))
    await closeTuesdays(db(), user)
    for (const offer of [alone, seated]) assert.equal(await there.book(offer, TUESDAY_NINE), 400)
  })

  for (const noticeMinutes of [0, 90]) {
    it(`drops a slot from a cached listing the moment it falls under a notice of ${noticeMinutes} minutes`, async () => {
      const offer = await newOffer(await newUser(), { noticeMinutes })
      const lastMoment = TUESDAY_NINE - noticeMinutes * MINUTE
      const clock = stoppedClock(lastMoment - 5)
      const { starts, book } = await newInstance(db(), clock.now)
      for (const moment of [lastMoment - 5, lastMoment - 1, lastMoment]) {
        clock.moveTo(moment)
        assert.ok((await starts(offer)).has(TUESDAY_NINE))
      }
      clock.moveTo(lastMoment + 1)
      const listed = await starts(offer)
      assert.ok(!listed.has(TUESDAY_NINE))
      assert.ok(listed.has(TUESDAY_NINE + 30 * MINUTE))
      assert.equal(await book(offer, TUESDAY_NINE), 400)
      clock.moveTo(lastMoment)
      assert.equal(await book(offer, TUESDAY_NINE), 201)
    })
  }

  it('opens the next day of a rolling window at midnight where the host is', async () => {
    const newYork = 'America/New_York'
    const offer = await newOffer(await newUser(weekdays(newYork)), { window: { kind: 'rolling', days: 2 } })
    // Monday to Tuesday in New York, which is five hours behind UTC in January.
    const midnight = MONDAY_NOON + 17 * HOUR
    const thursdayNine = midnight + 2 * DAY + 9 * HOUR
    const clock = stoppedClock(midnight - 5)
    const { starts, book } = await newInstance(db(), clock.now)
    for (const moment of [midnight - 5, midnight - 1]) {
      clock.moveTo(moment)
      assert.ok(!(await starts(offer)).has(thursdayNine))
    }
    assert.equal(await book(offer, thursdayNine), 400)
    clock.moveTo(midnight)
    assert.ok((await starts(offer)).has(thursdayNine))
    assert.equal(await book(offer, thursdayNine), 201)
  })

  it('opens the next day of a team when the last of its hosts has reached midnight', async () => {
    const hosts = [await newUser(weekdays('Europe/Paris')), await newUser(weekdays('Europe/London'))]
    const team = await addTeam(db(), `team-${names++}`)
    const offer = await newOffer(team, { window: { kind: 'rolling', days: 2 } }, hosts)
    const midnightInLondon = MONDAY_NOON + 12 * HOUR
    const thursdayTen = midnightInLondon + 2 * DAY + 10 * HOUR
    const clock = stoppedClock()
    const { starts } = await newInstance(db(), clock.now)
    const opensAt = async (moment: number) => {
      clock.moveTo(moment)
      return (await starts(offer)).has(thursdayTen)
    }
    assert.equal(await opensAt(midnightInLondon - HOUR - 5), false)
    assert.equal(await opensAt(midnightInLondon - HOUR), false)
    assert.equal(await opensAt(midnightInLondon - 5), false)
    assert.equal(await opensAt(midnightInLondon), true)
  })
})

/** What saving new hours does: the hours, and the revision by which others notice. */
const WITHOUT_TUESDAYS = { ...weekdays().weekly, 2: [] }

async function closeTuesdays(db: Db, user: Scheduler): Promise<void> {
  const weekly = JSON.stringify(WITHOUT_TUESDAYS)
  await changeElsewhere(db, user.id, (trx) =>
    trx.updateTable('schedules').set({ weekly }).where('user_id', '=', user.id).execute(),
  )
}

async function moveTo(db: Db, user: Scheduler, slug: string): Promise<void> {
  await changeElsewhere(db, user.id, async (trx) => {
    await updateScheduler(trx, { ...user, slug })
    await moveSlug(trx, {
      kind: 'scheduler',
      scope: GLOBAL_SCOPE,
      targetId: user.id,
      from: user.slug,
      to: slug,
    })
  })
}
