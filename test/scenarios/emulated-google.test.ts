import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { GrantLost, revokeToken } from '../../src/outside/accounts/oauth.ts'
import { googleProvider } from '../../src/outside/calendars/google/google.ts'
import { getAccessToken, openTokens } from '../../src/services/calendars/access-token.ts'
import { findAnyConnection } from '../../src/store/calendars/connections.ts'
import type { Db } from '../../src/store/engine/database.ts'
import { beginConnecting, comeBack, outcomeOf } from '../connections.ts'
import { type FreshDatabase, migratedDatabase, openPatiently } from '../databases.ts'
import { bearer, type Host, signIn } from '../host-api.ts'
import { type AppUnderTest, appOn, stoppedClock } from '../kit.ts'
import { type EmulatedGoogle, startEmulatedGoogle } from '../outside/emulated-google.ts'

const ACCOUNT = 'ada@gmail.example'

describe('an account of an emulated Google', () => {
  const clock = stoppedClock()
  let google: EmulatedGoogle
  let fresh: FreshDatabase
  let db: Db
  let under: AppUnderTest
  let host: Pick<Host, 'get' | 'post' | 'del'>

  before(async () => {
    google = await startEmulatedGoogle('https://book.example.com/connections/google/callback', {
      users: [{ email: ACCOUNT, name: 'Ada' }],
      calendars: [
        { id: 'primary', user_email: ACCOUNT, summary: ACCOUNT, primary: true, access_role: 'owner' },
        { id: 'holidays', user_email: ACCOUNT, summary: 'Holidays', access_role: 'reader' },
      ],
    })
    fresh = await migratedDatabase('sqlite')
    db = openPatiently(fresh.url)
    under = await appOn(db, { now: clock.now, providers: { google: googleProvider(google.settings) } })
    const { app, mailbox } = under
    const signedIn = await signIn(app, mailbox, 'host@hosts.example')
    host = bearer(app, (await signedIn.post('/tokens', { name: 'Test', scopes: ['write'] })).json().token)
  })
  after(async () => {
    await under?.app.close()
    await db?.destroy()
    await fresh?.drop()
    await google?.close()
  })

  it('is connected, read, refreshed and revoked', async () => {
    const { authorizationUrl, cookie } = await beginConnecting(host, 'google')
    const { pathname, search } = new URL(await google.choose(authorizationUrl, ACCOUNT))
    assert.equal(outcomeOf(await comeBack(under.app, pathname + search, cookie)), 'connected')
    const [connection] = (await host.get('/connections')).json().items
    assert.equal(connection.account, ACCOUNT)
    const { calendars } = (await host.get(`/connections/${connection.id}/calendars`)).json()
    const seen = calendars.map(({ name, primary, writable }: Record<string, unknown>) => [
      name,
      primary,
      writable,
    ])
    assert.deepEqual(seen, [
      [ACCOUNT, true, true],
      ['Holidays', false, false],
    ])

    const first = await getAccessToken(under.context, connection.id)
    clock.moveTo(clock.now() + 3_600_000)
    const second = await getAccessToken(under.context, connection.id)
    assert.notEqual(second, first)
    assert.equal((await host.get(`/connections/${connection.id}/calendars`)).statusCode, 200)

    const stored = (await findAnyConnection(db, connection.id)) ?? assert.fail()
    const { refreshToken } = openTokens(under.context, stored) ?? assert.fail()
    await revokeToken(googleProvider(google.settings).oauth, refreshToken)
    clock.moveTo(clock.now() + 3_600_000)
    await assert.rejects(getAccessToken(under.context, connection.id), GrantLost)
  })
})
