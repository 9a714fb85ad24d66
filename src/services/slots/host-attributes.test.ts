import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEveryDatabase } from '../../../test/databases.ts'
import { addEventType, addTeam, addUser, quietContext } from '../../../test/kit.ts'
import { rotatingHostOf } from '../../domain/bookings/bookable.ts'
import { updateMemberAttributes } from '../../store/people/attributes.ts'
import { insertTeamMember } from '../../store/people/members.ts'
import { createContext } from '../context.ts'

onEveryDatabase('attributes of hosts', ({ db }) => {
  it('are the same object for hosts with the same values', async () => {
    const team = await addTeam(db(), 'team')
    const regions = new Map<string, string | undefined>()
    for (const [number, region] of ['EMEA', undefined, 'EMEA', 'APAC', 'emea', undefined].entries()) {
      const { id } = await addUser(db(), `host-${number}`)
      await insertTeamMember(db(), { teamId: team.id, userId: id, role: 'member' }, 0)
      const given = region === undefined ? {} : { region }
      await db()
        .transaction()
        .execute((trx) => updateMemberAttributes(trx, team.id, id, given))
      regions.set(id, region)
    }
    const hosts = [...regions.keys()].map((hostId) => ({ hostId, fixed: false }))
    await addEventType(db(), team, { slug: 'call', assignment: 'round-robin' }, hosts)
    const captcha = { altchaSecret: 'secret', services: {} }
    const { slots } = createContext({ ...quietContext, db: db(), publicUrl: 'http://localhost', captcha })

    const bookable = await slots.getBookable('team', 'call')
    const { values, valuesOfGroup } = await slots.getHostAttributes(bookable)
    // As they are written: EMEA, emea, APAC and nothing.
    assert.equal(values.length, 4)
    for (const [index, group] of bookable.groups.entries()) {
      const set = values[valuesOfGroup[index] as number]
      assert.equal(set?.get('region'), regions.get(rotatingHostOf(group))?.toLowerCase())
    }
  })
})
