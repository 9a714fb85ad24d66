import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { askForLink, bearer, cookieOf, linkToken, signIn } from '../../../../test/host-api.ts'
import { appOn, fromSomeoneNew, stoppedClock } from '../../../../test/kit.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

onEveryDatabase('/api/admin/me/sessions', ({ db }) => {
  it('lists the user’s sessions with their devices, and ends them one by one', async () => {
    const clock = stoppedClock()
    const { app, mailbox } = await appOn(db(), { signup: 'open', now: clock.now })
    const ada = await signIn(app, mailbox, 'ada@hosts.example')
    const bob = await signIn(app, mailbox, 'bob@hosts.example')

    await askForLink(app, 'ada@hosts.example')
    const send = (path: string, headers: object, payload?: object) =>
      app.inject({
        method: 'POST',
        url: `/api/auth/${path}`,
        headers: { ...fromSomeoneNew(), 'user-agent': FIREFOX, ...headers },
        ...(payload && { payload }),
      })
    const signedIn = await send('verify', {}, { token: linkToken(mailbox, 'ada@hosts.example') })
    const signedInAt = new Date(clock.now()).toISOString().replace('.000', '')
    clock.moveTo(clock.now() + 40 * 60_000)
    const renewed = await send('refresh', { cookie: cookieOf(signedIn) })
    assert.equal(renewed.statusCode, 200, renewed.body)
    const other = bearer(app, renewed.json().accessToken)

    const listed = await other.get('/me/sessions')
    assert.equal(listed.statusCode, 200, listed.body)
    const [mine, adas, ...rest] = listed.json().items
    assert.deepEqual(rest, [], 'nobody else’s')
    assert.deepEqual(mine, {
      id: mine.id,
      createdAt: signedInAt,
      lastUsedAt: new Date(clock.now()).toISOString().replace('.000', ''),
      browser: 'Firefox',
      system: 'Linux',
      current: true,
    })
    assert.deepEqual([adas.browser, adas.system, adas.current], ['', '', false])
    assert.deepEqual(
      (await ada.get('/me/sessions')).json().items.map(({ current }: { current: boolean }) => current),
      [false, true],
    )
    for (const secret of [cookieOf(renewed).split('.')[1], renewed.json().accessToken])
      assert.ok(!listed.body.includes(String(secret)))

    // Neither strangers nor unknown ids end anything.
    for (const [host, id] of [
      [bob, mine.id],
      [ada, 'nonsense'],
      [ada, '00000000-0000-7000-8000-000000000000'],
    ] as const) {
      const answer = await host.del(`/me/sessions/${id}`)
      assert.equal(answer.statusCode, 404, answer.body)
    }
    const { token } = (await ada.post('/tokens', { name: 'Robot', scopes: ['write'] })).json()
    for (const answer of [
      await bearer(app, token).get('/me/sessions'),
      await bearer(app, token).del(`/me/sessions/${mine.id}`),
    ]) {
      assert.equal(answer.statusCode, 403, answer.body)
      assert.match(answer.body, /An API token cannot see or end sessions/)
    }
    assert.equal((await other.get('/me')).statusCode, 200)

    assert.equal((await ada.del(`/me/sessions/${mine.id}`)).statusCode, 204)
    assert.equal((await other.get('/me')).statusCode, 401, 'its access token ends with it')
    assert.equal((await send('refresh', { cookie: cookieOf(renewed) })).statusCode, 401)
    assert.equal((await ada.del(`/me/sessions/${mine.id}`)).statusCode, 404)
    const [entry] = (await ada.get('/audit')).json().items
    assert.deepEqual(
      [entry.action, entry.objectType, entry.objectId, entry.actor],
      ['ended', 'session', mine.id, 'ada@hosts.example'],
    )

    assert.equal((await ada.del(`/me/sessions/${adas.id}`)).statusCode, 204)
    assert.equal((await ada.get('/me')).statusCode, 401, 'ending the current one signs out')
  })
})
