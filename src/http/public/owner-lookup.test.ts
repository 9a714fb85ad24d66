import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, beforeEach, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { Webhook } from 'standardwebhooks'
import { onEveryDatabase } from '../../../test/databases.ts'
import { addForm } from '../../../test/forms.ts'
import { type Host, signIn } from '../../../test/host-api.ts'
import { addEventType, addTeam, addUser, appOn, bookingOf, fromSomeoneNew } from '../../../test/kit.ts'
import { says, startWebhookReceiver, type WebhookReceiver } from '../../../test/webhook-receiver.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { createWebhookSender, type WebhookSender } from '../../outside/webhooks/webhook.ts'
import { insertTeamMember } from '../../store/people/members.ts'

const EMAIL = { id: 'mail', label: 'Your email', type: 'email' }
const SIZE = { id: 'size', label: 'Size', type: 'text' }
const ANSWERS = { mail: 'grace@acme.example', size: 'large' }

onEveryDatabase('an owner lookup', ({ db, engine }) => {
  let app: FastifyInstance
  let sender: WebhookSender
  let receiver: WebhookReceiver
  let admin: Host
  let member: Host
  let team: Scheduler
  let ann: Scheduler
  let ben: Scheduler
  let call: EventType
  let forms = 0
  /** Whether the two seconds of a lookup count: on a machine that stands still, any answer may take longer. */
  let hurried = false

  before(async () => {
    receiver = await startWebhookReceiver()
    const real = createWebhookSender({ allowPrivate: true })
    sender = {
      ...real,
      send: (message) => real.send(hurried ? message : { ...message, timeout: 60_000 }),
    }
    const made = await appOn(db(), { signup: 'open', webhooks: sender })
    app = made.app
    admin = await signIn(app, made.mailbox, 'admin@hosts.example')
    member = await signIn(app, made.mailbox, 'member@hosts.example')
    team = await addTeam(db(), 'sales')
    await insertTeamMember(db(), { teamId: team.id, userId: admin.user.id, role: 'admin' }, 0)
    await insertTeamMember(db(), { teamId: team.id, userId: member.user.id, role: 'member' }, 0)
    ann = await addUser(db(), 'ann')
    ben = await addUser(db(), 'ben')
    const eve = await addUser(db(), 'eve')
    call = await addEventType(db(), team, { slug: 'call', assignment: 'round-robin' }, [
      { hostId: ann.id, fixed: false },
      { hostId: ben.id, fixed: false },
      { hostId: eve.id, fixed: true },
    ])
  })
  beforeEach(() => receiver.answer(says(200, {}, JSON.stringify({ hostEmail: 'ben@hosts.example' }))))
  after(async () => {
    sender.close()
    await receiver.close()
  })

  const contentOf = (url: string | null) => ({
    teamId: team.id,
    slug: `form-${forms++}`,
    name: 'Contact',
    fields: [EMAIL, SIZE],
    fallback: { action: 'routeToEvent', eventTypeId: call.id, ownerLookupUrl: url },
  })
  const makeForm = async (url: string | null = receiver.url) => {
    const reply = await admin.post('/routing-forms', contentOf(url))
    assert.equal(reply.statusCode, 201, reply.body)
    return reply.json()
  }
  const evaluate = async (slug: string, answers: object = ANSWERS, query = '', on = app) => {
    const reply = await on.inject({
      method: 'POST',
      url: `/api/public/routing/sales/${slug}/evaluate${query}`,
      payload: { answers },
      headers: fromSomeoneNew(),
    })
    assert.equal(reply.statusCode, 200, reply.body)
    return reply.json()
  }
  const routeOf = async (form: { id: string; slug: string }) => {
    await evaluate(form.slug)
    const rows = db().selectFrom('routing_responses').select('route').where('form_id', '=', form.id)
    const row = await rows.orderBy('id', 'desc').executeTakeFirst()
    return row?.route ? JSON.parse(row.route) : null
  }

  it('sends a visitor to the host whom its answer names, in a signed request', async () => {
    const form = await makeForm()
    const { routingToken } = await evaluate(form.slug)
    const { body, headers } = receiver.received.at(-1) ?? { body: '', headers: {} }
    assert.deepEqual(JSON.parse(body), { email: ANSWERS.mail, answers: ANSWERS })
    new Webhook(form.lookupSecret).verify(body, headers)

    const week = Array.from({ length: 2 }, (_, n) => new Date(Date.now() + (3 + 7 * n) * 86_400_000))
    const [dateFrom, dateTo] = week.map((day) => day.toISOString().slice(0, 10))
    const path = '/api/public/scheduling/sales/call'
    const url = `${path}/slots?dateFrom=${dateFrom}&dateTo=${dateTo}&timezone=UTC&routing=${routingToken}`
    const [day] = (await app.inject({ url })).json()
    const booked = await app.inject({
      method: 'POST',
      url: `${path}/book?routing=${routingToken}`,
      payload: bookingOf(call, Date.parse(day.slots[0].startTime)),
      headers: fromSomeoneNew(),
    })
    assert.equal(booked.statusCode, 201, booked.body)
    const { assignment } = (await admin.get(`/bookings/${booked.json().id}`)).json()
    assert.deepEqual([assignment.hostId, assignment.reason], [ben.id, 'lookup'])
    const { items } = (await admin.get(`/routing-forms/${form.id}/responses`)).json()
    assert.ok(!JSON.stringify(items).includes('127.0.0.1'), 'where it asked is the form’s business')
  })

  it('reads the address of the host as any other, without regard to case', async () => {
    receiver.answer(says(200, {}, '{"hostEmail":" Ben@Hosts.Example "}'))
    const form = await makeForm()
    assert.deepEqual((await routeOf(form))?.hostIds, [ben.id])
  })

  const never = () => {}
  const failures: Readonly<Record<string, (response: ServerResponse) => void>> = {
    'an error': says(500, {}, '{"hostEmail":"ben@hosts.example"}'),
    'a redirect': (response) => says(302, { location: `${receiver.url}/other` })(response),
    'no JSON': says(200, {}, 'ben@hosts.example'),
    'nothing in it': says(200, {}, '{}'),
    'a list': says(200, {}, '["ben@hosts.example"]'),
    null: says(200, {}, 'null'),
    'no address': says(200, {}, '{"hostEmail":"ben"}'),
    'a number': says(200, {}, '{"hostEmail":5}'),
    'a stranger': says(200, {}, '{"hostEmail":"who@hosts.example"}'),
    'someone who is no host here': says(200, {}, '{"hostEmail":"admin@hosts.example"}'),
    'a host who attends anyway': says(200, {}, '{"hostEmail":"eve@hosts.example"}'),
    'far too much': says(200, {}, `{"hostEmail":"ben@hosts.example","more":"${'x'.repeat(1_000_000)}"}`),
    'a broken connection': (response) => void response.destroy(),
    'nothing at all': never,
    'a beginning without an end': (response) => void response.write('{"hostEmail":'),
  }
  const UNENDING = ['nothing at all', 'a beginning without an end']
  // The database has no part in these, and some wait for seconds.
  for (const [name, answer] of engine === 'sqlite' ? Object.entries(failures) : []) {
    it(`that gets ${name} is as good as none`, async (t) => {
      const form = await makeForm()
      receiver.answer(answer)
      hurried = UNENDING.includes(name)
      t.after(() => {
        hurried = false
      })
      const before = receiver.received.length
      assert.equal(await routeOf(form), null)
      assert.equal(receiver.received.length, before + 1, 'asked once, and nowhere else')
    })
  }

  it('at a server that is down is as good as none', async () => {
    const gone = await startWebhookReceiver()
    const form = await makeForm(gone.url)
    await gone.close()
    assert.equal(await routeOf(form), null)
  })

  it('is not made on dry runs, without an address, or where it is not set', async () => {
    const form = await makeForm()
    const without = await makeForm(null)
    assert.ok(!('lookupSecret' in without))
    const before = receiver.received.length
    await evaluate(form.slug, ANSWERS, '?dryRun=true')
    await evaluate(form.slug, { size: 'large' })
    await evaluate(without.slug)
    await admin.post(`/routing-forms/${form.id}/try`, { answers: ANSWERS })
    assert.equal(receiver.received.length, before)
  })

  it('never reaches an address of the service’s own network, unless the operator allows it', async () => {
    const { app: guarded, mailbox } = await appOn(db())
    const there = await signIn(guarded, mailbox, 'admin@hosts.example')
    const { id, slug } = await addForm(db(), team, {
      fields: [{ id: 'mail', label: 'Your email', type: 'email', required: false, options: [] }],
      fallback: { action: 'routeToEvent', eventTypeId: call.id, ownerLookupUrl: receiver.url },
    })
    assert.equal((await admin.post(`/routing-forms/${id}/rotate-lookup-secret`)).statusCode, 200)
    const before = receiver.connections()
    await evaluate(slug, { mail: 'grace@acme.example' }, '', guarded)
    assert.equal(receiver.connections(), before)
    const refused = await there.post('/routing-forms', contentOf(receiver.url))
    assert.equal(refused.statusCode, 400, refused.body)
    assert.equal(refused.headers['error-field'], 'fallback.ownerLookupUrl')
    for (const url of ['ftp://a.example', 'nonsense', 'https://user:pass@a.example/']) {
      const reply = await admin.post('/routing-forms', contentOf(url))
      assert.deepEqual(
        [reply.statusCode, reply.headers['error-field']],
        [400, 'fallback.ownerLookupUrl'],
        url,
      )
    }
  })

  it('has a secret that is shown once, sealed where it is stored, and replaced on demand', async () => {
    const form = await makeForm()
    assert.match(form.lookupSecret, /^whsec_/)
    const path = `/routing-forms/${form.id}`
    const saved = await admin.patch(path, { name: 'Another name' })
    for (const reply of [await admin.get(path), saved]) assert.ok(!('lookupSecret' in reply.json()))
    const stored = () =>
      db().selectFrom('routing_forms').selectAll().where('id', '=', form.id).executeTakeFirstOrThrow()
    assert.ok((await stored()).lookup_secret)
    assert.ok(!JSON.stringify(await stored()).includes(form.lookupSecret.slice('whsec_'.length)))

    assert.equal((await member.post(`${path}/rotate-lookup-secret`)).statusCode, 403)
    const rotated = await admin.post(`${path}/rotate-lookup-secret`)
    assert.equal(rotated.statusCode, 200, rotated.body)
    await evaluate(form.slug)
    const { body, headers } = receiver.received.at(-1) ?? { body: '', headers: {} }
    new Webhook(rotated.json().lookupSecret).verify(body, headers)
    assert.throws(() => new Webhook(form.lookupSecret).verify(body, headers))

    // A form that was imported has none: nothing is sent without a signature.
    await db().updateTable('routing_forms').set({ lookup_secret: null }).where('id', '=', form.id).execute()
    const before = receiver.received.length
    assert.equal(await routeOf(form), null)
    assert.equal(receiver.received.length, before)
  })
})
