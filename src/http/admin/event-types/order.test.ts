import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { type Host, signIn } from '../../../../test/host-api.ts'
import { appOn } from '../../../../test/kit.ts'

onEveryDatabase('PUT /api/admin/event-types/order', ({ db }) => {
  let app: FastifyInstance
  let ada: Host
  let bob: Host
  let ids: string[]

  before(async () => {
    const made = await appOn(db(), { signup: 'open' })
    app = made.app
    ada = await signIn(app, made.mailbox, 'ada@hosts.example')
    bob = await signIn(app, made.mailbox, 'bob@hosts.example')
    ids = []
    for (const slug of ['one', 'two', 'three']) ids.push(await add(ada, { slug }))
  })
  after(() => app?.close())

  async function add(host: Host, given: object): Promise<string> {
    const answer = await host.post('/event-types', { name: 'Talk', durationMinutes: 30, ...given })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().id
  }
  /** The order on the owner's page. */
  const listed = async () =>
    (await app.inject(`/api/public/scheduling/${ada.user.slug}`))
      .json()
      .eventTypes.map(({ slug }: { slug: string }) => slug)

  it('changes the order on the page, all at once', async () => {
    assert.deepEqual(await listed(), ['one', 'three', 'two'])
    const answer = await ada.put('/event-types/order', { ids: [ids[2], ids[0], ids[1]] })
    assert.equal(answer.statusCode, 204, answer.body)
    assert.deepEqual(await listed(), ['three', 'one', 'two'])
    const { items } = (await ada.get('/event-types')).json()
    assert.deepEqual(
      items.map(({ position }: { position: number }) => position),
      [1, 2, 0],
    )
  })

  it('refuses an order that is not of all event types, each once, and changes nothing', async () => {
    const foreign = await add(bob, { slug: 'foreign' })
    for (const wrong of [
      [],
      ids.slice(1),
      [...ids, foreign],
      [ids[0], ids[1], foreign],
      [ids[0], ids[0], ids[1]],
    ]) {
      const answer = await ada.put('/event-types/order', { ids: wrong })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json().error, /each event type of the owner once/)
    }
    assert.equal((await ada.put('/event-types/order', {})).statusCode, 400)
    assert.deepEqual(await listed(), ['three', 'one', 'two'])
  })

  it('takes an admin of the team', async () => {
    const team = (await ada.post('/teams', { slug: 'crew', name: 'Crew' })).json().id
    const one = await add(ada, { slug: 'shared', teamId: team })
    const order = { ids: [one], teamId: team }
    assert.equal((await bob.put('/event-types/order', order)).statusCode, 404)
    const invited = await ada.post(`/teams/${team}/invitations`, { email: bob.user.email, role: 'member' })
    await bob.post(`/invitations/${invited.json().id}/accept`)
    assert.equal((await bob.put('/event-types/order', order)).statusCode, 403)
    assert.equal((await ada.put('/event-types/order', order)).statusCode, 204)
  })
})
