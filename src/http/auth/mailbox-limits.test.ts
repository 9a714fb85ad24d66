import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../test/databases.ts'
import { askForLink, type Host, signIn } from '../../../test/host-api.ts'
import { appOn, fromSomeoneNew } from '../../../test/kit.ts'
import type { Mail } from '../../outside/mail/mail.ts'

onEveryDatabase('limits of what a mailbox gets', ({ db }) => {
  let app: FastifyInstance
  let mailbox: Mail[]
  let ada: Host
  let bob: Host
  let admin: Host

  before(async () => {
    ;({ app, mailbox } = await appOn(db(), { signup: 'open' }))
    admin = await signIn(app, mailbox, 'admin@hosts.example')
    ada = await signIn(app, mailbox, 'ada@hosts.example')
    bob = await signIn(app, mailbox, 'bob@hosts.example')
  })

  const tagged = (name: string, times: number) =>
    Array.from({ length: times }, (_, tag) => `${name}+${tag}@strangers.example`)

  it('count sign-in links for all its addresses', async () => {
    const client = fromSomeoneNew()
    const statuses: number[] = []
    for (const email of tagged('login', 6)) statuses.push((await askForLink(app, email, client)).statusCode)
    assert.deepEqual(statuses, [202, 202, 202, 202, 202, 429])
  })

  it('count invitations for all its addresses', async () => {
    const { id } = (await ada.post('/teams', { slug: 'crew', name: 'Crew' })).json()
    const statuses: number[] = []
    for (const email of tagged('invited', 6)) {
      statuses.push((await ada.post(`/teams/${id}/invitations`, { email })).statusCode)
    }
    assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429])
  })

  it('count what hosts book for all its addresses', async () => {
    const type = await ada.post('/event-types', { slug: 'often', name: 'Often', durationMinutes: 15 })
    const bookFor = (inviteeEmail: string) =>
      ada.post('/bookings', {
        eventTypeId: type.json().id,
        startTime: '2027-01-12T03:00:00Z',
        endTime: '2027-01-12T03:15:00Z',
        inviteeName: 'Grace',
        inviteeEmail,
        inviteeTimezone: 'UTC',
      })
    // What is refused for another reason counts, too.
    const [, ...later] = tagged('relayed', 22)
    for (const email of later.slice(1)) assert.notEqual((await bookFor(email)).statusCode, 429)
    assert.equal((await bookFor('relayed@strangers.example')).statusCode, 429)
    // Each attempt counts for the user, too.
    for (const email of tagged('others', 41).map((one) => one.replace('+', '-'))) await bookFor(email)
    assert.equal((await bookFor('someone@strangers.example')).statusCode, 429)
    assert.equal((await bob.post('/bookings', {})).statusCode, 400)
  })

  it('count what hosts change about its bookings, and leave room to cancel', async () => {
    const made = async (host: Host, slug: string) =>
      (await host.post('/event-types', { slug, name: slug, durationMinutes: 15 })).json().id
    const [moved, other] = [await made(bob, 'moved'), await made(admin, 'other')]
    const start = (quarter: number) => new Date(Date.UTC(2030, 0, 8, 9, quarter * 15)).toISOString()
    const bookFor = (host: Host, eventTypeId: string, inviteeEmail: string) =>
      host.post('/bookings', {
        eventTypeId,
        startTime: start(0),
        endTime: start(1),
        inviteeName: 'Grace',
        inviteeEmail,
        inviteeTimezone: 'UTC',
      })
    const booked = await bookFor(bob, moved, 'shifted@strangers.example')
    assert.equal(booked.statusCode, 201, booked.body)
    const { id } = booked.json()
    const move = (quarter: number) => bob.post(`/bookings/${id}/reschedule`, { startTime: start(quarter) })
    for (let n = 1; n < 20; n++) assert.equal((await move(n)).statusCode, 200)
    const refused = await move(20)
    assert.equal(refused.statusCode, 429)
    assert.match(refused.json().error, /^Too many emails to shifted@strangers\.example\./)
    assert.ok(Number(refused.headers['retry-after']) > 60)
    assert.equal((await bob.get(`/bookings/${id}`)).json().startTime, start(19).replace('.000', ''))
    // For all users together, and whatever the tag.
    assert.equal((await bookFor(admin, other, 'shifted+tag@strangers.example')).statusCode, 429)
    assert.equal((await bob.post(`/bookings/${id}/cancel`)).statusCode, 200)
    assert.equal((await bookFor(bob, moved, 'someone.else@strangers.example')).statusCode, 201)
  })

  it('count what a user changes, in all', async () => {
    const eve = await signIn(app, mailbox, 'eve@hosts.example')
    const eventType = await eve.post('/event-types', { slug: 'busy', name: 'Busy', durationMinutes: 15 })
    const start = '2030-01-08T09:00:00Z'
    const booked = await eve.post('/bookings', {
      eventTypeId: eventType.json().id,
      startTime: start,
      endTime: '2030-01-08T09:15:00Z',
      inviteeName: 'Grace',
      inviteeEmail: 'eve@hosts.example',
      inviteeTimezone: 'UTC',
    })
    assert.equal(booked.statusCode, 201, booked.body)
    const { id } = booked.json()
    const statuses = new Map<number, number>()
    for (let n = 0; n < 301; n++) {
      const { statusCode } = await eve.post(`/bookings/${id}/reschedule`, { startTime: start })
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    }
    const last = await eve.post(`/bookings/${id}/cancel`)
    assert.equal(last.statusCode, 429)
    assert.match(last.json().error, /^Too many requests\./)
    assert.equal((await eve.get(`/bookings/${id}`)).json().status, 'Confirmed')
    assert.equal(statuses.get(200), 19, 'and the mailbox had its share before')
  })

  it('count codes for erasing for all its addresses', async () => {
    const headers = fromSomeoneNew()
    const statuses: number[] = []
    for (const email of tagged('erased', 4)) {
      const url = '/api/public/erasures'
      statuses.push((await app.inject({ method: 'POST', url, headers, payload: { email } })).statusCode)
    }
    assert.deepEqual(statuses, [202, 202, 202, 429])
  })

  it('keep no guest from erasing themselves, however many bookings are cancelled for it', async () => {
    const slots = Array.from({ length: 12 }, (_, n) => ({
      slug: n % 2 === 0 ? 'ahead' : 'ahead-too',
      startTime: new Date(Date.UTC(2030, 0, 15, 9, n * 15)).toISOString(),
      endTime: new Date(Date.UTC(2030, 0, 15, 9, n * 15 + 15)).toISOString(),
    }))
    for (const slug of ['ahead', 'ahead-too']) {
      const window = { kind: 'unlimited' }
      const made = await bob.post('/event-types', { slug, name: slug, durationMinutes: 15, window })
      assert.equal(made.statusCode, 201, made.body)
    }
    const email = 'eraser@strangers.example'
    for (const { slug, ...times } of slots) {
      const booked = await app.inject({
        method: 'POST',
        url: `/api/public/scheduling/bob/${slug}/book`,
        headers: fromSomeoneNew(),
        payload: { ...times, inviteeName: 'Grace', inviteeEmail: email, inviteeTimezone: 'UTC' },
      })
      assert.equal(booked.statusCode, 201, booked.body)
    }
    const erase = (payload: object) =>
      app.inject({ method: 'POST', url: '/api/public/erasures', headers: fromSomeoneNew(), payload })
    await erase({ email })
    const code = mailbox.findLast(({ to }) => to === email)?.subject.slice(0, 6)
    const erased = await erase({ email, code })
    assert.deepEqual([erased.statusCode, erased.json()], [200, { bookings: 12, responses: 0 }])
  })

  it('let nobody keep its owner from erasing it', async () => {
    const email = 'wanted@strangers.example'
    const erase = (payload: object, headers = fromSomeoneNew()) =>
      app.inject({ method: 'POST', url: '/api/public/erasures', headers, payload: { email, ...payload } })
    const stranger = fromSomeoneNew()
    for (let n = 0; n < 4; n++) await erase({}, stranger)
    const owner = fromSomeoneNew()
    assert.equal((await erase({}, owner)).statusCode, 202)
    // Wrong codes of one client don't use up the code either.
    const statuses = new Set<number>()
    const code = /\b\d{6}\b/.exec(mailbox.findLast(({ to }) => to === email)?.text ?? '')?.[0]
    assert.ok(code)
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    for (let n = 0; n < 11; n++) statuses.add((await erase({ code: wrong }, stranger)).statusCode)
    assert.deepEqual([...statuses], [400, 429])
    assert.equal((await erase({ code }, owner)).statusCode, 200)
    // All clients together have an end: four codes were mailed, and eight are left.
    for (let n = 0; n < 8; n++) assert.equal((await erase({})).statusCode, 202)
    assert.equal((await erase({})).statusCode, 429)
  })
})
