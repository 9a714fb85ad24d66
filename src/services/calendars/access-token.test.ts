import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { connect } from '../../../test/connections.ts'
import { onEveryDatabase, openPatiently } from '../../../test/databases.ts'
import { type Host, signInWithToken } from '../../../test/host-api.ts'
import { jobsOf } from '../../../test/jobs.ts'
import { type AppUnderTest, appOn, stoppedClock } from '../../../test/kit.ts'
import { type MicrosoftStandIn, startMicrosoft } from '../../../test/outside/microsoft.ts'
import { HOUR } from '../../domain/interval.ts'
import { say } from '../../domain/sentence.ts'
import { GrantLost } from '../../outside/accounts/oauth.ts'
import { microsoftProvider } from '../../outside/calendars/microsoft/microsoft.ts'
import { findAnyConnection } from '../../store/calendars/connections.ts'
import type { Db } from '../../store/engine/database.ts'
import { tellConnectionLost } from '../../worker/handlers/tell-connection-lost.ts'
import { createContext } from '../context.ts'
import { getAccessToken, withAccess } from './access-token.ts'

const TOKEN = /\/token$/

onEveryDatabase('access tokens', ({ db, url, engine }) => {
  // Several instances share a PostgreSQL alone; on SQLite, a few rounds show that the same code works.
  const rounds = engine === 'postgres' ? 100 : 5
  const clock = stoppedClock()
  let microsoft: MicrosoftStandIn
  let under: AppUnderTest
  let host: Pick<Host, 'post' | 'get'>
  let id: string

  before(async () => {
    microsoft = await startMicrosoft({ now: clock.now })
    const providers = { microsoft: microsoftProvider(microsoft.settings) }
    under = await appOn(db(), { now: clock.now, signup: 'open', providers })
    host = await signInWithToken(under.app, under.mailbox, 'host@hosts.example')
    id = await connect(under.app, host, 'microsoft', microsoft)
  })
  after(async () => {
    await under.app.close()
    await microsoft.close()
  })

  const refreshes = () => microsoft.asked.filter((one) => TOKEN.test(one)).length
  const token = () => getAccessToken(under.context, id)
  const stored = async () => (await findAnyConnection(db(), id)) ?? assert.fail()

  it('are kept while they are valid, and replaced a minute before they end', async () => {
    const before = refreshes()
    const first = await token()
    assert.equal(await token(), first)
    assert.equal(refreshes(), before)
    clock.moveTo(clock.now() + HOUR - 60_001)
    assert.equal(await token(), first)
    clock.moveTo(clock.now() + 2)
    const second = await token()
    assert.notEqual(second, first)
    assert.equal(refreshes(), before + 1)
    assert.equal(await token(), second)
  })

  it('are replaced once when the provider refuses one early', async () => {
    microsoft.oauth.endAccessTokens()
    const before = refreshes()
    const { findCalendars } = microsoftProvider(microsoft.settings)
    assert.equal((await withAccess(under.context, id, findCalendars)).length, 2)
    assert.equal(refreshes(), before + 1)
    const refused = (number: number) =>
      Array.from({ length: number }, () => ({ status: 401, body: { error: { code: 'Nope' } } }))
    microsoft.misbehave(/calendars/, ...refused(2))
    await assert.rejects(withAccess(under.context, id, findCalendars), { code: 'unauthorized' })
    assert.equal((await stored()).status, 'ok')
  })

  it('stay refreshable when the provider fails, and the host sees why', async () => {
    clock.moveTo(clock.now() + HOUR)
    microsoft.misbehave(TOKEN, { status: 503 }, 'reset', { status: 401, body: { error: 'invalid_client' } })
    for (const code of ['unavailable', 'unavailable', 'refused']) await assert.rejects(token(), { code })
    const { status, lastError } = await stored()
    assert.equal(status, 'ok')
    assert.match(say(lastError), /^Microsoft refuses this service’s client \(invalid_client\)\./)
    await token()
    assert.equal(say((await stored()).lastError), '')
  })

  it('are refreshed by one of two instances, time after time, and never lost', async () => {
    const others: Db[] = [openPatiently(url()), openPatiently(url())]
    const instances = others.map((each) => createContext({ ...under.context, db: each }))
    const before = refreshes()
    try {
      for (let round = 0; round < rounds; round++) {
        clock.moveTo(clock.now() + HOUR)
        const tokens = await Promise.all(
          [...instances, ...instances].map((instance) => getAccessToken(instance, id)),
        )
        assert.equal(new Set(tokens).size, 1, `round ${round}`)
      }
      const { status, tokenRevision } = await stored()
      assert.equal(status, 'ok')
      assert.equal(refreshes() - before, rounds)
      assert.ok(tokenRevision >= rounds)
    } finally {
      for (const each of others) await each.destroy()
    }
  })

  it('that another instance has stored are used by one that was late', async () => {
    clock.moveTo(clock.now() + HOUR)
    // The first instance gets its answer when its lease has ended and the host has connected again.
    microsoft.misbehave(TOKEN, 'silent')
    const arrived = microsoft.nextAsked(TOKEN)
    const late = token()
    await arrived
    await connect(under.app, host, 'microsoft', microsoft)
    const { sealedTokens } = await stored()
    microsoft.release()
    await late
    assert.equal((await stored()).sealedTokens, sealedTokens)
    assert.equal((await withAccess(under.context, id, async (access) => access.token)).length, 32)
  })

  it('that no longer work end the connection: one mail, and nothing more is asked', async () => {
    const { userId } = await stored()
    await db().updateTable('schedulers').set({ locale: 'de-AT' }).where('id', '=', userId).execute()
    microsoft.oauth.endAccess(microsoft.oauth.visitor.account.subject)
    clock.moveTo(clock.now() + HOUR)
    await assert.rejects(token(), GrantLost)
    const asked = refreshes()
    await assert.rejects(token(), GrantLost)
    assert.equal(refreshes(), asked)
    const { status, lastError } = await stored()
    assert.deepEqual(
      [status, say(lastError)],
      ['reconnect', 'Microsoft has ended our access to this account.'],
    )
    const jobs = await jobsOf(db(), 'connection-lost')
    assert.equal(jobs.length, 1)
    for (const job of jobs) await tellConnectionLost(under.context, job)
    const mail = under.mailbox.at(-1)
    assert.equal(mail?.to, 'host@hosts.example')
    assert.equal(mail?.subject, 'Bitte verbinden Sie Ihr Konto grace@outlook.example bei Microsoft erneut')
    assert.match(mail?.text ?? '', /https:\/\/book\.example\.com\/app\/calendars\n$/)
    assert.match(mail?.html ?? '', /<html lang="de-AT">/)

    await connect(under.app, host, 'microsoft', microsoft)
    assert.equal((await stored()).status, 'ok')
    const mails = under.mailbox.length
    for (const job of jobs) await tellConnectionLost(under.context, job)
    assert.equal(under.mailbox.length, mails, 'no mail about a connection that works again')
  })

  it('that were sealed with a forgotten secret end the connection, too', async () => {
    const context = createContext({
      ...under.context,
      jwtSecret: 'another-secret-that-only-these-tests-know',
    })
    await assert.rejects(getAccessToken(context, id), GrantLost)
    assert.equal(say((await stored()).lastError), 'The stored access can no longer be read.')
  })
})
