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

  before(async () => {
    ;({ app, mailbox } = await appOn(db(), { signup: 'open' }))
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

  it('count codes for erasing for all its addresses', async () => {
    const headers = fromSomeoneNew()
    const statuses: number[] = []
    for (const email of tagged('erased', 4)) {
      const url = '/api/public/erasures'
      statuses.push((await app.inject({ method: 'POST', url, headers, payload: { email } })).statusCode)
    }
    assert.deepEqual(statuses, [202, 202, 202, 429])
  })
})
