import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { askForLink, bearer, type Host, linkToken, signIn, verify } from '../../../../test/host-api.ts'
import { appOn, stoppedClock } from '../../../../test/kit.ts'
import type { Mail } from '../../../outside/mail/mail.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

onEveryDatabase('/api/admin/me/email', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let mailbox: readonly Mail[]

  before(async () => {
    const made = await appOn(db(), { signup: 'open', now: clock.now })
    app = made.app
    mailbox = made.mailbox
  })

  const enter = (name: string) => signIn(app, mailbox, `${name}@hosts.example`)
  const ask = async (host: Host, email: string) => {
    const reply = await host.post('/me/email', { email })
    assert.equal(reply.statusCode, 202, reply.body)
    const mail = mailbox.findLast(({ to, text }) => to === email && text.includes('#new-email='))
    const token = /#new-email=([\w-]+)/.exec(mail?.text ?? '')?.[1]
    assert.ok(token, `no mail to ${email}`)
    return token
  }
  const confirm = (host: Host, token: string) => host.post('/me/email/confirm', { token })
  const emailOf = async (host: Host) => (await host.get('/me')).json().email

  it('changes when the link that was mailed to the new address is followed', async () => {
    const ada = await enter('ada')
    const feed = new URL((await ada.post('/me/calendar-feed')).json().url)
    const token = await ask(ada, 'ada@new.example')
    assert.equal(await emailOf(ada), 'ada@hosts.example')
    const told = mailbox.filter(({ to }) => to === 'ada@hosts.example').at(-1)
    assert.match(told?.text ?? '', /ada@new\.example/)
    assert.doesNotMatch(told?.text ?? '', new RegExp(token))

    const reply = await confirm(ada, token)
    assert.equal(reply.statusCode, 200, reply.body)
    assert.equal(reply.json().email, 'ada@new.example')
    // The session goes on, and so does the feed.
    assert.equal(await emailOf(ada), 'ada@new.example')
    assert.equal((await app.inject(feed.pathname + feed.search)).statusCode, 200)
    assert.match(mailbox.filter(({ to }) => to === 'ada@hosts.example').at(-1)?.subject ?? '', /has changed/)
    await askForLink(app, 'ada@new.example')
    const again = await verify(app, linkToken(mailbox, 'ada@new.example'))
    assert.equal(again.json().user.id, ada.user.id)
    assert.equal((await confirm(ada, token)).statusCode, 400)
  })

  it('takes a link of the same user alone, once, for an hour, and the newest', async () => {
    const [bea, mallory] = [await enter('bea'), await enter('mallory')]
    const first = await ask(bea, 'bea@first.example')
    assert.equal((await confirm(mallory, first)).statusCode, 400)
    assert.equal((await bea.post('/me/email', { email: 'bea@second.example' })).statusCode, 429)
    clock.moveTo(clock.now() + MINUTE)
    const second = await ask(bea, 'bea@second.example')
    assert.equal((await confirm(bea, first)).statusCode, 400)
    clock.moveTo(clock.now() + HOUR)
    const later = await enter('bea')
    assert.equal((await confirm(later, second)).statusCode, 400)
    assert.equal(await emailOf(later), 'bea@hosts.example')
  })

  it('refuses an address that another account has, also if it was taken meanwhile', async () => {
    const [cleo, dora] = [await enter('cleo'), await enter('dora')]
    const taken = await cleo.post('/me/email', { email: ' Dora@hosts.example' })
    assert.equal(taken.statusCode, 409)
    assert.match(taken.json().error, /^Another account here has this address\./)
    assert.equal((await cleo.post('/me/email', { email: 'cleo@hosts.example' })).statusCode, 400)
    assert.equal((await cleo.post('/me/email', { email: 'nobody' })).statusCode, 400)
    const mine = await ask(cleo, 'both@new.example')
    const theirs = await ask(dora, 'both@new.example')
    assert.equal((await confirm(dora, theirs)).statusCode, 200)
    const late = await confirm(cleo, mine)
    assert.equal(late.statusCode, 409)
    assert.match(late.json().error, /^Another account here has this address\./)
    assert.equal(await emailOf(cleo), 'cleo@hosts.example')
  })

  it('is not for API tokens', async () => {
    const eve = await enter('eve')
    const { token } = (await eve.post('/tokens', { name: 'robot', scopes: ['write'] })).json()
    const robot = bearer(app, token)
    assert.equal((await robot.post('/me/email', { email: 'eve@new.example' })).statusCode, 403)
    assert.equal((await robot.post('/me/email/confirm', { token: 'x' })).statusCode, 403)
  })
})
