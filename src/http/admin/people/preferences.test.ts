import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { type Host, signIn } from '../../../../test/host-api.ts'
import { appOn } from '../../../../test/kit.ts'

onEveryDatabase('the preferences of a user', ({ db }) => {
  let ada: Host

  before(async () => {
    const { app, mailbox } = await appOn(db(), { signup: 'open' })
    ada = await signIn(app, mailbox, 'ada@hosts.example')
  })

  const read = async () => {
    const { timeFormat, weekStart, name } = (await ada.get('/me')).json()
    return { timeFormat, weekStart, name }
  }

  it('follow the browser until they are set', async () => {
    const { timeFormat, weekStart } = await read()
    assert.deepEqual([timeFormat, weekStart], ['auto', 'auto'])
  })

  it('change one at a time, beside the page', async () => {
    const { name } = await read()
    assert.equal((await ada.patch('/me', { timeFormat: '12h' })).json().timeFormat, '12h')
    assert.equal((await ada.patch('/me', { weekStart: 'sunday' })).json().weekStart, 'sunday')
    await ada.patch('/me', { name: 'Ada' })
    assert.deepEqual(await read(), { timeFormat: '12h', weekStart: 'sunday', name: 'Ada' })
    await ada.patch('/me', { name, timeFormat: '24h' })
    assert.deepEqual(await read(), { timeFormat: '24h', weekStart: 'sunday', name })
    const [change] = (await ada.get('/audit')).json().items
    assert.deepEqual(change.changes.toSorted(), ['name', 'timeFormat'])
  })

  it('refuse anything else', async () => {
    const before = await read()
    for (const input of [
      { timeFormat: '25h' },
      { timeFormat: '' },
      { weekStart: 'friday' },
      { weekStart: 1 },
    ]) {
      assert.equal((await ada.patch('/me', input)).statusCode, 400, JSON.stringify(input))
    }
    assert.deepEqual(await read(), before)
  })

  it('say du in German to a user or the guests of a team that chose it', async () => {
    assert.equal((await ada.get('/me')).json().germanAddress, 'sie')
    assert.equal((await ada.patch('/me', { germanAddress: 'ihr' })).statusCode, 400)
    assert.equal((await ada.patch('/me', { germanAddress: 'du' })).json().germanAddress, 'du')
    const team = (await ada.post('/teams', { slug: 'choir', name: 'Choir' })).json()
    assert.equal(team.germanAddress, 'du', 'a team begins as the user who adds it has chosen')
    await ada.patch(`/teams/${team.id}`, { germanAddress: 'sie' })
    assert.equal((await ada.get(`/teams/${team.id}`)).json().germanAddress, 'sie')
  })

  it('are no matter of teams', async () => {
    const team = (await ada.post('/teams', { slug: 'crew', name: 'Crew', timeFormat: '12h' })).json()
    assert.equal('timeFormat' in team, false)
  })
})
