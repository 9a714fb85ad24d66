import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { connect } from '../../../../test/connections.ts'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { type Host, signIn } from '../../../../test/host-api.ts'
import { appOn, stoppedClock } from '../../../../test/kit.ts'
import { type GoogleStandIn, startGoogle } from '../../../../test/outside/google.ts'
import { type MicrosoftStandIn, startMicrosoft } from '../../../../test/outside/microsoft.ts'
import { googleProvider } from '../../../outside/calendars/google/google.ts'
import { microsoftProvider } from '../../../outside/calendars/microsoft/microsoft.ts'

onEveryDatabase('calendars of connected accounts in the host API', ({ db }) => {
  let app: FastifyInstance
  let host: Host
  let google: GoogleStandIn
  let microsoft: MicrosoftStandIn
  let connectionId: string
  const clock = stoppedClock()

  before(async () => {
    google = await startGoogle({ now: clock.now })
    microsoft = await startMicrosoft({ now: clock.now })
    const providers = {
      google: googleProvider(google.settings),
      microsoft: microsoftProvider(microsoft.settings),
    }
    const under = await appOn(db(), { now: clock.now, signup: 'open', providers })
    app = under.app
    host = await signIn(app, under.mailbox, 'host@hosts.example')
    connectionId = await connect(app, host, 'google', google)
  })
  after(async () => {
    await app.close()
    await google.close()
    await microsoft.close()
  })

  const team = (more: object = {}) => ({
    kind: 'google',
    connectionId,
    externalId: 'team@group.example',
    ...more,
  })

  it('are chosen from an account, changed and disconnected', async () => {
    const made = await host.post('/calendars', team({ writeTo: true }))
    assert.equal(made.statusCode, 201, made.body)
    const view = made.json()
    assert.deepEqual(
      [view.kind, view.name, view.url, view.connectionId, view.externalId, view.busy, view.writeTo],
      ['google', 'Team', '', connectionId, 'team@group.example', true, true],
    )
    assert.deepEqual((await host.get(`/calendars/${view.id}`)).json(), view)
    const again = await host.post('/calendars', team())
    assert.equal(again.statusCode, 400)
    assert.match(again.json().error, /already connected/)

    const changed = await host.patch(`/calendars/${view.id}`, { name: 'Ours', busy: false, writeTo: false })
    assert.deepEqual(
      [changed.json().name, changed.json().busy, changed.json().writeTo],
      ['Ours', false, false],
    )
    const moved = await host.patch(`/calendars/${view.id}`, { url: 'https://calendar.example/x.ics' })
    assert.equal(moved.statusCode, 400)
    assert.match(moved.json().error, /connected account/)
    assert.equal((await host.del(`/calendars/${view.id}`)).statusCode, 204)
  })

  it('are refused with the reason', async () => {
    const microsoftId = await connect(app, host, 'microsoft', microsoft)
    const nobodys = '00000000-0000-4000-8000-000000000000'
    const wrong: [object, number, string | undefined, RegExp][] = [
      [team({ externalId: 'nowhere' }), 400, 'externalId', /^The connected account has no such calendar\.$/],
      [
        team({ externalId: 'holidays@group.example', writeTo: true }),
        400,
        'writeTo',
        /^You can’t add events to “Holidays”/,
      ],
      [team({ connectionId: nobodys }), 404, undefined, /nothing here/],
      [
        team({ connectionId: microsoftId }),
        400,
        'connectionId',
        /^This account is at Microsoft, not at Google\.$/,
      ],
      [team({ connectionId: undefined }), 400, 'connectionId', /^The connected account is required\.$/],
      [team({ externalId: undefined }), 400, 'externalId', /^The calendar is required\.$/],
    ]
    for (const [body, status, field, sentence] of wrong) {
      const answer = await host.post('/calendars', body)
      assert.equal(answer.statusCode, status, answer.body)
      assert.match(answer.json().error, sentence)
      assert.equal(answer.headers['error-field'], field)
    }
    const holidays = (await host.post('/calendars', team({ externalId: 'holidays@group.example' }))).json()
    const written = await host.patch(`/calendars/${holidays.id}`, { writeTo: true })
    assert.equal(written.statusCode, 400, written.body)
    assert.match(written.json().error, /^You can’t add events to “Holidays”/)
    assert.equal(holidays.writable, false)
    const chosen = await host.post('/event-types', {
      slug: 'talk',
      name: 'Talk',
      durationMinutes: 30,
      writeToCalendarId: holidays.id,
    })
    assert.equal(chosen.statusCode, 400, chosen.body)
    assert.match(chosen.json().error, /^Bookings can’t be added to a calendar that you can only read\./)
    await host.del(`/calendars/${holidays.id}`)
  })

  it('go with their account', async () => {
    const { id } = (await host.post('/calendars', team())).json()
    await host.del(`/connections/${connectionId}`)
    assert.equal((await host.get(`/calendars/${id}`)).statusCode, 404)
    connectionId = await connect(app, host, 'google', google)
  })
})
