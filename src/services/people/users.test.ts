import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { onEveryDatabase } from '../../../test/databases.ts'
import { addEventType, addTeam, addUser, contextOn, stoppedClock, weekdays } from '../../../test/kit.ts'
import type { Context } from '../context.ts'
import { disableUser, enableUser } from './users.ts'

const OPERATOR = { userId: null, email: 'operator' }

onEveryDatabase('disabled users', ({ db }) => {
  let here: Context
  let there: Context
  const clock = stoppedClock()
  before(async () => {
    ;({ context: here } = contextOn(db(), { now: clock.now }))
    ;({ context: there } = contextOn(db(), { now: clock.now }))
  })

  it('are no longer offered by their teams, at once here and within a second elsewhere, until they are enabled', async () => {
    const [ada, ben] = [await addUser(db(), 'ada', weekdays()), await addUser(db(), 'ben', weekdays())]
    const team = await addTeam(db(), 'crew')
    const seats = [ada, ben].map(({ id }) => ({ hostId: id, fixed: false }))
    const talk = await addEventType(db(), team, { slug: 'talk', assignment: 'round-robin' }, seats)
    const hostsAt = async (context: Context) =>
      (await context.slots.getBookable(team.slug, talk.slug)).hostIds.toSorted()
    const both = [ada.id, ben.id].sort()
    assert.deepEqual([await hostsAt(here), await hostsAt(there)], [both, both])

    await disableUser(here, OPERATOR, 'ben@hosts.example')
    assert.deepEqual(await hostsAt(here), [ada.id])
    clock.moveTo(clock.now() + 1000)
    assert.deepEqual(await hostsAt(there), [ada.id])

    await enableUser(here, OPERATOR, 'ben@hosts.example')
    assert.deepEqual(await hostsAt(here), both)
    clock.moveTo(clock.now() + 1000)
    assert.deepEqual(await hostsAt(there), both)
  })

  it('are never the last admin', async () => {
    const [una, vic] = [await addUser(db(), 'una', weekdays()), await addUser(db(), 'vic', weekdays())]
    const ids = [una.id, vic.id]
    await db().updateTable('schedulers').set({ admin: 1 }).where('id', 'in', ids).execute()
    const both = await Promise.allSettled([
      disableUser(here, OPERATOR, 'una@hosts.example'),
      disableUser(there, OPERATOR, 'vic@hosts.example'),
    ])
    const refused = both.filter((outcome) => outcome.status === 'rejected')
    assert.equal(refused.length, 1)
    assert.match(String(refused[0]?.reason), /is the only admin here/)
  })
})
