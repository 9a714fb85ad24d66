import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR } from '../../src/domain/interval.ts'
import { googleProvider } from '../../src/outside/calendars/google/google.ts'
import { microsoftProvider } from '../../src/outside/calendars/microsoft/microsoft.ts'
import { zoomProvider } from '../../src/outside/links/zoom/zoom.ts'
import type { Db } from '../../src/store/engine/database.ts'
import { connect } from '../connections.ts'
import { signIn } from '../host-api.ts'
import { addUser, appOn, bookingOf, fromSomeoneNew, plainEventType, quietContext } from '../kit.ts'
import { ADA, startGoogle } from '../outside/google.ts'
import { startMicrosoft } from '../outside/microsoft.ts'
import { startZoom } from '../outside/zoom.ts'
import { alwaysOpen, FUTURE_MIDNIGHT, freshHome, startServer } from '../server-process.ts'
import { startSmtpSink } from '../smtp-sink.ts'

// The server is killed while three providers are making what it asked for. Their answers reach nobody.

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`kill -9 while bookings are written, on ${engine}`, () => {
    it('leaves one event and one link for each booking', { timeout: 400_000 }, async (t) => {
      const home = await freshHome(engine)
      t.after(() => home.remove())
      const [google, microsoft, zoom, sink] = [
        await startGoogle(),
        await startMicrosoft(),
        await startZoom(),
        await startSmtpSink(),
      ]
      for (const one of [google, microsoft, zoom, sink]) t.after(() => one.close())

      await addUser(home.db, 'ada', alwaysOpen)
      const providers = {
        google: googleProvider(google.settings),
        microsoft: microsoftProvider(microsoft.settings),
        zoom: zoomProvider(zoom.settings),
      }
      const { app, mailbox } = await appOn(home.db, { providers })
      const host = await signIn(app, mailbox, 'ada@hosts.example')
      const calendar = async (kind: 'google' | 'microsoft', externalId: string) => {
        const connectionId = await connect(app, host, kind, kind === 'google' ? google : microsoft)
        const body = { kind, connectionId, externalId, busy: false, writeTo: kind === 'google' }
        const answer = await host.post('/calendars', body)
        assert.equal(answer.statusCode, 201, answer.body)
        return answer.json().id as string
      }
      await calendar('google', ADA.address)
      const outlook = await calendar('microsoft', 'AAMkAGI2-calendar=')
      await connect(app, host, 'zoom', zoom)
      const manage: string[] = []
      for (const [index, provider] of (['google-meet', 'microsoft-teams', 'zoom'] as const).entries()) {
        const made = await host.post('/event-types', {
          slug: provider,
          name: provider,
          durationMinutes: 60,
          reminderMinutes: [],
          abuse: plainEventType().abuse,
          location: { type: 'Video', value: '', provider },
          writeToCalendarId: provider === 'microsoft-teams' ? outlook : null,
        })
        assert.equal(made.statusCode, 201, made.body)
        const booked = await app.inject({
          method: 'POST',
          url: `/api/public/scheduling/${host.user.slug}/${provider}/book`,
          payload: bookingOf(plainEventType({ durationMinutes: 60 }), FUTURE_MIDNIGHT + index * HOUR),
          headers: fromSomeoneNew(),
        })
        assert.equal(booked.statusCode, 201, booked.body)
        manage.push(String(booked.headers.location).replace('https://book.example.com', ''))
      }

      const start = () =>
        startServer(home, {
          SMTP_URL: sink.url,
          JWT_SECRET: quietContext.jwtSecret,
          GOOGLE_CLIENT_ID: google.settings.clientId,
          GOOGLE_CLIENT_SECRET: google.settings.clientSecret,
          GOOGLE_TOKEN_URL: google.settings.tokenUrl,
          GOOGLE_API_URL: google.settings.apiUrl,
          MICROSOFT_CLIENT_ID: microsoft.settings.clientId,
          MICROSOFT_CLIENT_SECRET: microsoft.settings.clientSecret,
          MICROSOFT_LOGIN_URL: microsoft.settings.loginUrl,
          MICROSOFT_GRAPH_URL: microsoft.settings.graphUrl,
          ZOOM_CLIENT_ID: zoom.settings.clientId,
          ZOOM_CLIENT_SECRET: zoom.settings.clientSecret,
          ZOOM_OAUTH_URL: zoom.settings.oauthUrl,
          ZOOM_API_URL: zoom.settings.apiUrl,
        })
      const paths = [
        [google, /\/events$/],
        [microsoft, /\/events$/],
        [zoom, /\/users\/me\/meetings$/],
      ] as const
      for (const [standIn, path] of paths) standIn.misbehave(path, 'silent')
      const asked = Promise.all(paths.map(([standIn, path]) => standIn.nextAsked(path)))
      const killed = await start()
      t.after(() => killed.send('SIGKILL'))
      await asked
      killed.send('SIGKILL')
      await killed.exited
      for (const [standIn] of paths) standIn.release()
      await letTimePass(home.db)

      const server = await start()
      t.after(() => server.send('SIGKILL'))
      await untilDone(home.db)
      server.send('SIGTERM')
      await server.exited
      assert.deepEqual(google.written.current.map(({ summary }) => summary).sort(), [
        'google-meet: Grace Guest',
        'zoom: Grace Guest',
      ])
      assert.deepEqual(
        microsoft.written.current.map(({ subject }) => subject),
        ['microsoft-teams: Grace Guest'],
      )
      assert.equal(zoom.meetings.length, 1)
      const links = await Promise.all(
        manage.map(async (url) => (await app.inject({ url })).json().location.value),
      )
      assert.deepEqual(links, [
        google.written.current.find(({ hangoutLink }) => hangoutLink)?.hangoutLink,
        `https://teams.example/l/${microsoft.written.current[0]?.id}`,
        `https://zoom.example/j/${zoom.meetings[0]?.id}?pwd=secret`,
      ])
      assert.doesNotMatch(killed.output() + server.output(), /Bearer|access_token|pwd=/)
      await app.close()
    })
  })
}

/** Leases of the dead worker expire, and retries become due. */
async function letTimePass(db: Db): Promise<void> {
  await db.updateTable('outbox').set({ leased_until: null, due_at: Date.now() }).execute()
}

async function untilDone(db: Db): Promise<void> {
  for (;;) {
    const rows = await db.selectFrom('outbox').select(['kind', 'failed_at', 'error']).execute()
    for (const { failed_at, kind, error } of rows)
      assert.equal(failed_at, null, `${kind} was given up: ${error}`)
    if (rows.length === 0) return
    await sleep(20)
  }
}
