import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import type { HostFilter, HostValue } from '../../src/domain/forms/host-filter.ts'
import { type Condition, type Target, TEXT_OPERATORS } from '../../src/domain/forms/routing.ts'
import { DAY, MINUTE } from '../../src/domain/interval.ts'
import type { Attribute, AttributeValues } from '../../src/domain/people/attributes.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import type { Context } from '../../src/services/context.ts'
import { evaluateForm } from '../../src/services/forms/evaluate.ts'
import { publish } from '../../src/services/published-forms.ts'
import { insertAbsence } from '../../src/store/event-types/absences.ts'
import { findRoutedResponse } from '../../src/store/forms/forms.ts'
import { newId } from '../../src/store/new-id.ts'
import { updateAttributes, updateMemberAttributes } from '../../src/store/people/attributes.ts'
import { insertTeamMember } from '../../src/store/people/members.ts'
import { onEveryDatabase } from '../databases.ts'
import { addForm } from '../forms.ts'
import { addEventType, addTeam, addUser, appOn, fromSomeoneNew, MONDAY_NOON, stoppedClock } from '../kit.ts'
import { repeat } from '../repeat.ts'
import {
  hasStart,
  type ReferenceEventType,
  type ReferenceHost,
  type ReferenceMeeting,
  type ReferenceRoute,
  referenceRoute,
} from '../routing-reference.ts'

const ATTRIBUTES: readonly Attribute[] = [
  { key: 'region', label: 'Region', type: 'one', options: ['EMEA', 'APAC'] },
  { key: 'languages', label: 'Languages', type: 'many', options: ['de', 'en'] },
  { key: 'note', label: 'Note', type: 'text', options: [] },
]
const FIELDS = [
  {
    id: 'where',
    label: 'Where',
    type: 'select' as const,
    required: false,
    options: ['emea', 'apac', 'mars'].map((id) => ({ id, label: id })),
  },
  { id: 'text', label: 'Text', type: 'text' as const, required: false, options: [] },
  { id: 'size', label: 'Size', type: 'number' as const, required: false, options: [] },
  {
    id: 'topics',
    label: 'Topics',
    type: 'multiselect' as const,
    required: false,
    options: ['a', 'b', 'c'].map((id) => ({ id, label: id })),
  },
  { id: 'email', label: 'Email', type: 'email' as const, required: false, options: [] },
]
const TEXTS = ['de', 'EN', 'a', 'ab', ' Ab ', 'emea']

/** Who visits, or met a host: two colleagues, someone else, and two with an address that anyone can have. */
const PEOPLE = ['ann@company', 'bob@company', 'cyd@other', 'dee@gmail', 'eve@gmail']
const person = fc.constantFrom(...PEOPLE)

/** Each world has its own companies, since all are in one database. */
const addressOf = (someone: string, worldId: string) => {
  const [name, where] = someone.split('@')
  return where === 'gmail' ? `${name}-${worldId}@gmail.com` : `${name}@${where}-${worldId}.example`
}

const answers = fc.record(
  {
    where: fc.constantFrom('emea', 'apac', 'mars'),
    text: fc.constantFrom(...TEXTS),
    size: fc.constantFrom('-1', '0', '2.5', '3', '1e1'),
    topics: fc.subarray(['a', 'b', 'c']),
    email: person,
  },
  { requiredKeys: [] },
)

const leaf: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    field: fc.constant('where'),
    operator: fc.constantFrom('equals' as const, 'notEquals' as const),
    value: fc.constantFrom('emea', 'apac'),
  }),
  fc.record({
    field: fc.constant('text'),
    operator: fc.constantFrom(...TEXT_OPERATORS.filter((one) => !/mpty|Any/.test(one))),
    value: fc.constantFrom(...TEXTS),
  }),
  fc.record({
    field: fc.constant('text'),
    operator: fc.constant('isAnyOf' as const),
    value: fc.array(fc.constantFrom(...TEXTS), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    field: fc.constant('size'),
    operator: fc.constantFrom(
      ...(['equals', 'notEquals', 'lessThan', 'atMost', 'greaterThan', 'atLeast'] as const),
    ),
    value: fc.constantFrom(0, 2.5, 3),
  }),
  fc.record({
    field: fc.constant('topics'),
    operator: fc.constantFrom('contains' as const, 'notContains' as const),
    value: fc.constantFrom('a', 'b', 'c'),
  }),
  fc.record({
    field: fc.constant('topics'),
    operator: fc.constantFrom('isAnyOf' as const, 'isOnlyOf' as const),
    value: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
  }),
  fc.record({
    field: fc.constantFrom('where', 'text', 'size', 'topics'),
    operator: fc.constantFrom('isEmpty' as const, 'isNotEmpty' as const),
  }),
)

