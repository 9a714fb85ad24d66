import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { addForm, tokenFor } from '../../../../test/forms.ts'
import { type Host, signIn } from '../../../../test/host-api.ts'
import {
  addEventType,
  addTeam,
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  stoppedClock,
} from '../../../../test/kit.ts'
import type { RoutingForm } from '../../../domain/forms/routing.ts'
import { HOUR } from '../../../domain/interval.ts'
import type { Scheduler } from '../../../domain/people/scheduler.ts'
import { completeBookings } from '../../../services/bookings/complete.ts'
import type { Context } from '../../../services/context.ts'
import { FormCounts } from '../../../services/form-counts.ts'
import { saveFormCounts } from '../../../services/forms/count-visitors.ts'
import { openDatabase } from '../../../store/engine/open-database.ts'
import { addFormCounts } from '../../../store/forms/counts.ts'
import { insertTeamMember } from '../../../store/people/members.ts'

const TUESDAY_NINE = Date.UTC(2027, 0, 12, 9)
const FIELDS: RoutingForm['fields'] = ['topic', 'size'].map((id) => ({
  id,
  label: id,
  type: 'text',
  required: false,
  options: [],
}))

onEveryDatabase('the funnel of a form', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let context: Context
  let member: Host
  let stranger: Host
  let team: Scheduler

  before(async () => {
    const made = await appOn(db(), { now: clock.now, signup: 'open' })
    app = made.app
    context = made.context
    member = await signIn(app, made.mailbox, 'member@hosts.example')
    stranger = await signIn(app, made.mailbox, 'stranger@hosts.example')
    team = await addTeam(db(), 'crew')
    await insertTeamMember(db(), { teamId: team.id, userId: member.user.id, role: 'member' }, 0)
  })

  const open = (form: RoutingForm, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ method, url: `/api/public/routing/crew/${form.slug}` })
  const post = (url: string, payload: object, headers: Record<string, string> = fromSomeoneNew()) =>
    app.inject({ method: 'POST', url, payload, headers })
  const leave = (form: RoutingForm, payload: object, headers?: Record<string, string>) =>
    post(`/api/public/routing/crew/${form.slug}/left`, payload, headers)
  const evaluate = (form: RoutingForm, query = '') =>
    post(`/api/public/routing/crew/${form.slug}/evaluate${query}`, { answers: { topic: 'x' } })
  const funnelOf = async (form: RoutingForm, query = '') => {
    const reply = await member.get(`/routing-forms/${form.id}/funnel${query}`)
    assert.equal(reply.statusCode, 200, reply.body)
    return reply.json()
  }

  it('counts from opening to meeting, without a write for each opening', async () => {
    const ann = await addUser(db(), 'ann')
    const call = await addEventType(db(), team, { slug: 'call' }, [{ hostId: ann.id, fixed: true }])
    const form = await addForm(db(), team, {
      fields: FIELDS,
      fallback: { action: 'routeToEvent', eventTypeId: call.id },
    })
    for (let time = 0; time < 5; time++) await open(form)
    await open(form, 'HEAD')
    const saved = () => db().selectFrom('form_counts').selectAll().where('form_id', '=', form.id).execute()
    assert.deepEqual(await saved(), [])
    assert.equal((await leave(form, { field: 'size' })).statusCode, 204)
    await evaluate(form)
    await evaluate(form, '?dryRun=true')
    const booked = async (startsAt: number) => {
      const { token } = await tokenFor(context, form, call.id)
      const reply = await post(
        `/api/public/scheduling/crew/call/book?routing=${token}`,
        bookingOf(call, startsAt),
      )
      assert.equal(reply.statusCode, 201, reply.body)
    }
    await booked(TUESDAY_NINE)
    await booked(TUESDAY_NINE + 24 * HOUR)
    clock.moveTo(TUESDAY_NINE + 2 * HOUR)
    await completeBookings(context)
    clock.moveTo(MONDAY_NOON)
    assert.deepEqual(await funnelOf(form), {
      from: '2026-12-13',
      to: '2027-01-11',
      timezone: team.timeZone,
      opened: 5,
      answered: 3,
      routed: 3,
      booked: 2,
      met: 1,
      dropOff: [
        { fieldId: null, count: 1 },
        { fieldId: 'topic', count: 0 },
        { fieldId: 'size', count: 1 },
      ],
    })
  })

  it('counts by days of the owner', async () => {
    const form = await addForm(db(), team)
    const start = Date.UTC(2027, 0, 20)
    await db().updateTable('schedulers').set({ time_zone: 'Asia/Tokyo' }).where('id', '=', team.id).execute()
    // A minute before and after midnight in Tokyo.
    for (const at of [start - 9 * HOUR - 60_000, start - 9 * HOUR + 60_000]) {
      clock.moveTo(at)
      await open(form)
      await evaluate(form)
    }
    clock.moveTo(MONDAY_NOON)
    const day = async (date: string) => {
      const { opened, answered, timezone } = await funnelOf(form, `?from=${date}&to=${date}`)
      return [opened, answered, timezone]
    }
    assert.deepEqual(await day('2027-01-19'), [1, 1, 'Asia/Tokyo'])
    assert.deepEqual(await day('2027-01-20'), [1, 1, 'Asia/Tokyo'])
    assert.deepEqual(await day('2027-01-21'), [0, 0, 'Asia/Tokyo'])
    await db().updateTable('schedulers').set({ time_zone: team.timeZone }).where('id', '=', team.id).execute()
  })

  it('adds up what several instances count, and keeps it if the database fails', async () => {
    const form = await addForm(db(), team)
    const other: Context = { ...context, formCounts: new FormCounts() }
    const count = { formId: form.id, day: 20_464, step: 'opened', field: '', count: 3 } as const
    for (const one of [context, other]) one.formCounts.add(count)
    await Promise.all([saveFormCounts(context), saveFormCounts(other)])
    other.formCounts.add(count)
    const empty = openDatabase(':memory:')
    await assert.rejects(saveFormCounts({ ...other, db: empty }), /form_counts/)
    await empty.destroy()
    await saveFormCounts(other)
    const [row] = await db()
      .selectFrom('form_counts')
      .select('count')
      .where('form_id', '=', form.id)
      .execute()
    assert.equal(row?.count, 9)
  })

  it('drops the counts of a form that was deleted meanwhile', async () => {
    const [form, other] = [await addForm(db(), team), await addForm(db(), team)]
    await db().deleteFrom('routing_forms').where('id', '=', form.id).execute()
    const counts = [form, other].map(({ id }) => ({
      formId: id,
      day: 20_464,
      step: 'opened' as const,
      field: '',
      count: 1,
    }))
    await addFormCounts(db(), counts)
    const rows = await db()
      .selectFrom('form_counts')
      .select('form_id')
      .where('form_id', 'in', [form.id, other.id])
      .execute()
    assert.deepEqual(rows, [{ form_id: other.id }])
  })

  it('refuses to count what makes no sense', async () => {
    const form = await addForm(db(), team, { fields: FIELDS })
    const refused = async (payload: object) => {
      const reply = await leave(form, payload)
      assert.equal(reply.statusCode, 400, reply.body)
      return reply.json().error
    }
    assert.match(await refused({ field: 'gone' }), /no such question/)
    assert.match(await refused({ field: '' }), /no such question/)
    await refused({})
    await refused({ field: 5 })
    assert.equal((await leave({ ...form, slug: 'nowhere' }, { field: 'topic' })).statusCode, 404)
    const same = fromSomeoneNew()
    const statuses = []
    for (let time = 0; time < 31; time++) {
      statuses.push((await leave(form, { field: 'topic' }, same)).statusCode)
    }
    assert.deepEqual([...new Set(statuses)], [204, 429])
    const { dropOff } = await funnelOf(form)
    assert.deepEqual(dropOff[1], { fieldId: 'topic', count: statuses.filter((one) => one === 204).length })
  })

  it('is shown to members alone, for periods that make sense', async () => {
    const form = await addForm(db(), team)
    const path = `/routing-forms/${form.id}/funnel`
    assert.equal((await stranger.get(path)).statusCode, 404)
    for (const query of ['?from=soon', '?from=2027-01-02&to=2027-01-01', '?from=2020-01-01&to=2027-01-01']) {
      assert.equal((await member.get(path + query)).statusCode, 400, query)
    }
  })
})
