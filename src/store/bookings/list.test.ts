import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { onEveryDatabase } from '../../../test/databases.ts'
import { addEventType, addTeam, addUser, MONDAY_NOON } from '../../../test/kit.ts'
import type { BookingStatus } from '../../domain/bookings/booking.ts'
import type { NewBooking } from '../../domain/bookings/listed-booking.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import type { VisibleBookings } from '../../domain/people/user.ts'
import type { Db } from '../engine/database.ts'
import { newId } from '../new-id.ts'
import { insertBooking } from './bookings.ts'
import { type BookingFilter, findBookingPage } from './list.ts'

const HOUR = 3_600_000

interface Given {
  readonly startsAt: number
  readonly status?: BookingStatus
  readonly name?: string
  readonly email?: string
}

function booking(eventType: EventType, hostId: string, given: Given): NewBooking {
  const id = newId()
  return {
    booking: {
      id,
      eventTypeId: eventType.id,
      meetingId: id,
      status: given.status ?? 'Cancelled',
      startsAt: given.startsAt,
      endsAt: given.startsAt + HOUR,
      invitee: {
        name: given.name ?? 'Grace Guest',
        email: given.email ?? 'grace@guests.example',
        phone: '',
        timeZone: 'UTC',
        locale: 'en',
      },
      guests: [],
      location: eventType.location,
      notes: '',
      customFields: {},
      source: 'API',
      utm: {},
      createdAt: 0,
      sequence: 0,
      reason: '',
    },
    schedulerId: eventType.schedulerId,
    hostId,
    seat: 1,
    seats: 1,
    duplicateKey: id,
  }
}

const allOf = (ids: readonly string[]) => ids.map((schedulerId) => ({ schedulerId }))

/** Reads every page of a list. */
async function readAll(
  db: Db,
  owners: readonly VisibleBookings[],
  filter: Partial<BookingFilter>,
  limit: number,
) {
  const pages: string[][] = []
  let after = filter.after
  for (;;) {
    const asked: BookingFilter = { statuses: [], order: 'asc', ...filter, ...(after && { after }) }
    const { found, searchedTo } = await findBookingPage(db, owners, asked, limit)
    pages.push(found.map(({ booking }) => booking.id))
    const last = found.length === limit ? found.at(-1)?.booking : undefined
    const next = last ? { at: last.startsAt, id: last.id } : searchedTo
    if (next === undefined) return pages
    after = next
  }
}