const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.record({ all: fc.array(tie('condition'), { maxLength: 2 }) }),
    fc.record({ any: fc.array(tie('condition'), { minLength: 1, maxLength: 2 }) }),
  ),
}))

const hostValue = (texts: readonly string[]): fc.Arbitrary<HostValue> =>
  fc.oneof(fc.constantFrom(...texts), fc.record({ answerOf: fc.constantFrom('where', 'text') }))

const comparison: fc.Arbitrary<HostFilter> = fc.oneof(
  ...[
    { attribute: 'region', texts: ['EMEA', 'apac'], operators: ['is', 'isNot'] },
    { attribute: 'note', texts: TEXTS, operators: ['is', 'isNot', 'contains'] },
    { attribute: 'languages', texts: ['DE', 'en'], operators: ['contains'] },
  ].flatMap(({ attribute, texts, operators }) => [
    ...operators.map((operator) =>
      hostValue(texts).map((value) => ({ attribute, [operator]: value }) as unknown as HostFilter),
    ),
    fc.array(hostValue(texts), { minLength: 1, maxLength: 2 }).map((isAnyOf) => ({ attribute, isAnyOf })),
  ]),
)

const { filter } = fc.letrec<{ filter: HostFilter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    comparison,
    fc.record({ all: fc.array(tie('filter'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ any: fc.array(tie('filter'), { minLength: 1, maxLength: 2 }) }),
  ),
}))

/** A target whose event type is given by its place in the list. */
const target = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      event: fc.nat(1),
      hosts: fc.option(filter, { nil: undefined, freq: 6 }),
      owner: fc.option(
        fc.record({ days: fc.constantFrom(5, 15), by: fc.constantFrom('email' as const, 'domain' as const) }),
        { nil: undefined, freq: 3 },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ message: 'Thanks' }) },
)

/** Whole days off from today on: gone for good, beyond the horizon, until its last days, for a while, or not at all. */
const away = fc.constantFrom([0, 400], [0, 61], [0, 59], [0, 3], [2, 20], undefined)

const values: fc.Arbitrary<AttributeValues> = fc.record(
  {
    region: fc.constantFrom('EMEA', 'APAC'),
    languages: fc.subarray(['de', 'en'], { minLength: 1 }),
    note: fc.constantFrom('de', 'EN', 'ab'),
  },
  { requiredKeys: [] },
)

const world = fc.record({
  hosts: fc.array(fc.record({ away, values }), { minLength: 2, maxLength: 4 }),
  eventTypes: fc.array(
    fc.record({
      hidden: fc.constantFrom(false, false, false, true),
      roundRobin: fc.constantFrom(true, true, true, false),
      windowDays: fc.constantFrom(1, 30, 90),
      /** Whether each host is left out, takes turns or attends every meeting. */
      seats: fc.array(fc.constantFrom('turn', 'turn', 'turn', 'none', 'fixed'), {
        minLength: 4,
        maxLength: 4,
      }),
    }),
    { minLength: 2, maxLength: 2 },
  ),
  rules: fc.array(fc.record({ when: condition, target }), { maxLength: 3 }),
  fallback: target,
  /** Each at another time: which of two meetings is the latest is not left to chance. */
  history: fc.uniqueArray(
    fc.record({
      host: fc.nat(3),
      someone: person,
      daysAgo: fc.constantFrom(-3, 1, 2, 4, 6, 8, 14, 16, 30),
      status: fc.constantFrom('Completed', 'Confirmed', 'Cancelled', 'NoShow', 'PendingApproval'),
    }),
    { maxLength: 6, selector: ({ daysAgo }) => daysAgo },
  ),
  visitors: fc.array(answers, { minLength: 4, maxLength: 4 }),
})

type World = typeof world extends fc.Arbitrary<infer W> ? W : never

