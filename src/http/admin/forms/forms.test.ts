import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { type Host, signIn } from '../../../../test/host-api.ts'
import { addTeam, appOn, fromSomeoneNew, stoppedClock } from '../../../../test/kit.ts'
import type { Scheduler } from '../../../domain/people/scheduler.ts'
import { insertResponse } from '../../../store/forms/forms.ts'
import { newId } from '../../../store/new-id.ts'
import { findAuditEntries } from '../../../store/people/audit.ts'
import { insertTeamMember } from '../../../store/people/members.ts'

const REASON = {
  id: 'reason',
  label: 'What is it about?',
  type: 'select',
  required: true,
  options: [
    { id: 'sales', label: 'Sales' },
    { id: 'support', label: 'Support' },
  ],
}
const DETAILS = { id: 'details', label: 'Anything else?', type: 'textarea' }
const THANKS = { action: 'message', message: 'Thank you.' }
const SUPPORT = { action: 'redirect', redirectUrl: 'https://support.example.com/' }

const formOf = (given: object = {}) => ({
  name: 'How can we help?',
  slug: `form-${newId()}`,
  fields: [REASON, DETAILS],
  rules: [{ when: { field: 'reason', operator: 'equals', value: 'support' }, target: SUPPORT }],
  fallback: THANKS,
  ...given,
})

