import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../test/databases.ts'
import { type Host, signIn } from '../../../test/host-api.ts'
import {
  addEventType,
  addTeam,
  addUser,
  appOn,
  bookingOf,
  changeElsewhere,
  fromSomeoneNew,
  MONDAY_NOON,
  stoppedClock,
} from '../../../test/kit.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { DAY } from '../../domain/interval.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import type { Context } from '../../services/context.ts'
import { deleteAbsence, insertAbsence } from '../../store/event-types/absences.ts'
import { findRoutedResponse } from '../../store/forms/forms.ts'
import { newId } from '../../store/new-id.ts'
import { updateMemberAttributes } from '../../store/people/attributes.ts'
import { insertTeamMember } from '../../store/people/members.ts'

const TUESDAY_NINE = Date.UTC(2027, 0, 12, 9)
const FIELDS = [
  {
    id: 'region',
    label: 'Your region',
    type: 'select',
    required: true,
    options: [
      { id: 'emea', label: 'Europe' },
      { id: 'apac', label: 'Asia' },
    ],
  },
]
const BY_ANSWER = { attribute: 'region', is: { answerOf: 'region' } }

onEveryDatabase('host filters', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let context: Context
  let admin: Host
  let team: Scheduler
  let hosts: Record<'ann' | 'ben' | 'eve', Scheduler>
  let call: EventType

  before(async () => {
    const made = await appOn(db(), { now: clock.now, signup: 'open' })
    app = made.app
    context = made.context
    admin = await signIn(app, made.mailbox, 'admin@hosts.example')
    team = await addTeam(db(), 'sales')
    await insertTeamMember(db(), { teamId: team.id, userId: admin.user.id, role: 'admin' }, 0)
    const [ann, ben, eve] = [
      await addUser(db(), 'ann'),
      await addUser(db(), 'ben'),
      await addUser(db(), 'eve'),
    ]
    hosts = { ann, ben, eve }
    for (const { id } of [ann, ben, eve])
      await insertTeamMember(db(), { teamId: team.id, userId: id, role: 'member' }, 0)
    const seats = [ann, ben, eve].map(({ id }) => ({ hostId: id, fixed: false }))
    const window = { kind: 'rolling', days: 365 } as const
    call = await addEventType(db(), team, { slug: 'call', assignment: 'round-robin', window }, seats)
    const defined = await admin.put(`/teams/${team.id}/attributes`, [
      { key: 'region', label: 'Region', type: 'one', options: ['EMEA', 'APAC', 'LATAM'] },
      { key: 'languages', label: 'Languages', type: 'many', options: ['de', 'en'] },
    ])
    assert.equal(defined.statusCode, 200, defined.body)
    await set(ann, { region: 'EMEA', languages: ['de'] })
    await set(ben, { region: 'APAC' })
  })

  const set = async ({ id }: Scheduler, attributes: object) => {
    const answer = await admin.patch(`/teams/${team.id}/members/${id}`, { attributes })
    assert.equal(answer.statusCode, 200, answer.body)
  }
  const target = (filter: unknown) => ({ action: 'routeToEvent', eventTypeId: call.id, hosts: filter })
  const contentOf = (filter: unknown) => ({
    slug: `form-${newId()}`,
    name: 'Contact',
    teamId: team.id,
    fields: FIELDS,
    rules: [{ when: { all: [] }, target: target(filter) }],
    fallback: { action: 'message', message: 'We will call you.' },
  })
  async function addForm(filter: unknown, more: object = {}) {
    const answer = await admin.post('/routing-forms', { ...contentOf(filter), ...more })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json()
  }
  const evaluate = async ({ slug }: { slug: string }, region = 'emea', query = '') => {
    const url = `/api/public/routing/sales/${slug}/evaluate${query}`
    const answer = await app.inject({
      method: 'POST',
      url,
      headers: fromSomeoneNew(),
      payload: { answers: { region } },
    })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  /** The names of the hosts whom a visitor is led to; null: all. */
  const chosenBy = async (form: { slug: string }, region?: string) => {
    const result = await evaluate(form, region)
    if (result.action !== 'routeToEvent') return result.message
    const stored = await findRoutedResponse(db(), result.routingToken.slice(0, 36))
    assert.deepEqual(stored?.route.reason, stored?.route.hostIds ? 'filter' : null)
    return (
      stored?.route.hostIds?.map((id) => Object.values(hosts).find((host) => host.id === id)?.slug) ?? null
    )
  }
  /** Runs work while this host has time off. */
  async function whileAway<T>(away: readonly Scheduler[], days: number, work: () => Promise<T>): Promise<T> {
    const absences = away.map(({ id: userId }) => ({
      ...{ id: newId(), userId, note: '', redirectTo: null },
      ...{ startsAt: MONDAY_NOON - DAY, endsAt: MONDAY_NOON + days * DAY },
    }))
    await db()
      .transaction()
      .execute(async (trx) => {
        for (const absence of absences) await insertAbsence(trx, absence)
      })
    context.slots.settingsChanged(away.map(({ id }) => id))
    try {
      return await work()
    } finally {
      for (const { id } of absences)
        await db()
          .transaction()
          .execute((trx) => deleteAbsence(trx, id))
      context.slots.settingsChanged(away.map(({ id }) => id))
    }
  }

  it('lead to the hosts who fit the answers, and book one of them', async () => {
    const form = await addForm(BY_ANSWER)
    assert.deepEqual(form.rules[0].target.hosts, BY_ANSWER)
    assert.deepEqual(await chosenBy(form, 'emea'), ['ann'])
    assert.deepEqual(await chosenBy(form, 'apac'), ['ben'])
    const { routingToken } = await evaluate(form, 'apac')
    for (const [start, status] of [
      [TUESDAY_NINE, 201],
      [TUESDAY_NINE, 400],
    ] as const) {
      const answer = await app.inject({
        method: 'POST',
        url: `/api/public/scheduling/sales/call/book?routing=${routingToken}`,
        headers: fromSomeoneNew(),
        payload: bookingOf(call, start),
      })
      assert.equal(answer.statusCode, status, answer.body)
    }
    const { items } = (await admin.get('/bookings')).json()
    assert.deepEqual(items[0].assignment, {
      hostId: hosts.ben.id,
      reason: 'filter',
      detail: 'Region is "apac".',
    })
    // The filter is the team's own business.
    const { items: responses } = (await admin.get(`/routing-forms/${form.id}/responses`)).json()
    assert.deepEqual(Object.keys(responses[0].result), ['action', 'eventTypeId', 'redirectUrl', 'message'])
  })

  it('follow what is set at once, here and elsewhere', async () => {
    const form = await addForm({
      all: [
        { attribute: 'region', isNot: 'EMEA' },
        { attribute: 'region', isNot: 'APAC' },
      ],
    })
    assert.deepEqual(await chosenBy(form), ['eve'])
    await set(hosts.eve, { region: 'APAC' })
    assert.equal(await chosenBy(form), null)
    await changeElsewhere(db(), team.id, (trx) =>
      updateMemberAttributes(trx, team.id, hosts.eve.id, { region: 'LATAM' }),
    )
    clock.moveTo(clock.now() + 1000)
    assert.deepEqual(await chosenBy(form), ['eve'])
    await set(hosts.eve, { region: null })
  })

  it('offer all hosts if those who pass have no free time within 60 days', async () => {
    const form = await addForm(BY_ANSWER)
    const { ann, ben, eve } = hosts
    await whileAway([ann], 59, async () => assert.deepEqual(await chosenBy(form), ['ann']))
    await whileAway([ann], 61, async () => assert.equal(await chosenBy(form), null))
    await whileAway([ann, ben, eve], 61, async () => {
      assert.equal(await chosenBy(form), 'We will call you.')
      const result = await evaluate(form)
      assert.equal(Object.keys(result).length, 5)
    })
  })

  it('end at the fallback, whatever it is', async () => {
    const { ann, ben, eve } = hosts
    const second = await addEventType(db(), team, { slug: 'second', assignment: 'round-robin' }, [
      { hostId: admin.user.id, fixed: false },
    ])
    const fallback = {
      action: 'routeToEvent',
      eventTypeId: second.id,
      hosts: { attribute: 'region', is: 'LATAM' },
    }
    const form = await addForm(BY_ANSWER, { fallback })
    await whileAway([ann, ben, eve], 61, async () => {
      assert.equal((await evaluate(form)).eventTypeSlug, 'second')
      // No host there has a free time, and there is nothing after it.
      const end = await addForm(BY_ANSWER, { fallback: target(BY_ANSWER) })
      assert.equal((await evaluate(end)).eventTypeSlug, 'call')
      assert.equal(await chosenBy(end), null)
    })
  })

  it('never choose a host who attends every meeting, and do nothing where hosts do not take turns', async () => {
    const { ann, ben, eve } = hosts
    const fixed = [ann, ben, eve].map(({ id }) => ({ hostId: id, fixed: id === ann.id }))
    const led = await addEventType(db(), team, { slug: 'led', assignment: 'round-robin' }, fixed)
    const together = await addEventType(db(), team, { slug: 'together' }, fixed)
    const led1 = await addForm(null, { fallback: { ...target(BY_ANSWER), eventTypeId: led.id } })
    await admin.patch(`/routing-forms/${led1.id}`, { rules: [] })
    assert.equal(await chosenBy(led1, 'emea'), null)
    assert.deepEqual(await chosenBy(led1, 'apac'), ['ben'])
    const toAll = { ...target(BY_ANSWER), eventTypeId: together.id }
    const all = await addForm(null, { rules: [{ when: { all: [] }, target: toAll }] })
    await whileAway([ann, ben, eve], 61, async () => assert.equal(await chosenBy(all, 'emea'), null))
  })

  it('are checked when the form is saved, with the field named', async () => {
    const at = 'rules.0.target.hosts'
    const cases: [unknown, string][] = [
      [{ attribute: 'colour', is: 'red' }, `${at}.attribute`],
      [{ attribute: 'languages', is: 'de' }, `${at}.is`],
      [{ any: [{ attribute: 'region', is: 'Mars' }] }, `${at}.any.0.is`],
      [{ attribute: 'region', is: { answerOf: 'gone' } }, `${at}.is.answerOf`],
      [{ attribute: 'region', is: 'EMEA', note: 'x' }, `${at}.note`],
    ]
    for (const [filter, field] of cases) {
      const answer = await admin.post('/routing-forms', contentOf(filter))
      assert.deepEqual([answer.statusCode, answer.headers['error-field']], [400, field], answer.body)
    }
  })

  it('keep the attributes that they need', async () => {
    await addForm({ attribute: 'region', is: 'LATAM' }, { name: 'Only Latin America' })
    const { ann, ben } = hosts
    await set(ann, { region: null })
    await set(ben, { region: null })
    const region = { key: 'region', label: 'Region', type: 'one', options: ['EMEA', 'APAC'] }
    const languages = { key: 'languages', label: 'Languages', type: 'many', options: ['de', 'en'] }
    for (const attributes of [[languages], [region, languages]]) {
      const answer = await admin.put(`/teams/${team.id}/attributes`, attributes)
      assert.equal(answer.statusCode, 409, answer.body)
      assert.match(answer.json().error, /^The form ".+" chooses hosts by this\. Change the form first: /)
    }
    await set(ann, { region: 'EMEA' })
    await set(ben, { region: 'APAC' })
  })

  it('are explained when answers are tried', async () => {
    const form = await addForm(BY_ANSWER)
    const attempt = async () =>
      (await admin.post(`/routing-forms/${form.id}/try`, { answers: { region: 'emea' } })).json()
    const tried = await attempt()
    assert.deepEqual(
      [tried.rule, tried.hosts.leadsTo, tried.hosts.reason],
      [0, 'filtered', 'Region is "emea".'],
    )
    assert.deepEqual(
      tried.hosts.hosts.map(({ name, passed, reason }: Record<string, unknown>) => [name, passed, reason]),
      [
        ['Name of ann', true, 'Passes.'],
        ['Name of ben', false, '"Region" is "APAC", not "emea".'],
        ['Name of eve', false, '"Region" is not set, not "emea".'],
      ],
    )
    const { ann, ben, eve } = hosts
    await whileAway([ann], 61, async () => {
      const { rule, hosts: explained } = await attempt()
      assert.deepEqual([rule, explained.leadsTo], [0, 'all'])
      assert.match(explained.reason, /^No host who passes has a free time/)
    })
    await whileAway([ann, ben, eve], 61, async () => {
      const { rule, result, rules, hosts: explained } = await attempt()
      assert.deepEqual([rule, result.message, explained.leadsTo], [null, 'We will call you.', 'nobody'])
      assert.match(rules[0].reason, /^Matched, but no host has a free time/)
    })
    assert.equal(
      (await admin.post(`/routing-forms/${(await addForm(null)).id}/try`, { answers: {} })).json().hosts,
      null,
    )
  })
})
