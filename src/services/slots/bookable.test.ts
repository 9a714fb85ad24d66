import assert from 'node:assert/strict'
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
import { EVENT_TYPE_DEFAULTS } from '../../domain/event-types/event-type.ts'
import { HOUR } from '../../domain/interval.ts'
import { insertBlockedGuest } from '../../store/bookings/guests/blocked-guests.ts'
import { addBusyTimes } from '../../store/calendars/busy-times.ts'
import { insertAbsence } from '../../store/event-types/absences.ts'
import { newId } from '../../store/new-id.ts'
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
        insertBlockedGuest(trx, { id: newId(), schedulerId, entry, createdAt: 0 }),
      )
    await changeElsewhere(db(), ada.id, (trx) =>
      insertAbsence(trx, {
        id: newId(),
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

  it('is read once for all who ask meanwhile, and again after a change of our own or a second', async () => {
    const clock = stoppedClock()
    const { slots } = createContext({
      ...quietContext,
      db: db(),
      now: clock.now,
      publicUrl: 'https://book.example.com',
      captcha: { altchaSecret: 'secret', services: {} },
    })
    const eve = await addUser(db(), 'eve')
    const { slug } = await addEventType(db(), eve)
    const ask = () => slots.getBookable('eve', slug)
    const asked = [ask(), ask()]
    slots.settingsChanged([eve.id])
    asked.push(ask())
    clock.moveTo(clock.now() + 1000)
    asked.push(ask(), ask())
    assert.equal(slots.readCounts.primary, 3)
    const [first, shared, changed, late, together] = await Promise.all(asked)
    assert.equal(shared, first)
    assert.notEqual(changed, first)
    assert.notEqual(late, changed)
    assert.equal(together, late)

    const nothing = ['none', 'none'].map((other) => slots.getBookable('eve', other))
    assert.equal(slots.readCounts.primary, 4)
    for (const asking of nothing) await assert.rejects(async () => asking, { code: 'not_found' })
    await assert.rejects(async () => slots.getBookable('eve', 'none'), { code: 'not_found' })
    assert.equal(slots.readCounts.primary, 5, 'a failure is shared, and not kept')
  })

  it('shares settings with others that have the same', async () => {
    const clock = stoppedClock()
    const { slots } = createContext({
      ...quietContext,
      db: db(),
      now: clock.now,
      publicUrl: 'https://book.example.com',
      captcha: { altchaSecret: 'secret', services: {} },
    })
    const read = async (slug: string, blocklist: readonly string[]) => {
      const owner = await addUser(db(), slug)
      const abuse = { ...EVENT_TYPE_DEFAULTS.abuse, blocklist }
      const { slug: eventSlug } = await addEventType(db(), owner, { abuse })
      return (await slots.getBookable(slug, eventSlug)).eventType
    }
    const [one, same, other] = [
      await read('one', []),
      await read('same', []),
      await read('other', ['x.example']),
    ]
    assert.equal(one.abuse, same.abuse)
    assert.equal(one.reminderMinutes, other.reminderMinutes)
    assert.deepEqual([one.abuse.blocklist, other.abuse.blocklist], [[], ['x.example']])
  })
})