/** Tried in every run, since few random worlds have hosts of whom only some pass. */
const turns: World['eventTypes'][number] = {
  hidden: false,
  roundRobin: true,
  windowDays: 30,
  seats: Array(4).fill('turn'),
}
const NARROWING: World = {
  hosts: ['EMEA', 'APAC'].map((region) => ({ away: undefined, values: { region } })),
  eventTypes: [turns, turns],
  rules: [
    {
      when: { all: [] },
      target: { event: 0, hosts: { attribute: 'region', is: { answerOf: 'where' } }, owner: undefined },
    },
  ],
  fallback: { message: 'Thanks' },
  history: [],
  visitors: [{ where: 'emea' }, { where: 'apac' }, { where: 'mars' }, {}],
}

/** The same for returning guests: one who met a host, their colleague, and strangers who share a domain. */
const RETURNING: World = {
  ...NARROWING,
  rules: [{ when: { all: [] }, target: { event: 0, hosts: undefined, owner: { days: 15, by: 'domain' } } }],
  history: [
    { host: 1, someone: 'ann@company', daysAgo: 8, status: 'Completed' },
    { host: 0, someone: 'ann@company', daysAgo: 4, status: 'Completed' },
    { host: 1, someone: 'ann@company', daysAgo: 2, status: 'Cancelled' },
    { host: 1, someone: 'dee@gmail', daysAgo: 1, status: 'Confirmed' },
  ],
  visitors: ['ann@company', 'bob@company', 'dee@gmail', 'eve@gmail'].map((email) => ({ email })),
}

