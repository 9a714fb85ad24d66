import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { addTeamOf, bookHour, SECRETS, settle, TUESDAY_TEN } from '../../../../test/account.ts'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { bearer, type Host, signIn } from '../../../../test/host-api.ts'
import { type AppUnderTest, appOn, fromSomeoneNew, stoppedClock } from '../../../../test/kit.ts'

onEveryDatabase('GET /api/admin/me/export', ({ db }) => {
  const clock = stoppedClock()
  let under: AppUnderTest
  let ada: Host
  let bob: Host

  before(async () => {
    under = await appOn(db(), { signup: 'open', now: clock.now })
    ada = await signIn(under.app, under.mailbox, 'ada@hosts.example')
    bob = await signIn(under.app, under.mailbox, 'bob@hosts.example')
  })
  after(() => under.app.close())

  it('is a file with all that is theirs, and nothing of others, nor a secret', async () => {
    await settle(under.app, db(), ada)
    await settle(under.app, db(), bob)
    const team = await addTeamOf(db(), bob, [ada])
    await bob.put(`/teams/${team}/attributes`, [{ key: 'region', label: 'Region', type: 'text' }])
    await bob.patch(`/teams/${team}/members/${ada.user.id}`, { attributes: { region: 'EMEA' } })
    for (const { user } of [ada, bob]) {
      const booked = await bookHour(under.app, `${user.slug}/talk`, TUESDAY_TEN)
      assert.equal(booked.statusCode, 201, booked.body)
      const answered = await under.app.inject({
        method: 'POST',
        url: `/api/public/routing/${user.slug}/contact/evaluate`,
        payload: { answers: { note: `A note to ${user.slug}` } },
        headers: fromSomeoneNew(),
      })
      assert.equal(answered.statusCode, 200, answered.body)
    }

    const reply = await ada.get('/me/export')
    assert.equal(reply.statusCode, 200, reply.body)
    assert.equal(reply.headers['content-disposition'], 'attachment; filename="ada-account.json"')
    const file = reply.json()
    const [user, ...others] = file.workspace.users
    assert.deepEqual(others, [])
    assert.equal(user.email, 'ada@hosts.example')
    assert.deepEqual(
      user.eventTypes.map(({ slug }: { slug: string }) => slug),
      ['talk'],
    )
    assert.equal(user.absences[0].note, 'Away')
    assert.equal(file.workspace.bookings.length, 1)
    assert.deepEqual(file.formResponses[0].answers, { note: 'A note to ada' })
    assert.equal(file.webhooks[0].url, 'https://hooks.example/ada')
    assert.equal(file.calendars[0].username, 'ada')
    assert.equal(file.connections[0].account, 'ada@provider.example')
    assert.deepEqual(file.teams, [
      { slug: 'bob-team', name: 'Team of bob', role: 'member', attributes: { region: 'EMEA' } },
    ])
    assert.equal(file.apiTokens[0].name, 'Token of ada')
    for (const secret of SECRETS) assert.doesNotMatch(reply.body, new RegExp(secret))
    assert.doesNotMatch(reply.body, /bob@|note to bob|hooks\.example\/bob/)
  })

  it('is not for API tokens', async () => {
    const { token } = (await ada.post('/tokens', { name: 'Reader', scopes: ['write'] })).json()
    const refused = await bearer(under.app, token).get('/me/export')
    assert.equal(refused.statusCode, 403)
    assert.match(refused.json().error, /Sign in for that/)
  })
})