onEveryDatabase('routing forms in the host API', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let ada: Host
  let bob: Host
  let admin: Host
  let member: Host
  let team: Scheduler

  before(async () => {
    const made = await appOn(db(), { now: clock.now, signup: 'open' })
    app = made.app
    const enter = (name: string) => signIn(app, made.mailbox, `${name}@hosts.example`)
    ada = await enter('ada')
    bob = await enter('bob')
    admin = await enter('admin')
    member = await enter('member')
    team = await addTeam(db(), 'crew')
    await insertTeamMember(db(), { teamId: team.id, userId: admin.user.id, role: 'admin' }, 0)
    await insertTeamMember(db(), { teamId: team.id, userId: member.user.id, role: 'member' }, 0)
  })

  const makeForm = async (host: Host, given: object = {}) => {
    const reply = await host.post('/routing-forms', formOf(given))
    assert.equal(reply.statusCode, 201, reply.body)
    return reply.json()
  }
  const makeEventType = async (host: Host, given: object = {}) => {
    const body = { slug: `event-${newId()}`, name: 'Intro', durationMinutes: 30, ...given }
    const reply = await host.post('/event-types', body)
    assert.equal(reply.statusCode, 201, reply.body)
    return reply.json()
  }
  const read = (owner: string, slug: string) => app.inject({ url: `/api/public/routing/${owner}/${slug}` })
  const evaluate = async (owner: string, slug: string, answers: object) => {
    const url = `/api/public/routing/${owner}/${slug}/evaluate`
    const reply = await app.inject({ method: 'POST', url, payload: { answers }, headers: fromSomeoneNew() })
    assert.equal(reply.statusCode, 200, reply.body)
    return reply.json()
  }
  const refusedWith = async (given: object, field: string, reason: RegExp) => {
    const reply = await ada.post('/routing-forms', formOf(given))
    assert.equal(reply.statusCode, 400, reply.body)
    assert.match(reply.json().error, reason)
    assert.equal(reply.headers['error-field'], field, reply.body)
  }

  it('saves a form that visitors can answer at once', async () => {
    const eventType = await makeEventType(ada, { slug: 'hello' })
    const form = await makeForm(ada, {
      slug: 'welcome',
      description: 'A question or two.',
      rules: [
        {
          when: { all: [{ any: [{ field: 'reason', operator: 'isAnyOf', value: ['sales'] }] }] },
          target: { action: 'routeToEvent', eventTypeId: eventType.id },
        },
        { when: { field: 'reason', operator: 'equals', value: 'support' }, target: SUPPORT },
      ],
    })
    assert.equal(form.ownerId, ada.user.id)
    assert.equal((await read(ada.user.slug, 'welcome')).json().name, 'How can we help?')
    const { routingToken, bookingUrl, ...led } = await evaluate(ada.user.slug, 'welcome', { reason: 'sales' })
    assert.ok(bookingUrl.endsWith(`/hello?routing=${routingToken}`))
    assert.deepEqual(led, {
      action: 'routeToEvent',
      eventTypeSlug: 'hello',
      eventTypeName: 'Intro',
      redirectUrl: null,
      message: null,
    })
    const { redirectUrl } = await evaluate(ada.user.slug, 'welcome', { reason: 'support' })
    assert.equal(redirectUrl, 'https://support.example.com/')
  })

  it('shows a form as it was saved, with defaults filled in', async () => {
    const made = await ada.post('/routing-forms', formOf({ slug: 'shown' }))
    const form = made.json()
    assert.deepEqual(form, {
      id: form.id,
      ownerId: ada.user.id,
      name: 'How can we help?',
      slug: 'shown',
      description: null,
      fields: [REASON, { ...DETAILS, required: false, options: [] }],
      rules: [
        {
          when: { field: 'reason', operator: 'equals', value: 'support' },
          target: { ...SUPPORT, eventTypeId: null, message: null },
        },
      ],
      fallback: { ...THANKS, eventTypeId: null, redirectUrl: null },
      abuse: { honeypot: true, captcha: '', blocklist: [] },
      tests: [],
      keepPersonalDataDays: null,
      warnings: [],
    })
    const seen = await ada.get(`/routing-forms/${form.id}`)
    assert.deepEqual(seen.json(), form)
    assert.equal(seen.headers.etag, made.headers.etag)
    const { id: _, ownerId: __, warnings: ___, ...content } = form
    const sentBack = await ada.patch(`/routing-forms/${form.id}`, content, {
      'if-match': `${seen.headers.etag}`,
    })
    assert.equal(sentBack.statusCode, 200, sentBack.body)
    assert.equal(sentBack.headers.etag, seen.headers.etag)
  })

  it('saves spam protection as a whole, and names what is wrong with it', async () => {
    const abuse = { honeypot: false, captcha: 'altcha', blocklist: ['spam.example'] }
    const form = await makeForm(ada, { abuse })
    assert.deepEqual(form.abuse, abuse)
    const patched = await ada.patch(`/routing-forms/${form.id}`, { abuse: { ...abuse, honeypot: true } })
    assert.deepEqual(patched.json().abuse, { ...abuse, honeypot: true })
    await refusedWith({ abuse: { honeypot: true, captcha: '' } }, 'abuse.blocklist', /blocklist is required/)
    await refusedWith({ abuse: { ...abuse, captcha: 'riddle' } }, 'abuse.captcha', /CAPTCHA must be one of/)
    await refusedWith({ abuse: { ...abuse, captcha: 'turnstile' } }, 'abuse.captcha', /keys of this CAPTCHA/)
    await refusedWith({ abuse: { ...abuse, blocklist: ['@'] } }, 'abuse.blocklist.0', /Entry 1/)
    await refusedWith({ abuse: { ...abuse, rateLimits: 5 } }, 'abuse.rateLimits', /Unknown field "abuse/)
  })

  it('saves whom returning guests go to, and names what is wrong with it', async () => {
    const { id: eventTypeId } = await makeEventType(ada)
    const to = (owner: unknown) => ({ action: 'routeToEvent', eventTypeId, owner })
    const rule = { when: { field: 'reason', operator: 'equals', value: 'sales' } }
    const owner = { days: 90, by: 'domain' }
    const form = await makeForm(ada, { rules: [{ ...rule, target: to(owner) }], fallback: to(null) })
    assert.deepEqual(form.rules[0].target.owner, owner)
    assert.ok(!('owner' in form.fallback))
    const { id: _, ownerId: __, warnings: ___, ...content } = form
    assert.deepEqual((await ada.patch(`/routing-forms/${form.id}`, content)).json().rules, form.rules)
    await refusedWith({ fallback: to({ ...owner, days: 0 }) }, 'fallback.owner.days', /from 1 to 3650/)
    await refusedWith({ fallback: to({ days: 1 }) }, 'fallback.owner.by', /required/)
    await refusedWith({ fallback: to({ ...owner, by: 'name' }) }, 'fallback.owner.by', /one of email, domain/)
    await refusedWith({ fallback: to({ ...owner, of: 1 }) }, 'fallback.owner.of', /Unknown field/)
    const tests = [{ name: 'A test', answers: { reason: 'sales' }, expect: to(owner) }]
    await refusedWith({ fallback: to(owner), tests }, 'tests.0.expect.owner', /Unknown field/)
  })

  it('says where answers would lead and why, and records nothing', async () => {
    const { id } = await makeForm(admin, { teamId: team.id })
    const tried = await admin.post(`/routing-forms/${id}/try`, { answers: { reason: 'sales' } })
    assert.equal(tried.statusCode, 200, tried.body)
    assert.deepEqual(tried.json(), {
      result: { ...THANKS, eventTypeId: null, redirectUrl: null },
      rule: null,
      problem: null,
      rules: [
        {
          matched: false,
          failed: { path: 'when', condition: { field: 'reason', operator: 'equals', value: 'support' } },
          reason: '"What is it about?" is "Sales", not "Support".',
        },
      ],
      hosts: null,
      warnings: [],
    })
    const other = (await admin.post(`/routing-forms/${id}/try`, { answers: { reason: 'support' } })).json()
    assert.deepEqual([other.rule, other.result.redirectUrl], [0, SUPPORT.redirectUrl])
    const empty = (await admin.post(`/routing-forms/${id}/try`, { answers: {} })).json()
    assert.equal(empty.problem, '"What is it about?" is required.')
    assert.deepEqual((await admin.get(`/routing-forms/${id}/responses`)).json().items, [])
    const reader = await member.post(`/routing-forms/${id}/try`, { answers: {} })
    assert.equal(reader.statusCode, 403)
    const stranger = await bob.post(`/routing-forms/${id}/try`, { answers: {} })
    assert.equal(stranger.statusCode, 404)
  })

  it('warns about rules that never decide, and saves them', async () => {
    const isSales = { field: 'reason', operator: 'equals', value: 'sales' }
    const hidden = await makeEventType(ada, { hidden: true })
    const toHidden = { action: 'routeToEvent', eventTypeId: hidden.id }
    const shadowed = {
      rule: 1,
      kind: 'shadowed',
      by: [0],
      sentence: 'Rule 2 never decides: whenever it matches, rule 1 comes first.',
    }
    const form = await makeForm(ada, {
      rules: [
        { when: isSales, target: SUPPORT },
        { when: isSales, target: toHidden },
      ],
    })
    assert.deepEqual(form.warnings, [shadowed])
    const path = `/routing-forms/${form.id}`
    const found = await ada.get(path)
    assert.deepEqual(found.json().warnings, [shadowed])
    const { items } = (await ada.get('/routing-forms')).json()
    assert.deepEqual(items.find(({ id }: { id: string }) => id === form.id).warnings, [shadowed])
    const tried = await ada.post(`${path}/try`, { answers: { reason: 'sales' } })
    assert.deepEqual(tried.json().warnings, [shadowed])

    const turned = await ada.patch(path, { rules: form.rules.toReversed() })
    assert.deepEqual(turned.json().warnings, [], 'what is skipped shadows nothing')
    await ada.patch(`/event-types/${hidden.id}`, { hidden: false })
    const later = await ada.get(path)
    assert.equal(later.json().warnings.length, 1)
    // Warnings are no change of the form.
    assert.equal(later.headers.etag, turned.headers.etag)
  })

  it('says of a failing test that its event type is hidden', async () => {
    const made = await makeEventType(ada, { slug: 'unseen', hidden: true })
    const target = { action: 'routeToEvent', eventTypeId: made.id }
    const when = { field: 'reason', operator: 'equals', value: 'sales' }
    const tests = [{ name: 'Sales', answers: { reason: 'sales' }, expect: target }]
    await refusedWith(
      { rules: [{ when, target }], tests },
      'tests.0',
      /^The test "Sales" fails\. Rule 1 matches, but its event type is hidden or deleted, so it leads to /,
    )
    await refusedWith(
      { rules: [], fallback: target, tests },
      'tests.0',
      /No rule matches, and the event type of the fallback is hidden or deleted, so it leads to /,
    )
  })

  it('keeps tests with a form, and saves nothing that fails one', async () => {
    const eventType = await makeEventType(ada)
    const sales = { action: 'routeToEvent', eventTypeId: eventType.id }
    const isSales = { field: 'reason', operator: 'equals', value: 'sales' }
    const tests = [
      { name: 'Sales', answers: { reason: 'sales' }, expect: sales },
      { name: 'Others', answers: { reason: 'support' }, expect: THANKS },
    ]
    const form = await makeForm(ada, { rules: [{ when: isSales, target: sales }], tests })
    assert.deepEqual(form.tests[0], {
      ...tests[0],
      expect: { ...sales, redirectUrl: null, message: null },
    })
    const path = `/routing-forms/${form.id}`
    const broken = await ada.patch(path, { rules: [{ when: isSales, target: SUPPORT }], fallback: SUPPORT })
    assert.equal(broken.statusCode, 400)
    assert.equal(broken.headers['error-field'], 'tests.0')
    assert.equal(
      broken.json().error,
      'The test "Sales" fails. Rule 1 matches, so it leads to https://support.example.com/ instead of "Intro". ' +
        'The test "Others" fails. No rule matches, so it leads to https://support.example.com/ instead of the message "Thank you.".',
    )
    assert.deepEqual((await ada.get(path)).json(), form)
    await ada.patch(`/event-types/${eventType.id}`, { hidden: true })
    const hidden = await ada.patch(path, { name: 'Renamed' })
    assert.match(hidden.json().error, /^The test "Sales" fails. Rule 1 matches, but its event type is hidden/)
    const without = await ada.patch(path, { name: 'Renamed', tests: [] })
    assert.deepEqual([without.statusCode, without.json().tests], [200, []])
  })

  it('refuses tests that a visitor could not do', async () => {
    const test = { name: 'One', answers: { reason: 'sales' }, expect: THANKS }
    const withTest = (given: object) => ({ tests: [{ ...test, ...given }] })
    await refusedWith(withTest({ answers: { nope: 'x' } }), 'tests.0.answers', /"nope", which is not a field/)
    await refusedWith(withTest({ answers: {} }), 'tests.0', /"One" fails. "What is it about\?" is required/)
    await refusedWith(withTest({ answers: { reason: 1 } }), 'tests.0.answers.reason', /must be text/)
    await refusedWith(withTest({ name: '' }), 'tests.0.name', /^The name of test 1/)
    await refusedWith({ tests: [test, test] }, 'tests.1.name', /Two tests/)
    await refusedWith(
      withTest({ expect: { action: 'message' } }),
      'tests.0.expect.message',
      /expected message/,
    )
    const theirs = { action: 'routeToEvent', eventTypeId: (await makeEventType(bob)).id }
    await refusedWith(withTest({ expect: theirs }), 'tests.0.expect.eventTypeId', /Choose one of/)
    await refusedWith(withTest({ expects: THANKS }), 'tests.0.expects', /Unknown field/)
  })

  it('refuses a form without a fallback, in a sentence', async () => {
    const { fallback: _, ...without } = formOf()
    const reply = await ada.post('/routing-forms', without)
    assert.equal(reply.statusCode, 400)
    assert.deepEqual(reply.json(), { error: 'The fallback is required.' })
    assert.equal(reply.headers['error-field'], 'fallback')
    const form = await makeForm(ada)
    const patched = await ada.patch(`/routing-forms/${form.id}`, { fallback: null })
    assert.equal(patched.statusCode, 400)
  })

  it('refuses a form that could leave a visitor nowhere, with the field and the reason', async () => {
    const withRule = (when: unknown, target: object = THANKS) => ({ rules: [{ when, target }] })
    const nested = (depth: number): object =>
      depth === 1 ? { field: 'details', operator: 'isEmpty' } : { all: [nested(depth - 1)] }
    await makeForm(ada, withRule(nested(8)))
    await refusedWith(withRule(nested(9)), `rules.0.when${'.all.0'.repeat(8)}`, /8 deep/)
    await refusedWith(withRule({ field: 'nope', operator: 'isEmpty' }), 'rules.0.when.field', /nope/)
    await refusedWith(
      withRule({ field: 'reason', operator: 'equals', value: 'tea' }),
      'rules.0.when.value',
      /not one of its options/,
    )
    await refusedWith(
      withRule({ field: 'reason', operator: 'isAnyOf', value: 'sales' }),
      'rules.0.when.value',
      /takes a list/,
    )
    await refusedWith(
      withRule({ field: 'details', operator: 'resembles', value: 'x' }),
      'rules.0.when.operator',
      /operator/,
    )
    await refusedWith(withRule({ all: [], any: [] }), 'rules.0.when', /one field, or it is a group/)
    await refusedWith(
      withRule({ any: { field: 'details' } }),
      'rules.0.when.any',
      /^The condition of rule 1 must be a list/,
    )
    await refusedWith(
      { fallback: { action: 'redirect', redirectUrl: 'http://example.com/' } },
      'fallback.redirectUrl',
      /https/,
    )
    await refusedWith({ fallback: { action: 'redirect' } }, 'fallback.redirectUrl', /address/)
    await refusedWith(
      { fallback: { action: 'message', message: ' ' } },
      'fallback.message',
      /^The message of the fallback must not be empty/,
    )
    await refusedWith({ fallback: { action: 'routeToEvent' } }, 'fallback.eventTypeId', /Choose one of/)
    await refusedWith(
      { fields: [{ ...DETAILS, id: 'two words' }] },
      'fields.0.id',
      /^The id of field 1 must be/,
    )
    await refusedWith({ fields: [DETAILS, DETAILS] }, 'fields.1.id', /Two fields/)
    await refusedWith({ slug: 'No Slug' }, 'slug', /^The booking link must be/)
    await refusedWith({ name: 'bell\u0007' }, 'name', /^The name/)
    await refusedWith({ description: 'bell\u0007' }, 'description', /^The description/)
    await makeForm(ada, { fallback: { action: 'redirect', redirectUrl: 'http://localhost:3000/' } })
  })

  it('refuses event types of others like ones that do not exist', async () => {
    const theirs = await makeEventType(bob)
    const teams = await makeEventType(admin, { teamId: team.id })
    const errors = new Set<string>()
    for (const eventTypeId of [theirs.id, teams.id, newId(), 'nonsense', '']) {
      const target = { action: 'routeToEvent', eventTypeId }
      for (const given of [{ fallback: target }, { rules: [{ when: { all: [] }, target }] }]) {
        const reply = await ada.post('/routing-forms', formOf(given))
        assert.equal(reply.statusCode, 400, reply.body)
        errors.add(reply.json().error.replace(eventTypeId, ''))
      }
    }
    assert.equal(errors.size, 1)
    const own = await makeEventType(ada)
    const form = await makeForm(ada, { fallback: { action: 'routeToEvent', eventTypeId: own.id } })
    const stolen = { fallback: { action: 'routeToEvent', eventTypeId: theirs.id } }
    assert.equal((await ada.patch(`/routing-forms/${form.id}`, stolen)).statusCode, 400)
    const target = { action: 'routeToEvent', eventTypeId: teams.id }
    await makeForm(admin, { teamId: team.id, fallback: target })
    const reply = await admin.post('/routing-forms', formOf({ fallback: target }))
    assert.equal(reply.statusCode, 400, 'a team’s event type is not its members’ own')
  })

  it('refuses fields that clients may not set', async () => {
    const form = await makeForm(ada)
    for (const more of [{ id: newId() }, { ownerId: bob.user.id }, { teamId: team.id }]) {
      const [field] = Object.keys(more)
      const answer = await ada.patch(`/routing-forms/${form.id}`, more)
      assert.deepEqual([answer.statusCode, answer.headers['error-field']], [400, field])
    }
  })

  it('gives each owner a slug once', async () => {
    await makeForm(ada, { slug: 'once' })
    const again = await ada.post('/routing-forms', formOf({ slug: 'once' }))
    assert.equal(again.statusCode, 409)
    assert.match(again.json().error, /"once"/)
    await makeForm(bob, { slug: 'once' })
    const other = await makeForm(ada)
    const moved = await ada.patch(`/routing-forms/${other.id}`, { slug: 'once' })
    assert.equal(moved.statusCode, 409)
  })

  it('gives a slug to one of several who take it at the same moment', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => ada.post('/routing-forms', formOf({ slug: 'raced' }))),
    )
    assert.deepEqual(replies.map((reply) => reply.statusCode).sort(), [201, ...Array(7).fill(409)])
  })

  it('keeps an old address working until another form takes it', async () => {
    const form = await makeForm(ada, { slug: 'first' })
    for (const slug of ['second', 'third']) await ada.patch(`/routing-forms/${form.id}`, { slug })
    for (const slug of ['first', 'second', 'third']) {
      assert.equal((await read(ada.user.slug, slug)).json().id, form.id, slug)
    }
    assert.equal((await evaluate(ada.user.slug, 'first', { reason: 'sales' })).action, 'message')
    assert.equal((await read(bob.user.slug, 'first')).statusCode, 404)

    const claimed = await makeForm(ada, { slug: 'first' })
    assert.equal((await read(ada.user.slug, 'first')).json().id, claimed.id)
    assert.equal((await read(ada.user.slug, 'second')).json().id, form.id)
    const back = await ada.patch(`/routing-forms/${form.id}`, { slug: 'second' })
    assert.equal(back.statusCode, 200, back.body)
    assert.equal((await read(ada.user.slug, 'third')).json().slug, 'second')
    assert.equal((await ada.del(`/routing-forms/${claimed.id}`)).statusCode, 204)
    assert.equal((await read(ada.user.slug, 'first')).statusCode, 404, 'what was claimed does not come back')
  })

  it('changes what is sent, and checks the form as a whole', async () => {
    const form = await makeForm(ada)
    const renamed = await ada.patch(`/routing-forms/${form.id}`, { name: 'Talk to us' })
    assert.deepEqual(renamed.json(), { ...form, name: 'Talk to us' })
    const torn = await ada.patch(`/routing-forms/${form.id}`, { fields: [DETAILS] })
    assert.equal(torn.statusCode, 400)
    assert.match(torn.json().error, /"reason"/)
    const whole = await ada.patch(`/routing-forms/${form.id}`, { fields: [DETAILS], rules: [] })
    assert.equal(whole.statusCode, 200, whole.body)
  })

  it('does not let two tabs overwrite each other', async () => {
    const { id } = await makeForm(ada)
    const etag = `${(await ada.get(`/routing-forms/${id}`)).headers.etag}`
    const replies = await Promise.all(
      ['One', 'Two', 'Three'].map((name) =>
        ada.patch(`/routing-forms/${id}`, { name }, { 'if-match': etag }),
      ),
    )
    assert.deepEqual(replies.map((reply) => reply.statusCode).sort(), [200, 412, 412])
    assert.equal((await ada.del(`/routing-forms/${id}`, { 'if-match': etag })).statusCode, 412)
    assert.equal((await ada.get(`/routing-forms/${id}`)).statusCode, 200)
  })

  it('lists own forms and those of teams, page by page', async () => {
    const own = await makeForm(member)
    const teams = []
    for (let i = 0; i < 3; i++) teams.push((await makeForm(admin, { teamId: team.id })).id)
    const idsOf = async (path: string) =>
      (await member.get(path)).json().items.map((form: { id: string }) => form.id)
    const all = await idsOf('/routing-forms')
    assert.ok(all.includes(own.id))
    assert.deepEqual(await idsOf(`/routing-forms?ownerId=${member.user.id}`), [own.id])
    assert.ok((await idsOf(`/routing-forms?ownerId=${team.id}`)).includes(teams[0]))

    const paged: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const reply = await member.get(`/routing-forms?limit=2${cursor && `&cursor=${cursor}`}`)
      assert.equal(reply.statusCode, 200, reply.body)
      paged.push(...reply.json().items.map((form: { id: string }) => form.id))
      cursor = reply.json().nextCursor
    }
    assert.deepEqual(paged, all)
    for (const ownerId of [bob.user.id, newId(), 'nonsense']) {
      assert.equal((await member.get(`/routing-forms?ownerId=${ownerId}`)).statusCode, 404, ownerId)
    }
  })

  it('hides the forms of others', async () => {
    const { id, slug } = await makeForm(ada)
    for (const path of [
      `/routing-forms/${id}`,
      `/routing-forms/${id}/responses`,
      `/routing-forms/${id}/responses.csv`,
    ]) {
      const reply = await bob.get(path)
      assert.equal(reply.statusCode, 404, path)
      assert.doesNotMatch(reply.body, new RegExp(slug))
    }
    assert.equal((await bob.patch(`/routing-forms/${id}`, { name: 'Mine' })).statusCode, 404)
    assert.equal((await bob.del(`/routing-forms/${id}?force=true`)).statusCode, 404)
    assert.equal((await bob.post('/routing-forms', formOf({ teamId: team.id }))).statusCode, 404)
    assert.equal((await bob.post('/routing-forms', formOf({ teamId: ada.user.id }))).statusCode, 404)
    assert.equal((await ada.get(`/routing-forms/${id}`)).json().name, 'How can we help?')
    for (const odd of ['nonsense', `${id}'--`, newId()]) {
      assert.equal((await ada.get(`/routing-forms/${encodeURIComponent(odd)}`)).statusCode, 404, odd)
    }
  })

  it('lets members of a team read its forms, and admins change them', async () => {
    const { id } = await makeForm(admin, { teamId: team.id })
    const responses = ['/responses', '/responses.csv']
    for (const path of responses) {
      assert.equal((await member.get(`/routing-forms/${id}${path}`)).statusCode, 403, path)
      assert.equal((await admin.get(`/routing-forms/${id}${path}`)).statusCode, 200, path)
    }
    assert.equal((await admin.patch(`/teams/${team.id}`, { membersSeeAll: true })).statusCode, 200)
    for (const path of ['', ...responses]) {
      assert.equal((await member.get(`/routing-forms/${id}${path}`)).statusCode, 200, path)
    }
    assert.equal((await member.patch(`/routing-forms/${id}`, { name: 'Mine' })).statusCode, 403)
    assert.equal((await member.del(`/routing-forms/${id}`)).statusCode, 403)
    assert.equal((await member.post('/routing-forms', formOf({ teamId: team.id }))).statusCode, 403)
    assert.equal((await admin.patch(`/routing-forms/${id}`, { name: 'Ours' })).statusCode, 200)
    assert.equal((await admin.del(`/routing-forms/${id}`)).statusCode, 204)
    assert.equal((await member.get(`/routing-forms/${id}`)).statusCode, 404)
  })

  it('deletes responses only with force', async () => {
    const { id, slug } = await makeForm(ada)
    await evaluate(ada.user.slug, slug, { reason: 'sales' })
    await evaluate(ada.user.slug, slug, { reason: 'support' })
    for (const force of ['', '?force=', '?force=false']) {
      const refused = await ada.del(`/routing-forms/${id}${force}`)
      assert.equal(refused.statusCode, 409, force)
      assert.match(refused.json().error, /2 responses/)
    }
    assert.equal((await ada.del(`/routing-forms/${id}?force=yes`)).statusCode, 400)
    assert.equal((await ada.del(`/routing-forms/${id}?force=true`)).statusCode, 204)
    assert.equal((await ada.get(`/routing-forms/${id}`)).statusCode, 404)
    assert.equal((await read(ada.user.slug, slug)).statusCode, 404)
    const left = await db().selectFrom('routing_responses').selectAll().where('form_id', '=', id).execute()
    assert.deepEqual(left, [])
  })

  it('lists responses with where they led, newest first', async () => {
    const eventType = await makeEventType(ada)
    const { id, slug } = await makeForm(ada, {
      fallback: { action: 'routeToEvent', eventTypeId: eventType.id },
    })
    const start = clock.now()
    for (const [second, answers] of [
      { reason: 'support' },
      { reason: 'sales', extra: [1] },
      { reason: 'sales' },
    ].entries()) {
      clock.moveTo(start + second * 1000)
      await evaluate(ada.user.slug, slug, answers)
    }
    const { items, nextCursor } = (await ada.get(`/routing-forms/${id}/responses`)).json()
    assert.equal(nextCursor, null)
    assert.deepEqual(
      items.map(({ id: _, ...rest }: { id: string }) => rest),
      [
        {
          answers: { reason: 'sales' },
          result: { action: 'routeToEvent', eventTypeId: eventType.id, redirectUrl: null, message: null },
          bookingId: null,
          createdAt: '2027-01-11T12:00:02Z',
        },
        {
          answers: { reason: 'sales', extra: [1] },
          result: { action: 'routeToEvent', eventTypeId: eventType.id, redirectUrl: null, message: null },
          bookingId: null,
          createdAt: '2027-01-11T12:00:01Z',
        },
        {
          answers: { reason: 'support' },
          result: { ...SUPPORT, eventTypeId: null, message: null },
          bookingId: null,
          createdAt: '2027-01-11T12:00:00Z',
        },
      ],
    )
    clock.moveTo(start)
  })

  /** Responses by the dozen, several of them in the same millisecond. */
  const addResponses = async (formId: string, count: number, answersOf: (i: number) => object) => {
    for (let i = 0; i < count; i++) {
      const createdAt = clock.now() + Math.floor(i / 3)
      const answers = answersOf(i) as Record<string, unknown>
      const result = { action: 'message', message: 'Thank you.' } as const
      await insertResponse(db(), { id: newId(), formId, answers, result, createdAt })
    }
  }

  it('pages through responses without losing or repeating any', async () => {
    const { id } = await makeForm(ada)
    await addResponses(id, 20, (i) => ({ reason: 'sales', details: `${i}` }))
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const reply = await ada.get(`/routing-forms/${id}/responses?limit=7${cursor && `&cursor=${cursor}`}`)
      seen.push(...reply.json().items.map((item: { answers: { details: string } }) => item.answers.details))
      cursor = reply.json().nextCursor
    }
    assert.deepEqual(new Set(seen).size, 20)
    assert.equal(seen.length, 20)
    for (const cursor of ['nonsense', id, `1_${id}'`]) {
      const reply = await ada.get(`/routing-forms/${id}/responses?cursor=${encodeURIComponent(cursor)}`)
      assert.equal(reply.statusCode, 400, cursor)
    }
  })

  it('exports responses as a file that a spreadsheet can open and will not run', async () => {
    const eventType = await makeEventType(ada, { name: 'Intro, short' })
    const { id } = await makeForm(ada, {
      slug: 'exported',
      fields: [REASON, { ...DETAILS, label: '=Anything "else"?' }],
      rules: [
        {
          when: { field: 'reason', operator: 'equals', value: 'sales' },
          target: { action: 'routeToEvent', eventTypeId: eventType.id },
        },
        { when: { field: 'reason', operator: 'equals', value: 'support' }, target: SUPPORT },
      ],
    })
    const start = clock.now()
    for (const [second, answers] of [
      { reason: 'sales', details: '=HYPERLINK("https://evil.example")', '@SUM(A1)': '\tx' },
      { reason: 'support', details: 'two\r\nlines', utm: { source: 'mail' } },
    ].entries()) {
      clock.moveTo(start + second * 1000)
      await evaluate(ada.user.slug, 'exported', answers)
    }
    clock.moveTo(start)
    const reply = await ada.get(`/routing-forms/${id}/responses.csv`)
    assert.equal(reply.statusCode, 200)
    assert.match(`${reply.headers['content-type']}`, /^text\/csv; charset=utf-8/)
    assert.equal(reply.headers['content-disposition'], 'attachment; filename="exported-responses.csv"')
    assert.equal(reply.headers['cache-control'], 'no-store')
    assert.equal(
      reply.body,
      [
        `What is it about?,"'=Anything ""else""?",'@SUM(A1),utm,action,target,createdAt,bookingId`,
        `Support,"two\r\nlines",,"{""source"":""mail""}",redirect,https://support.example.com/,2027-01-11T12:00:01Z,`,
        `Sales,"'=HYPERLINK(""https://evil.example"")","'\tx",,routeToEvent,"Intro, short",2027-01-11T12:00:00Z,`,
        '',
      ].join('\r\n'),
    )
  })

  it('exports a form without responses as a header row', async () => {
    const { id } = await makeForm(ada)
    const { body } = await ada.get(`/routing-forms/${id}/responses.csv`)
    assert.equal(body, 'What is it about?,Anything else?,action,target,createdAt,bookingId\r\n')
  })

  it('exports every response, however many pages they fill', async () => {
    const { id } = await makeForm(ada)
    await addResponses(id, 450, (i) => ({ reason: 'sales', details: `no. ${i}` }))
    const lines = (await ada.get(`/routing-forms/${id}/responses.csv`)).body.trimEnd().split('\r\n')
    assert.equal(lines.length, 451)
    const seen = new Set(lines.slice(1).map((line) => line.split(',')[1]))
    assert.equal(seen.size, 450)
  })

  it('exports unknown answers beyond the limit in one column', async () => {
    const { id } = await makeForm(ada, { fields: [DETAILS], rules: [] })
    await addResponses(id, 30, (i) =>
      Object.fromEntries(
        Array.from({ length: 10 }, (_, key) => [`k${String(i * 10 + key).padStart(3, '0')}`, key]),
      ),
    )
    const [header = '', ...lines] = (await ada.get(`/routing-forms/${id}/responses.csv`)).body
      .trimEnd()
      .split('\r\n')
    assert.equal(header.split(',').length, 1 + 100 + 1 + 4)
    assert.match(header, /,other answers,action,target,createdAt,bookingId$/)
    const values = lines.join('\n').match(/(?<=""k\d{3}"":)\d|(?<=,)\d(?=,)/g) ?? []
    assert.equal(values.length, 300, 'no answer is lost')
  })

  it('audits who changed a form, without answers of visitors', async () => {
    const { id, slug } = await makeForm(bob)
    await bob.patch(`/routing-forms/${id}`, { name: 'New name' })
    await evaluate(bob.user.slug, slug, { reason: 'sales', details: 'a secret' })
    await bob.del(`/routing-forms/${id}?force=true`)
    const entries = await findAuditEntries(db(), [bob.user.id], { limit: 50 })
    const about = entries.filter(({ objectId }) => objectId === id)
    assert.deepEqual(
      about
        .map(({ action, objectType, actor, changes }) => ({ action, objectType, actor, changes }))
        .toReversed(),
      [
        {
          action: 'created',
          objectType: 'routing-form',
          actor: 'bob@hosts.example',
          changes: ['name', 'slug', 'fields', 'rules', 'fallback'],
        },
        { action: 'updated', objectType: 'routing-form', actor: 'bob@hosts.example', changes: ['name'] },
        { action: 'deleted', objectType: 'routing-form', actor: 'bob@hosts.example', changes: ['responses'] },
      ],
    )
  })
})
