import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance, LightMyRequestResponse as Reply } from 'fastify'
import { onEveryDatabase } from '../../../test/databases.ts'
import {
  addEventType,
  addTeam,
  addUser,
  appOn,
  changeElsewhere,
  fromSomeoneNew,
  stoppedClock,
} from '../../../test/kit.ts'
import {
  type Condition,
  checkForm,
  FORM_DEFAULTS,
  type FormField,
  type Operator,
  type RoutingForm,
  type Target,
  type TEXT_OPERATORS,
} from '../../domain/forms/routing.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { deleteEventType } from '../../store/event-types/event-types.ts'
import { insertForm } from '../../store/forms/forms.ts'
import { newId } from '../../store/new-id.ts'

const FIELDS: readonly FormField[] = [
  {
    id: 'reason',
    label: 'What is it about?',
    type: 'select',
    required: true,
    options: [
      { id: 'sales', label: 'Sales' },
      { id: 'support', label: 'Support' },
    ],
  },
  { id: 'company', label: 'Your company', type: 'text', required: false, options: [] },
  { id: 'mail', label: 'Your email', type: 'email', required: false, options: [] },
  { id: 'phone', label: 'Your number', type: 'phone', required: false, options: [] },
  { id: 'details', label: 'Anything else?', type: 'textarea', required: false, options: [] },
]

const message = (text: string): Target => ({ action: 'message', message: text })

