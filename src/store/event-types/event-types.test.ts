import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { onEveryDatabase } from '../../../test/databases.ts'
import { addEventType, addTeam, addUser, weekdays } from '../../../test/kit.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { newId } from '../new-id.ts'
import { insertAbsence } from './absences.ts'
import { findEventTypeHosts, findOwnedEventType } from './event-types.ts'

onEveryDatabase('event types', ({ db }) => {
  let ada: Scheduler
  let bob: Scheduler
  let team: Scheduler
  const eventTypes: EventType[] = []

  const add = async (owner: Scheduler, slug: string, hosts?: Parameters<typeof addEventType>[3]) => {
    eventTypes.push(await addEventType(db(), owner, { slug, name: `${slug} of ${owner.slug}` }, hosts))
  }

  before(async () => {
    ada = await addUser(db(), 'ada', weekdays('America/New_York'))
    bob = await addUser(db(), 'bob', weekdays('Asia/Kathmandu'))
    team = await addTeam(db(), 'team')
    await add(ada, 'intro')
    await add(ada, 'review')
    await add(bob, 'intro')
    await add(team, 'intro', [
      { hostId: ada.id, fixed: false },
      { hostId: bob.id, fixed: true },
    ])
    await db()
      .insertInto('blocked_guests')
      .values({ id: newId(), scheduler_id: bob.id, entry: 'nobody@guests.example', created_at: 0 })
      .execute()
    const absence = { id: newId(), userId: ada.id, startsAt: 30, endsAt: 50, note: '', redirectTo: null }
    await db()
      .transaction()
      .execute((trx) => insertAbsence(trx, absence))
  })

  it('that are asked for at the same time are each found at their own slugs', async () => {
    const asked = ['ada', 'bob', 'team', 'nobody'].flatMap((user) =>
      ['intro', 'review', 'none'].map((slug) => [user, slug] as const),
    )
    const found = await Promise.all(asked.map(([user, slug]) => findOwnedEventType(db(), user, slug)))
    const named = found.map((one) => one && [one.scheduler.id, one.eventType.name, one.isBlocking])
    assert.deepEqual(named, [
      [ada.id, 'intro of ada', false],
      [ada.id, 'review of ada', false],
      undefined,
      [bob.id, 'intro of bob', true],
      undefined,
      undefined,
      [team.id, 'intro of team', false],
      ...Array(5).fill(undefined),
    ])
  })

  it('have their own hosts, however many are asked for at the same time', async () => {
    const ids = [...eventTypes.map(({ id }) => id), newId()]
    const wanted = { liveKinds: [], awayAfter: 40 }
    const found = await Promise.all(ids.map((id) => findEventTypeHosts(db(), id, wanted)))
    const seen = found.map(({ hosts }) =>
      hosts.map(({ hostId, fixed, schedule }) => [hostId, fixed, schedule.timeZone]),
    )
    const [ofAda, ofBob] = ['America/New_York', 'Asia/Kathmandu']
    const both = [
      [ada.id, false, ofAda],
      [bob.id, true, ofBob],
    ]
    assert.deepEqual(seen, [
      [[ada.id, true, ofAda]],
      [[ada.id, true, ofAda]],
      [[bob.id, true, ofBob]],
      both,
      [],
    ])
    assert.deepEqual(
      found.map(({ away, blocking }) => [away, blocking]),
      [
        [[ada.id], []],
        [[ada.id], []],
        [[], [bob.id]],
        [[ada.id], [bob.id]],
        [[], []],
      ],
    )
    for (const [i, id] of ids.entries()) {
      assert.deepEqual(await findEventTypeHosts(db(), id, wanted), found[i])
    }
  })

  it('count absences from the earliest instant that is asked for', async () => {
    const [id = ''] = eventTypes.map((eventType) => eventType.id)
    const away = async (awayAfter: number) =>
      (await findEventTypeHosts(db(), id, { liveKinds: [], awayAfter })).away
    assert.deepEqual(await away(50), [])
    const [early] = await Promise.all([away(49), away(50)])
    assert.deepEqual(early, [ada.id])
  })
})
