import assert from 'node:assert/strict'
import { randomUUIDv7 } from 'node:crypto'
import { it } from 'node:test'
import { onEveryDatabase } from '../../../test/databases.ts'
import {
  addEventType,
  addTeam,
  addUser,
  changeElsewhere,
  quietContext,
  stoppedClock,
} from '../../../test/kit.ts'
import { addCalendar } from '../../../test/rows.ts'
import { HOUR } from '../../domain/interval.ts'
import { insertBlockedGuest } from '../../store/bookings/guests/blocked-guests.ts'
import { addBusyTimes } from '../../store/calendars/busy-times.ts'
import { insertAbsence } from '../../store/event-types/absences.ts'
import { createContext } from '../context.ts'

onEveryDatabase('a bookable event type', ({ db }) => {
  it('has what there is of its hosts and its owner, at first and a second later', async () => {
    const clock = stoppedClock()
    const instance = () =>
      createContext({
        ...quietContext,
        db: db(),
        now: clock.now,
        publicUrl: 'https://book.example.com',
        captcha: { altchaSecret: 'secret', services: {} },
      })
    const [team, ada, ben] = [
      await addTeam(db(), 'crew'),
      await addUser(db(), 'ada'),
      await addUser(db(), 'ben'),
    ]
    const hosts = [ada, ben].map(({ id: hostId }) => ({ hostId, fixed: true }))
    const { slug } = await addEventType(db(), team, {}, hosts)
    const calendarId = await addCalendar(db(), ben.id)
    const open = instance()
    const read = async ({ slots } = open) => {
      const { absences, busyTimes, blocklist } = await slots.getBookable(team.slug, slug)
      return { away: [...absences.keys()], busy: [...busyTimes.keys()], blocklist: blocklist.toSorted() }
    }
    assert.deepEqual(await read(), { away: [], busy: [], blocklist: [] })

    const [startsAt, endsAt] = [clock.now() + HOUR, clock.now() + 2 * HOUR]
    const block = (schedulerId: string, entry: string) =>
      changeElsewhere(db(), schedulerId, (trx) =>
        insertBlockedGuest(trx, { id: randomUUIDv7(), schedulerId, entry, createdAt: 0 }),
      )
    await changeElsewhere(db(), ada.id, (trx) =>
      insertAbsence(trx, {
        id: randomUUIDv7(),
        userId: ada.id,
        startsAt,
        endsAt,
        note: '',
        redirectTo: null,
      }),
    )
    await changeElsewhere(db(), ben.id, (trx) =>
      addBusyTimes(trx, { id: calendarId, userId: ben.id }, [{ start: startsAt, end: endsAt }]),
    )
    await block(team.id, 'by-team.example')
    await block(ben.id, 'by-host.example')
    clock.moveTo(clock.now() + 1000)
    const all = { away: [ada.id], busy: [ben.id], blocklist: ['by-host.example', 'by-team.example'] }
    assert.deepEqual(await read(), all)
    assert.deepEqual(await read(instance()), all)
  })
})
