import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { KyselyPlugin } from 'kysely'
import { onEveryDatabase } from '../../../test/databases.ts'
import { type Host, signIn } from '../../../test/host-api.ts'
import { appOn, fromSomeoneNew, MONDAY_NOON } from '../../../test/kit.ts'
import { newId } from '../../store/new-id.ts'

const HOUR = 3_600_000

/** Long ones are together several times what the sockets between server and client take. */
const LONG_ROWS = 5000
const LONG = 'n'.repeat(8000)
const SHORT_ROWS = 5000

onEveryDatabase('an export as CSV', ({ db }) => {
  let app: FastifyInstance
  let ada: Host
  let bob: Host
  let formId: string
  /** Rows that were read for an export so far, and how many of them in the present turn of the event loop. */
  let read = 0
  let readInTurn = 0
  let mostInTurn = 0
  let failAfter = Number.POSITIVE_INFINITY

  const watching: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const [row = {}] = result.rows
      if (!('notes' in row || 'answers' in row)) return result
      if (readInTurn === 0) setImmediate(() => (readInTurn = 0))
      read += result.rows.length
      readInTurn += result.rows.length
      mostInTurn = Math.max(mostInTurn, readInTurn)
      if (read > failAfter) throw new Error('the database is gone')
      return result
    },
  }

  before(async () => {
    const { mailbox, ...made } = await appOn(db().withPlugin(watching), { signup: 'open' })
    app = made.app
    ada = await signIn(app, mailbox, 'ada@hosts.example')
    bob = await signIn(app, mailbox, 'bob@hosts.example')
    const form = await ada.post('/routing-forms', {
      slug: 'start',
      name: 'Start',
      fields: [{ id: 'why', label: 'Why', type: 'text' }],
      fallback: { action: 'message', message: 'Thanks.' },
    })
    formId = form.json().id
    const answered = await app.inject({
      method: 'POST',
      url: '/api/public/routing/ada/start/evaluate',
      payload: { answers: { why: 'So.' } },
      headers: fromSomeoneNew(),
    })
    assert.equal(answered.statusCode, 200, answered.body)
    const [response] = await db().selectFrom('routing_responses').selectAll().execute()
    const answers = JSON.stringify({ why: LONG })
    const inSteps = async (count: number, insert: (numbers: number[]) => Promise<unknown>) => {
      for (let from = 0; from < count; from += 200) {
        await insert(Array.from({ length: 200 }, (_, i) => from + i))
      }
    }
    const insertBookings = (rows: readonly object[]) =>
      db()
        .insertInto('bookings')
        .values(rows as never)
        .execute()
    await inSteps(LONG_ROWS, (numbers) => insertBookings(numbers.map((n) => bookingRow(ada, n, LONG))))
    await inSteps(SHORT_ROWS, (numbers) => insertBookings(numbers.map((n) => bookingRow(bob, n, ''))))
    await inSteps(LONG_ROWS, (numbers) => {
      const rows = numbers.map((n) => ({ ...response, id: newId(), answers, created_at: n }))
      return db()
        .insertInto('routing_responses')
        .values(rows as never)
        .execute()
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
  })
  after(() => app.close())

  beforeEach(() => {
    read = 0
    mostInTurn = 0
    failAfter = Number.POSITIVE_INFINITY
  })

  async function open(host: Host, path: string): Promise<IncomingMessage> {
    const { port } = app.server.address() as AddressInfo
    const headers = { authorization: `Bearer ${host.token}` }
    const [response] = await once(
      get({ host: '127.0.0.1', port, path: `/api/admin${path}`, headers, agent: false }),
      'response',
    )
    assert.equal(response.statusCode, 200)
    return response
  }

  /** Enough turns to read everything, if nothing held it back. */
  async function answerOthers(): Promise<void> {
    for (let i = 0; i < 100; i++) assert.equal((await bob.get('/me')).statusCode, 200)
  }

  const exports = {
    bookings: { path: () => '/bookings.csv', passes: 0 },
    responses: { path: () => `/routing-forms/${formId}/responses.csv`, passes: 1 },
  }
  for (const [what, { path, passes }] of Object.entries(exports)) {
    /** Read before the first line. */
    const ahead = passes * LONG_ROWS

    it(`of ${what} is read no faster than the client takes it`, async () => {
      const response = await open(ada, path())
      response.pause()
      await answerOthers()
      assert.ok(read < ahead + LONG_ROWS / 2, `${read} rows were read`)
      const text = Buffer.concat(await response.toArray()).toString()
      assert.equal(text.split('\r\n').length - 1, 1 + LONG_ROWS + passes)
      assert.ok(response.complete)
    })

    it(`of ${what} ends when the client goes away`, async () => {
      const response = await open(ada, path())
      response.once('data', () => response.destroy())
      await once(response, 'close')
      await answerOthers()
      const before = read
      await answerOthers()
      assert.equal(read, before)
      assert.ok(read < ahead + LONG_ROWS / 2, `${read} rows were read`)
    })

    it(`of ${what} is cut off, and not ended, when the database fails`, async () => {
      failAfter = ahead + LONG_ROWS / 2
      const response = await open(ada, path())
      response.resume()
      await assert.rejects(once(response, 'end'), { code: 'ECONNRESET' })
      assert.ok(!response.complete)
    })
  }

  it('lets other requests in between', async () => {
    const response = await open(bob, '/bookings.csv')
    for await (const _chunk of response);
    assert.ok(read >= SHORT_ROWS)
    assert.ok(mostInTurn <= 400, `${mostInTurn} rows were read without a break`)
  })

  it('ends before its first line, too, when the client goes away', async () => {
    const { port } = app.server.address() as AddressInfo
    const headers = { authorization: `Bearer ${ada.token}` }
    const path = `/api/admin/routing-forms/${formId}/responses.csv`
    const request = get({ host: '127.0.0.1', port, path, headers, agent: false })
    request.on('error', () => {})
    while (read === 0) await new Promise(setImmediate)
    request.destroy()
    await answerOthers()
    assert.ok(read < LONG_ROWS, `${read} rows were read`)
  })
})

function bookingRow(host: Host, n: number, notes: string) {
  const id = newId()
  return {
    id,
    scheduler_id: host.user.id,
    event_type_id: host.user.id,
    meeting_id: id,
    host_id: host.user.id,
    seat: 1,
    seats: 1,
    status: 'Cancelled',
    starts_at: MONDAY_NOON + n * HOUR,
    ends_at: MONDAY_NOON + (n + 1) * HOUR,
    invitee_name: 'Grace',
    invitee_email: 'grace@guests.example',
    invitee_phone: '',
    invitee_time_zone: 'UTC',
    invitee_locale: 'en',
    location_type: 'link',
    location_value: '',
    notes,
    custom_fields: '{}',
    source: 'API',
    duplicate_key: id,
    guest: 'grace@guests.example',
    created_at: 0,
  }
}