onEveryDatabase('/api/public/routing', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let ada: Scheduler

  const addForm = async (given: Partial<RoutingForm> = {}, owner = ada): Promise<RoutingForm> => {
    const form: RoutingForm = {
      ...FORM_DEFAULTS,
      id: newId(),
      schedulerId: owner.id,
      slug: `form-${newId()}`,
      name: 'Contact',
      description: null,
      fields: FIELDS,
      rules: [],
      fallback: message('Thank you.'),
      ...given,
    }
    checkForm(form)
    await insertForm(db(), form)
    return form
  }
  const get = (path: string) => app.inject({ url: `/api/public/routing/${path}` })
  const evaluate = ({ slug }: RoutingForm, answers: unknown, query = '', owner = ada): Promise<Reply> =>
    app.inject({
      method: 'POST',
      url: `/api/public/routing/${owner.slug}/${slug}/evaluate${query}`,
      payload: { answers },
      headers: fromSomeoneNew(),
    })
  const resultOf = (reply: Reply) => {
    assert.equal(reply.statusCode, 200, reply.body)
    return reply.json()
  }
  const responsesTo = async ({ id }: RoutingForm) => {
    const rows = await db()
      .selectFrom('routing_responses')
      .selectAll()
      .where('form_id', '=', id)
      .orderBy('answers')
      .execute()
    return rows.map((row) => ({ ...row, answers: JSON.parse(row.answers), result: JSON.parse(row.result) }))
  }
  const assertRefused = async (form: RoutingForm, reply: Reply, status: number, says: RegExp) => {
    assert.equal(reply.statusCode, status, reply.body)
    assert.deepEqual(Object.keys(reply.json()), ['error'])
    assert.match(reply.json().error, says)
    assert.deepEqual(await responsesTo(form), [], 'something was recorded')
  }

  before(async () => {
    app = (await appOn(db(), { now: clock.now })).app
    ada = await addUser(db(), 'ada')
  })

  // The form

  it('shows a form with every field, and nothing of where it leads', async () => {
    const form = await addForm({
      slug: 'contact',
      name: 'Contact us',
      description: 'Two questions.',
      rules: [{ when: { all: [] }, target: { action: 'redirect', url: 'https://secret.example/' } }],
      fallback: message('Secret.'),
    })
    const reply = await get('ada/contact')
    assert.equal(reply.statusCode, 200)
    assert.deepEqual(reply.json(), {
      id: form.id,
      name: 'Contact us',
      slug: 'contact',
      description: 'Two questions.',
      fields: FIELDS,
      branding: ada.branding,
    })
  })

  it('says null for a description that is not there, and has options everywhere', async () => {
    const { slug } = await addForm()
    const form = (await get(`ada/${slug}`)).json()
    assert.equal(form.description, null)
    for (const { options } of form.fields) assert.ok(Array.isArray(options))
  })

  it('shows the form of a team', async () => {
    const { slug } = await addForm({}, await addTeam(db(), 'crew'))
    assert.equal((await get(`crew/${slug}`)).statusCode, 200)
    assert.equal((await get(`ada/${slug}`)).statusCode, 404)
  })

  it('answers 404 for a user or form that is not there, to GET and to evaluate alike', async () => {
    const form = await addForm()
    for (const path of [
      `nobody/${form.slug}`,
      'ada/nothing',
      'nobody/nothing',
      'ada/%00',
      'ADA/contact',
      'ada/a%2Fb',
    ]) {
      await assertRefused(form, await get(path), 404, /\S/)
      for (const payload of [{ answers: { reason: 'sales' } }, {}, '{ not JSON']) {
        const reply = await app.inject({
          method: 'POST',
          url: `/api/public/routing/${path}/evaluate`,
          headers: { 'content-type': 'application/json' },
          payload,
        })
        await assertRefused(form, reply, 404, /\S/)
      }
    }
  })

  // Where answers lead

  it('answers with all five fields for every action', async () => {
    const intro = await addEventType(db(), ada, { slug: 'intro', name: 'Intro call' })
    const targets: Target[] = [
      { action: 'routeToEvent', eventTypeId: intro.id },
      { action: 'redirect', url: 'https://help.example/?a=b' },
      message('We will write.'),
    ]
    const results: unknown[] = []
    for (const fallback of targets) {
      const result = resultOf(await evaluate(await addForm({ fallback }), { reason: 'sales' }))
      const { routingToken, bookingUrl, ...five } = result
      assert.equal(typeof routingToken === 'string', five.action === 'routeToEvent')
      assert.equal(typeof bookingUrl === 'string', five.action === 'routeToEvent')
      results.push(five)
    }
    const nothing = { eventTypeSlug: null, eventTypeName: null, redirectUrl: null, message: null }
    assert.deepEqual(results, [
      { ...nothing, action: 'routeToEvent', eventTypeSlug: 'intro', eventTypeName: 'Intro call' },
      { ...nothing, action: 'redirect', redirectUrl: 'https://help.example/?a=b' },
      { ...nothing, action: 'message', message: 'We will write.' },
    ])
  })

  /** Per operator: its value, an answer that fulfils it and one that does not. */
  const OPERATOR_CASES: Record<
    (typeof TEXT_OPERATORS)[number],
    readonly [string | string[] | undefined, string, string]
  > = {
    equals: ['Acme', ' ACME ', 'Acme Inc'],
    notEquals: ['Acme', 'Other', 'acme'],
    contains: ['corp', 'Big CORP Ltd', 'Big Co'],
    notContains: ['corp', 'Big Co', 'Corpus'],
    startsWith: ['big', 'BIG Co', 'Not big'],
    endsWith: ['ltd', 'Big Ltd ', 'Ltd Big'],
    isEmpty: [undefined, ' ', 'x'],
    isNotEmpty: [undefined, 'x', ' '],
    isAnyOf: [['Acme', 'Other'], 'other', 'Third'],
  }
  for (const [operator, [value, yes, no]] of Object.entries(OPERATOR_CASES)) {
    it(`routes by ${operator}`, async () => {
      const when = { field: 'company', operator: operator as Operator, ...(value !== undefined && { value }) }
      const form = await addForm({ rules: [{ when, target: message('yes') }], fallback: message('no') })
      assert.equal(resultOf(await evaluate(form, { reason: 'sales', company: yes })).message, 'yes')
      assert.equal(resultOf(await evaluate(form, { reason: 'sales', company: no })).message, 'no')
    })
  }

  it('routes by numbers and by several choices', async () => {
    const [seats, topics] = [
      { id: 'seats', label: 'Seats', type: 'number' as const, required: true, options: [] },
      {
        id: 'topics',
        label: 'Topics',
        type: 'multiselect' as const,
        required: false,
        options: ['price', 'setup', 'other'].map((id) => ({ id, label: id })),
      },
    ]
    const form = await addForm({
      fields: [seats, topics],
      rules: [
        { when: { field: 'seats', operator: 'atLeast', value: 100 }, target: message('large') },
        {
          when: { field: 'topics', operator: 'isOnlyOf', value: ['price', 'setup'] },
          target: message('sales'),
        },
        { when: { field: 'topics', operator: 'contains', value: 'other' }, target: message('help') },
      ],
      fallback: message('no'),
    })
    const led = async (answers: object) => resultOf(await evaluate(form, answers)).message
    assert.equal(await led({ seats: '1e2' }), 'large')
    assert.equal(await led({ seats: 99.5, topics: ['price', 'setup'] }), 'sales')
    assert.equal(await led({ seats: '7', topics: ['price', 'other'] }), 'help')
    assert.equal(await led({ seats: 0, topics: [] }), 'no')
    for (const wrong of [
      { seats: 'many' },
      { seats: 1, topics: 'price' },
      { seats: 1, topics: ['rum'] },
      {},
    ]) {
      assert.equal((await evaluate(form, wrong)).statusCode, 400, JSON.stringify(wrong))
    }
  })

  it('routes by trees of all and any', async () => {
    const is = (value: string): Condition => ({ field: 'company', operator: 'equals', value })
    const sales: Condition = { field: 'reason', operator: 'equals', value: 'sales' }
    const form = await addForm({
      rules: [
        {
          when: {
            all: [sales, { any: [is('a'), { all: [is('b'), { field: 'mail', operator: 'isNotEmpty' }] }] }],
          },
          target: message('tree'),
        },
      ],
      fallback: message('no'),
    })
    const cases = [
      [{ reason: 'sales', company: 'a' }, 'tree'],
      [{ reason: 'sales', company: 'b', mail: 'a@b.example' }, 'tree'],
      [{ reason: 'sales', company: 'b' }, 'no'],
      [{ reason: 'support', company: 'a' }, 'no'],
      [{ reason: 'sales', company: 'c' }, 'no'],
      [{ reason: 'sales' }, 'no'],
    ] as const
    for (const [answers, expected] of cases) {
      assert.equal(resultOf(await evaluate(form, answers)).message, expected, JSON.stringify(answers))
    }
  })

  it('follows the first rule that matches, and the fallback when none does', async () => {
    const form = await addForm({
      rules: [
        { when: { field: 'reason', operator: 'equals', value: 'support' }, target: message('first') },
        { when: { field: 'company', operator: 'isNotEmpty' }, target: message('second') },
        { when: { field: 'company', operator: 'contains', value: 'acme' }, target: message('never') },
      ],
      fallback: message('fallback'),
    })
    assert.equal(resultOf(await evaluate(form, { reason: 'support', company: 'Acme' })).message, 'first')
    assert.equal(resultOf(await evaluate(form, { reason: 'sales', company: 'Acme' })).message, 'second')
    assert.equal(resultOf(await evaluate(form, { reason: 'sales' })).message, 'fallback')
  })

  it('passes over rules whose event type is hidden, deleted or someone else’s', async () => {
    const hidden = await addEventType(db(), ada, { hidden: true })
    const foreign = await addEventType(db(), await addUser(db(), 'bob'))
    const open = await addEventType(db(), ada, { slug: 'open', name: 'Open' })
    const to = (eventTypeId: string): Target => ({ action: 'routeToEvent', eventTypeId })
    const always: Condition = { all: [] }
    const rules = [hidden.id, newId(), foreign.id].map((id) => ({ when: always, target: to(id) }))
    const past = await addForm({ rules: [...rules, { when: always, target: to(open.id) }] })
    assert.equal(resultOf(await evaluate(past, { reason: 'sales' })).eventTypeSlug, 'open')
    const through = await addForm({ rules, fallback: message('fallback') })
    assert.equal(resultOf(await evaluate(through, { reason: 'sales' })).message, 'fallback')
    const nowhere = await addForm({ rules, fallback: to(hidden.id) })
    const { action, message: said } = resultOf(await evaluate(nowhere, { reason: 'sales' }))
    assert.equal(action, 'message')
    assert.match(said, /\S/)
  })

  it('follows an event type that is hidden or renamed after the form was made', async () => {
    const eventType = await addEventType(db(), ada, { slug: 'before', name: 'Before' })
    const form = await addForm({
      rules: [{ when: { all: [] }, target: { action: 'routeToEvent', eventTypeId: eventType.id } }],
    })
    const change = (values: { slug?: string; name?: string; hidden?: number }) =>
      changeElsewhere(db(), ada.id, (trx) =>
        trx.updateTable('event_types').set(values).where('id', '=', eventType.id).execute(),
      )
    await change({ slug: 'after', name: 'After' })
    const { eventTypeSlug, eventTypeName } = resultOf(await evaluate(form, { reason: 'sales' }))
    assert.deepEqual([eventTypeSlug, eventTypeName], ['after', 'After'])
    await change({ hidden: 1 })
    assert.equal(resultOf(await evaluate(form, { reason: 'sales' })).action, 'message')
    await changeElsewhere(db(), ada.id, (trx) => deleteEventType(trx, eventType.id))
    assert.equal(resultOf(await evaluate(form, { reason: 'sales' })).action, 'message')
  })

  // Answers

  it('names the label of a required answer that is missing or blank', async () => {
    const form = await addForm()
    for (const answers of [{}, { reason: '' }, { reason: ' ' }, { reason: null }, { Reason: 'sales' }]) {
      await assertRefused(form, await evaluate(form, answers), 400, /What is it about\?/)
    }
  })

  it('names the label of an answer that does not fit', async () => {
    const form = await addForm()
    const misfits: readonly [string, unknown, RegExp][] = [
      ['reason', 'Sales', /What is it about\?/],
      ['reason', 'other', /What is it about\?/],
      ['reason', ['sales'], /What is it about\?/],
      ['reason', 5, /What is it about\?/],
      ['company', 'two\nlines', /Your company/],
      ['company', 'a'.repeat(5001), /Your company/],
      ['company', { a: 1 }, /Your company/],
      ['company', true, /Your company/],
      ['mail', 'me', /Your email/],
      ['mail', 'me@home', /Your email/],
      ['mail', 5, /Your email/],
      ['phone', 'call me', /Your number/],
      ['phone', 123456, /Your number/],
      ['details', 'a'.repeat(5001), /Anything else\?/],
      ['details', 'bell\u0007', /Anything else\?/],
      ['details', [], /Anything else\?/],
    ]
    for (const [field, answer, label] of misfits) {
      await assertRefused(form, await evaluate(form, { reason: 'sales', [field]: answer }), 400, label)
    }
  })

  it('takes answers that fit, optional ones blank or not at all', async () => {
    const form = await addForm()
    for (const answers of [
      {
        reason: 'sales',
        company: 'a'.repeat(5000),
        mail: 'me@home.example',
        phone: '+49 30 901820',
        details: 'two\nlines',
      },
      { reason: 'support', company: '', mail: ' ', phone: null, details: '' },
      { reason: 'sales' },
    ]) {
      resultOf(await evaluate(form, answers))
    }
  })

  it('refuses answers that are not an object', async () => {
    const form = await addForm()
    for (const payload of [
      {},
      { answers: null },
      { answers: [] },
      { answers: 'sales' },
      { answers: 5 },
      [],
      { reason: 'sales' },
    ]) {
      const reply = await app.inject({
        method: 'POST',
        url: `/api/public/routing/ada/${form.slug}/evaluate`,
        payload,
      })
      await assertRefused(form, reply, 400, Array.isArray(payload) ? /\S/ : /answers/)
    }
  })

  // Recorded responses

  it('records each submission with its answers and where it led', async () => {
    const intro = await addEventType(db(), ada)
    const target: Target = { action: 'routeToEvent', eventTypeId: intro.id }
    const form = await addForm({
      rules: [{ when: { field: 'reason', operator: 'equals', value: 'sales' }, target }],
      fallback: { action: 'redirect', url: 'https://help.example/' },
    })
    await evaluate(form, { reason: 'sales', details: 'ünïcode \u{1f600}\n' })
    await evaluate(form, { reason: 'support' })
    const recorded = await responsesTo(form)
    assert.deepEqual(
      recorded.map(({ answers, result, created_at }) => ({ answers, result, created_at })),
      [
        {
          answers: { reason: 'sales', details: 'ünïcode \u{1f600}\n' },
          result: target,
          created_at: clock.now(),
        },
        { answers: { reason: 'support' }, result: form.fallback, created_at: clock.now() },
      ],
    )
  })

  it('keeps answers to unknown questions, and does not route by them', async () => {
    const form = await addForm({
      rules: [{ when: { field: 'company', operator: 'isNotEmpty' }, target: message('no') }],
    })
    const answers = {
      reason: 'sales',
      utm_source: 'news',
      nested: { a: [1, null] },
      '': 'empty',
      toString: 'x',
      Company: 'Acme',
    }
    assert.equal(resultOf(await evaluate(form, answers)).message, 'Thank you.')
    assert.deepEqual(
      (await responsesTo(form)).map((each) => each.answers),
      [answers],
    )
  })

  it('refuses answers to unknown questions beyond twenty, or longer than 200 characters', async () => {
    const form = await addForm()
    const unknown = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`unknown-${i}`, 'x'.repeat(200)]))
    assert.equal((await evaluate(form, { reason: 'sales', ...unknown(20) })).statusCode, 200)
    for (const answers of [
      unknown(21),
      { long: 'x'.repeat(201) },
      { ['x'.repeat(201)]: '' },
      { deep: { long: 'x'.repeat(200) } },
    ]) {
      const reply = await evaluate(form, { reason: 'sales', ...answers })
      assert.equal(reply.statusCode, 400)
      assert.match(reply.json().error, /that the form does not have/)
    }
    assert.equal((await responsesTo(form)).length, 1)
  })

  it('lets a client answer thirty times a minute, over all forms, dry runs included', async () => {
    const forms = [await addForm(), await addForm()]
    const headers = fromSomeoneNew()
    const send = (i: number) =>
      app.inject({
        method: 'POST',
        url: `/api/public/routing/${ada.slug}/${forms[i % 2]?.slug}/evaluate?dryRun=${i % 4 === 0}`,
        payload: { answers: { reason: 'sales' } },
        headers,
      })
    for (let i = 0; i < 30; i++) {
      const { statusCode, headers } = await send(i)
      assert.deepEqual([statusCode, headers['ratelimit-remaining']], [200, String(29 - i)])
    }
    const refused = await send(30)
    assert.equal(refused.statusCode, 429)
    assert.ok(Number(refused.headers['retry-after']) >= 1)
    const other = await evaluate(forms[0] as RoutingForm, { reason: 'sales' })
    assert.equal(other.statusCode, 200)
  })

  it('lets all clients together answer a form three hundred times a minute', async () => {
    const form = await addForm()
    for (let i = 0; i < 300; i++) {
      assert.equal((await evaluate(form, { reason: 'sales' }, '?dryRun=true')).statusCode, 200)
    }
    const refused = await evaluate(form, { reason: 'sales' })
    assert.equal(refused.statusCode, 429)
    assert.ok(Number(refused.headers['retry-after']) >= 1)
    assert.equal((await evaluate(await addForm(), { reason: 'sales' })).statusCode, 200)
  })

  it('records nothing on a dry run, and answers the same', async () => {
    const form = await addForm()
    const dry = resultOf(await evaluate(form, { reason: 'sales' }, '?dryRun=true'))
    assert.deepEqual(await responsesTo(form), [])
    assert.deepEqual(resultOf(await evaluate(form, { reason: 'sales' }, '?dryRun=false')), dry)
    assert.deepEqual(resultOf(await evaluate(form, { reason: 'sales' }, '?other=1')), dry)
    assert.equal((await responsesTo(form)).length, 2)
    const refused = await addForm()
    await assertRefused(refused, await evaluate(refused, {}, '?dryRun=true'), 400, /What is it about\?/)
  })

  it('guesses nothing about a dry run that is neither true nor false', async () => {
    const form = await addForm()
    for (const query of ['?dryRun=1', '?dryRun=TRUE', '?dryRun=yes', '?dryRun=true&dryRun=true']) {
      const reply = await evaluate(form, { reason: 'sales' }, query)
      await assertRefused(form, reply, 400, /dryRun/)
      assert.doesNotMatch(reply.json().error, /, \./)
    }
  })

  it('ignores fields of the body that it does not know', async () => {
    const form = await addForm()
    const reply = await app.inject({
      method: 'POST',
      url: `/api/public/routing/ada/${form.slug}/evaluate`,
      payload: { answers: { reason: 'sales' }, dryRun: true, extra: { a: 1 } },
    })
    resultOf(reply)
    assert.equal((await responsesTo(form)).length, 1)
  })
})
