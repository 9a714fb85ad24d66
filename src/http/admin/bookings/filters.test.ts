import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { addForm, tokenFor } from '../../../../test/forms.ts'
import { type Host, signIn } from '../../../../test/host-api.ts'
import {
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../../../../test/kit.ts'

const HOUR = 3_600_000
const TUESDAY_NINE = MONDAY_NOON + 21 * HOUR
const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057'

onEveryDatabase('the filters of bookings', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let ada: Host
  let bob: Host
  let eve: Host
  let formId: string
  let eves: string
  const types: Record<string, string> = {}
  const ids: Record<string, string> = {}

  before(async () => {
    const { mailbox, context, ...made } = await appOn(db(), { signup: 'open', now: clock.now })
    app = made.app
    ada = await signIn(app, mailbox, 'ada@hosts.example')
    bob = await signIn(app, mailbox, 'bob@hosts.example')
    eve = await signIn(app, mailbox, 'eve@hosts.example')
    const team = (await ada.post('/teams', { slug: 'crew', name: 'Crew' })).json().id
    const invited = await ada.post(`/teams/${team}/invitations`, { email: bob.user.email })
    await bob.post(`/invitations/${invited.json().id}/accept`)
    const addType = async (slug: string, more: object) => {
      const made = await ada.post('/event-types', {
        slug,
        name: slug,
        durationMinutes: 30,
        noticeMinutes: 0,
        ...more,
      })
      assert.equal(made.statusCode, 201, made.body)
      types[slug] = made.json().id
    }
    const hostedBy = (...hosts: Host[]) => ({
      teamId: team,
      hosts: hosts.map(({ user }) => ({ userId: user.id, fixed: true })),
    })
    await addType('own', {})
    await addType('bobs', hostedBy(bob))
    await addType('both', hostedBy(bob, ada))
    const form = await addForm(db(), ada.user)
    formId = form.id
    eves = (await addForm(db(), eve.user)).id

    // Made in another order than they take place.
    ids.late = await book(ada.user.slug, 'own', 5, { inviteeName: 'Late Guest' })
    clock.moveTo(clock.now() + 60_000)
    ids.bobs = await book('crew', 'bobs', 2)
    clock.moveTo(clock.now() + 60_000)
    ids.both = await book('crew', 'both', 3)
    clock.moveTo(clock.now() + 60_000)
    const { token } = await tokenFor(context, form, types.own as string)
    ids.routed = await book(ada.user.slug, 'own', 1, {}, `?routing=${token}`)
  })

  async function book(
    page: string,
    slug: string,
    hour: number,
    more: object = {},
    query = '',
  ): Promise<string> {
    const answer = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${page}/${slug}/book${query}`,
      headers: fromSomeoneNew(),
      payload: bookingOf(plainEventType(), TUESDAY_NINE + hour * HOUR, { ...more }),
    })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().id
  }

  const nameOf = (id: string) => Object.keys(ids).find((name) => ids[name] === id) ?? id

  async function find(query: string, host: Host = ada): Promise<string[]> {
    const answer = await host.get(`/bookings?${query}`)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().items.map(({ id }: { id: string }) => nameOf(id))
  }

  it('tell what one hosts from all that one may see', async () => {
    assert.deepEqual(await find('scope=mine'), ['routed', 'both', 'late'])
    assert.deepEqual(await find('scope=team'), ['routed', 'bobs', 'both', 'late'])
    assert.deepEqual(await find(''), ['routed', 'bobs', 'both', 'late'])
    assert.deepEqual(await find('scope=mine', bob), ['bobs', 'both'])
    assert.deepEqual(await find('scope=mine', eve), [])
  })

  it('take several hosts and event types, repeated or by commas', async () => {
    const [a, b] = [ada.user.id, bob.user.id]
    assert.deepEqual(await find(`hostId=${b}`), ['bobs', 'both'])
    assert.deepEqual(await find(`hostId=${a},${b}`), ['routed', 'bobs', 'both', 'late'])
    assert.deepEqual(await find(`eventTypeId=${types.bobs}&eventTypeId=${types.both}`), ['bobs', 'both'])
    assert.deepEqual(await find(`eventTypeId=${types.bobs},${types.own}&hostId=${a}`), ['routed', 'late'])
    assert.deepEqual(await find(`scope=mine&hostId=${b}`), ['both'])
    const many = Array.from({ length: 201 }, () => a).join(',')
    const refused = await ada.get(`/bookings?hostId=${many}`)
    assert.equal(refused.statusCode, 400)
    assert.equal(refused.json().error, 'A filter can name at most 200 values.')
  })

  it('find what a form led to', async () => {
    assert.deepEqual(await find(`formId=${formId}`), ['routed'])
    for (const id of [eves, UNKNOWN_ID, 'nonsense'])
      assert.equal((await ada.get(`/bookings?formId=${id}`)).statusCode, 404, id)
  })

  it('search from two characters on', async () => {
    assert.deepEqual(await find('q=late+g'), ['late'])
    assert.deepEqual(await find('q=LATE%20G'), ['late'])
    const refused = await ada.get('/bookings?q=l')
    assert.equal(refused.statusCode, 400)
    assert.match(refused.json().error, /at least 2 characters/)
    // As before.
    assert.equal((await find('text=G')).length, 4)
  })

  it('sort by start or by when they were made, page by page', async () => {
    const orders = {
      start: ['routed', 'bobs', 'both', 'late'],
      '-start': ['late', 'both', 'bobs', 'routed'],
      created: ['late', 'bobs', 'both', 'routed'],
      '-created': ['routed', 'both', 'bobs', 'late'],
    }
    for (const [sort, expected] of Object.entries(orders)) {
      assert.deepEqual(await find(`sort=${sort}`), expected, sort)
      const found: string[] = []
      let cursor = ''
      do {
        const answer = (await ada.get(`/bookings?sort=${sort}&limit=1&scope=team${cursor}`)).json()
        found.push(...answer.items.map(({ id }: { id: string }) => nameOf(id)))
        cursor = answer.nextCursor === null ? '' : `&cursor=${answer.nextCursor}`
      } while (cursor !== '')
      assert.deepEqual(found, expected, `${sort}, by pages`)
    }
    const from = new Date(TUESDAY_NINE + 2 * HOUR).toISOString()
    assert.deepEqual(await find(`sort=created&from=${from}`), ['late', 'bobs', 'both'])
  })

  it('refuse what they do not know', async () => {
    for (const query of ['scope=all', 'sort=name', 'status=Odd', 'q=x', 'from=soon']) {
      const answer = await ada.get(`/bookings?${query}`)
      assert.equal(answer.statusCode, 400, query)
      assert.equal((await ada.get(`/bookings.csv?${query}`)).statusCode, 400, query)
    }
  })

  it('say who hosts, where it takes place and where it came from', async () => {
    const [item] = (await ada.get(`/bookings?eventTypeId=${types.bobs}`)).json().items
    assert.deepEqual(item.host, { id: bob.user.id, name: bob.user.name })
    assert.equal(item.hostNotes, '')
    assert.equal(item.source, 'API')
    assert.equal(typeof item.location.type, 'string')
    assert.equal(item.meetingId, ids.bobs)
  })

  it('are those of the CSV, too', async () => {
    const exported = async (query: string) =>
      (await ada.get(`/bookings.csv?${query}`)).body.trimEnd().split('\r\n').length - 1
    assert.equal(await exported('scope=mine'), 3)
    assert.equal(await exported(`formId=${formId}`), 1)
    assert.equal(await exported('q=late+g&sort=-created'), 1)
    assert.equal(await exported(`hostId=${bob.user.id}`), 2)
    assert.equal(await exported(`id=${ids.late},${ids.bobs},${UNKNOWN_ID},nonsense`), 2)
    assert.deepEqual(await find(`id=${ids.late},${ids.bobs}`, bob), ['bobs'])
  })
})