onEveryDatabase('a list of bookings', ({ db }) => {
  let host: Scheduler

  before(async () => {
    host = await addUser(db(), 'ada')
  })

  const add = (eventType: EventType, given: readonly Given[], hostId = host.id) =>
    db()
      .transaction()
      .execute(async (trx) => {
        const added = given.map((one) => booking(eventType, hostId, one))
        for (const one of added) await insertBooking(trx, one)
        return added.map((one) => one.booking)
      })

  const byPlace = (a: { startsAt: number; id: string }, b: { startsAt: number; id: string }) =>
    a.startsAt - b.startsAt || (a.id < b.id ? -1 : 1)

  it('has every booking of several owners once, in order, for any page size', async () => {
    const owners = [await addTeam(db(), 'one'), await addTeam(db(), 'two'), await addTeam(db(), 'three')]
    const all: { startsAt: number; id: string }[] = []
    for (const [number, owner] of owners.entries()) {
      const eventType = await addEventType(db(), owner, {}, [{ hostId: host.id, fixed: true }])
      // Many start at the same time, also of different owners.
      const starts = Array.from({ length: 20 }, (_, i) => MONDAY_NOON + ((i * (number + 3)) % 7) * HOUR)
      all.push(
        ...(await add(
          eventType,
          starts.map((startsAt) => ({ startsAt })),
        )),
      )
    }
    const stranger = await addEventType(db(), await addTeam(db(), 'stranger'), {}, [])
    await add(stranger, [{ startsAt: MONDAY_NOON }])
    const ascending = all.toSorted(byPlace).map(({ id }) => id)
    const ids = allOf(owners.map(({ id }) => id))
    for (const limit of [1, 2, 7, 59, 60, 61]) {
      assert.deepEqual((await readAll(db(), ids, {}, limit)).flat(), ascending, `asc by ${limit}`)
      const descending = (await readAll(db(), ids, { order: 'desc' }, limit)).flat()
      assert.deepEqual(descending, ascending.toReversed(), `desc by ${limit}`)
    }
    assert.deepEqual(await readAll(db(), [], {}, 10), [[]])
  })

  it('finds rare matches page by page, without reading everything at once', async () => {
    const owners = [await addTeam(db(), 'busy'), await addTeam(db(), 'busier')]
    const wanted: { startsAt: number; id: string }[] = []
    for (const owner of owners) {
      const eventType = await addEventType(db(), owner, {}, [{ hostId: host.id, fixed: true }])
      const crowd = Array.from({ length: 7000 }, (_, i) => ({ startsAt: MONDAY_NOON + i * HOUR }))
      for (let from = 0; from < crowd.length; from += 500) {
        const rows = crowd.slice(from, from + 500).map((given) => rowOf(booking(eventType, host.id, given)))
        await db().insertInto('bookings').values(rows).execute()
      }
      const rare = [0, 400, 3500, 6999].map((i) => ({ startsAt: MONDAY_NOON + i * HOUR }))
      wanted.push(
        ...(await add(
          eventType,
          rare.map((given) => ({ ...given, name: 'Needle' })),
        )),
      )
    }
    const expected = wanted.toSorted(byPlace).map(({ id }) => id)
    const ids = allOf(owners.map(({ id }) => id))
    for (const order of ['asc', 'desc'] as const) {
      const pages = await readAll(db(), ids, { text: 'needle', order }, 3)
      assert.deepEqual(pages.flat(), order === 'asc' ? expected : expected.toReversed())
    }
    const nothing = await readAll(db(), ids, { text: 'nowhere' }, 3)
    assert.ok(nothing.length > 1)
    assert.deepEqual(nothing.flat(), [])

    // Someone who sees all of one team, and of the other what they host.
    const [busy, busier] = ids
    const member = await addUser(db(), 'member')
    const eventType = await addEventType(db(), owners[1] as Scheduler, { slug: 'theirs' }, [])
    const hosted = await add(
      eventType,
      [10, 5000].map((i) => ({ startsAt: MONDAY_NOON + i * HOUR, name: 'Needle' })),
      member.id,
    )
    const limited = { ...(busier as VisibleBookings), hostId: member.id }
    const alone = await readAll(db(), [{ ...(busy as VisibleBookings), hostId: member.id }, limited], {}, 50)
    assert.ok(alone.length > 1)
    assert.deepEqual(
      alone.flat(),
      hosted.map(({ id }) => id),
    )
    const seen = await readAll(db(), [busy as VisibleBookings, limited], { text: 'needle' }, 3)
    const visible = [...wanted.slice(0, 4), ...hosted].toSorted(byPlace)
    assert.deepEqual(
      seen.flat(),
      visible.map(({ id }) => id),
    )
  })

  it('takes more owners than fit into one statement', async () => {
    const ids: string[] = []
    const all: { startsAt: number; id: string }[] = []
    for (let i = 0; i < 210; i++) {
      const owner = await addTeam(db(), `many-${i}`)
      const eventType = await addEventType(db(), owner, {}, [])
      ids.push(owner.id)
      all.push(...(await add(eventType, [{ startsAt: MONDAY_NOON + ((i * 37) % 210) * HOUR }])))
    }
    const expected = all.toSorted(byPlace).map(({ id }) => id)
    assert.deepEqual((await readAll(db(), allOf(ids), {}, 100)).flat(), expected)
    assert.deepEqual((await readAll(db(), allOf(ids), { order: 'desc' }, 100)).flat(), expected.toReversed())
    assert.deepEqual((await readAll(db(), allOf(ids), { statuses: ['Cancelled'] }, 100)).flat(), expected)
  })

  it('finds a text in names and addresses, in any case, and takes wildcards literally', async () => {
    const owner = await addTeam(db(), 'named')
    const eventType = await addEventType(db(), owner, {}, [{ hostId: host.id, fixed: true }])
    const guests: [name: string, email: string][] = [
      ['Änne Ångström', 'aenne@guests.example'],
      ['ÄNNE ÅNGSTRÖM', 'capitals@guests.example'],
      ['änne ångström', 'small@guests.example'],
      ['100% Real_Name', 'percent@guests.example'],
      ['100 RealXName', 'Plain@Guests.Example'],
      ['O’Neil\\Back', 'back@slash.example'],
    ]
    await add(
      eventType,
      guests.map(([name, email], i) => ({ startsAt: MONDAY_NOON + i * HOUR, name, email })),
    )
    const find = async (text: string) => {
      const { found } = await findBookingPage(
        db(),
        allOf([owner.id]),
        { statuses: [], order: 'asc', text },
        50,
      )
      return found.map(({ booking }) => guests.findIndex(([name]) => name === booking.invitee.name))
    }
    assert.deepEqual(await find('änne å'), [0, 1, 2])
    assert.deepEqual(await find('ÄNNE'), [0, 1, 2])
    assert.deepEqual(await find('ngstr'), [0, 1, 2])
    assert.deepEqual(await find('0%'), [3])
    assert.deepEqual(await find('L_N'), [3])
    assert.deepEqual(await find('plain@guests'), [4])
    assert.deepEqual(await find('l\\b'), [5])
    assert.deepEqual(await find('%'), [3])
    assert.deepEqual(await find("' or '1'='1"), [])
  })
})

/** The row that `insertBooking` would insert, so that one statement can insert thousands. */
function rowOf({ booking, schedulerId, hostId, seat, seats, duplicateKey }: NewBooking) {
  const { invitee, location } = booking
  return {
    id: booking.id,
    scheduler_id: schedulerId,
    event_type_id: booking.eventTypeId,
    meeting_id: booking.meetingId,
    host_id: hostId,
    seat,
    seats,
    status: booking.status,
    starts_at: booking.startsAt,
    ends_at: booking.endsAt,
    invitee_name: invitee.name,
    invitee_email: invitee.email,
    invitee_phone: invitee.phone,
    invitee_time_zone: invitee.timeZone,
    invitee_locale: invitee.locale,
    location_type: location.type,
    location_value: location.value,
    notes: booking.notes,
    custom_fields: '{}',
    source: booking.source,
    duplicate_key: duplicateKey,
    guest: invitee.email,
    created_at: booking.createdAt,
  }
}