onEveryDatabase('a routing form', ({ db, engine }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let context: Context

  before(async () => {
    const made = await appOn(db(), { now: clock.now })
    app = made.app
    context = made.context
  })

  async function build(given: World) {
    const team = await addTeam(db(), `team-${newId()}`)
    const hosts: Omit<ReferenceHost, 'fixed'>[] = []
    for (const { away: days, values: attributes } of given.hosts) {
      const user = await addUser(db(), `user-${newId()}`)
      await insertTeamMember(db(), { teamId: team.id, userId: user.id, role: 'member' }, 0)
      const [first = 0, last = 0] = days ?? []
      const absence = { start: MONDAY_NOON + first * DAY, end: MONDAY_NOON + last * DAY }
      await db()
        .transaction()
        .execute(async (trx) => {
          await updateMemberAttributes(trx, team.id, user.id, attributes)
          if (days === undefined) return
          const times = { startsAt: absence.start, endsAt: absence.end }
          await insertAbsence(trx, {
            id: newId(),
            userId: user.id,
            note: '',
            redirectTo: null,
            ...times,
          })
        })
      hosts.push({ id: user.id, attributes, away: days === undefined ? [] : [absence] })
    }
    await db()
      .transaction()
      .execute((trx) => updateAttributes(trx, team.id, ATTRIBUTES))
    const eventTypes: ReferenceEventType[] = []
    for (const { seats, hidden, roundRobin, windowDays } of given.eventTypes) {
      const seated = hosts.flatMap((host, index) =>
        seats[index] === 'none' ? [] : [{ ...host, fixed: seats[index] === 'fixed' }],
      )
      const made = await addEventType(
        db(),
        team,
        {
          ...{ slug: `event-${newId()}`, hidden, noticeMinutes: 0, durationMinutes: 30 },
          assignment: roundRobin ? 'round-robin' : 'collective',
          window: { kind: 'rolling', days: windowDays },
        },
        seated.map(({ id, fixed }) => ({ hostId: id, fixed })),
      )
      eventTypes.push({ id: made.id, hidden, roundRobin, windowDays, hosts: seated })
    }
    const toTarget = (one: typeof target extends fc.Arbitrary<infer T> ? T : never): Target =>
      'message' in one
        ? { action: 'message', message: one.message }
        : {
            action: 'routeToEvent',
            eventTypeId: (eventTypes[one.event] as ReferenceEventType).id,
            ...(one.hosts && { hosts: one.hosts }),
            ...(one.owner && { owner: one.owner }),
          }
    const rules = given.rules.map((rule) => ({ when: rule.when, target: toTarget(rule.target) }))
    const form = await addForm(db(), team, { fields: FIELDS, rules, fallback: toTarget(given.fallback) })
    const worldId = newId()
    const history = given.history.flatMap(({ host, someone, daysAgo, status }) => {
      const met = hosts[host]
      const email = addressOf(someone, worldId)
      return met === undefined
        ? []
        : [{ hostId: met.id, email, startsAt: MONDAY_NOON - daysAgo * DAY + 90 * MINUTE, status }]
    })
    for (const meeting of history) await addPast(team, eventTypes[0] as ReferenceEventType, meeting)
    return { team, form, eventTypes, history, worldId }
  }

  /** As it is found once it is over: nothing else reads these rows here. */
  async function addPast(team: Scheduler, eventType: ReferenceEventType, meeting: ReferenceMeeting) {
    const { hostId, email, startsAt, status } = meeting
    const id = newId()
    await db()
      .insertInto('bookings')
      .values({
        ...{ id, scheduler_id: team.id, event_type_id: eventType.id, meeting_id: id, host_id: hostId },
        ...{ seat: 1, seats: 1, status, starts_at: startsAt, ends_at: startsAt + 30 * MINUTE },
        ...{ invitee_name: 'Guest', invitee_email: email, invitee_phone: '', invitee_time_zone: 'UTC' },
        ...{
          invitee_locale: 'en',
          location_type: 'Video',
          location_value: '',
          notes: '',
          custom_fields: '{}',
        },
        ...{ source: 'Direct', duplicate_key: id, guest: email, created_at: 0, requested_at: null },
        ...{ link_id: null, routing: null, series_id: null, series: null },
      })
      .execute()
  }

  /** What the service does, as the reference says it. */
  async function routeReally(
    team: Scheduler,
    form: Awaited<ReturnType<typeof addForm>>,
    given: World['visitors'][number],
  ) {
    const how = { dryRun: false, clientAddress: '127.0.0.1' }
    const published = await publish(db(), team, form)
    const result = await evaluateForm(context, published, { answers: given }, how)
    const token = result.routingToken
    const stored = token === undefined ? undefined : await findRoutedResponse(db(), token.slice(0, 36))
    return { result, token, route: stored?.route }
  }

  const same = (expected: ReferenceRoute, real: Awaited<ReturnType<typeof routeReally>>) => {
    const { target: wanted } = expected
    if (wanted === 'last resort') return assert.match(real.result.message ?? '', /have been received/)
    assert.equal(real.result.action, wanted.action)
    if (wanted.action !== 'routeToEvent') return undefined
    assert.equal(real.route?.eventTypeId, wanted.eventTypeId)
    assert.deepEqual(real.route?.hostIds?.toSorted() ?? null, expected.hostIds?.toSorted() ?? null)
    return assert.equal(real.route?.reason, expected.reason)
  }

  const runs = engine === 'sqlite' ? repeat({ few: 40, many: 2000 }) : repeat({ few: 10, many: 300 })

  it('leads where the reference says, and never to a dead end while someone can be booked', async () => {
    const narrowed = { filter: 0, owner: 0 }
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const { team, form, eventTypes, history, worldId } = await build(given)
        for (const { email, ...rest } of given.visitors) {
          const visitor = { ...rest, ...(email && { email: addressOf(email, worldId) }) }
          const expected = referenceRoute(form, eventTypes, visitor, history, clock.now())
          const real = await routeReally(team, form, visitor)
          same(expected, real)
          const { target: reached } = expected
          if (reached === 'last resort' || reached.action !== 'routeToEvent') continue
          const eventType = eventTypes.find(({ id }) => id === reached.eventTypeId) as ReferenceEventType
          const rotating = eventType.hosts.filter(({ fixed }) => !fixed)
          if (!eventType.roundRobin || rotating.length === 0) continue
          // What the visitor is then shown: something, if any host of the event type can be booked.
          const isAnyFree = rotating.some((host) => hasStart(eventType, host, clock.now()))
          const url = `/api/public/scheduling/${team.slug}/${real.result.eventTypeSlug}/slots`
          const query = `dateFrom=2027-01-11&dateTo=2027-03-12&timezone=UTC&routing=${real.token}`
          const listed = await app.inject({ url: `${url}?${query}`, headers: fromSomeoneNew() })
          assert.equal(listed.statusCode, 200, listed.body)
          assert.equal(listed.body.includes('startTime'), isAnyFree, listed.body.slice(0, 200))
          if (expected.reason !== null) narrowed[expected.reason]++
        }
      }),
      { numRuns: runs, examples: [[NARROWING], [RETURNING]] },
    )
    assert.ok(narrowed.filter > 0, 'some filters chose hosts')
    assert.ok(narrowed.owner > 0, 'some guests returned to a host')
  })
})
