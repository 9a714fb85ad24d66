import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { itemOf, linesOf, planOf, TEAM } from '../../../../test/imports/rows.ts'
import { findErrors } from '../../messages/message.ts'
import type { Here } from '../plan.ts'
import type { SourceRow } from '../source.ts'
import { toMarkdown } from './to-markdown.ts'

const WORKFLOW: SourceRow = {
  id: 1,
  name: 'Remind',
  userId: 1,
  trigger: 'BEFORE_EVENT',
  time: 24,
  timeUnit: 'hour',
  isActiveOnAll: true,
}
const STEP: SourceRow = {
  id: 5,
  workflowId: 1,
  stepNumber: 1,
  action: 'EMAIL_ATTENDEE',
  template: 'CUSTOM',
  emailSubject: 'Soon: {EVENT_NAME}',
  reminderBody: 'Hi {ATTENDEE}',
}

const TABLES = {
  ...TEAM,
  EventType: [
    {
      id: 10,
      title: 'Intro',
      slug: 'intro',
      length: 30,
      userId: 1,
      bookingFields: [{ name: 'company', label: 'Your company', type: 'text', editable: 'user' }],
    },
    { id: 11, title: 'Other', slug: 'other', length: 30, userId: 1, requiresConfirmation: true },
  ],
}

function planned(
  workflow: SourceRow = {},
  step: SourceRow = {},
  here: Partial<Here> = {},
  more: object = {},
) {
  const plan = planOf(
    { ...TABLES, Workflow: [{ ...WORKFLOW, ...workflow }], WorkflowStep: [{ ...STEP, ...step }], ...more },
    here,
  )
  const found = plan.settings.find((item) => item.kind === 'message')
  return {
    message: found?.kind === 'message' ? found.content.message : undefined,
    line: linesOf(plan)['WorkflowStep/5'] ?? '',
  }
}

describe('workflows of a source', () => {
  it('become messages in the words of their owner', () => {
    const { message, line } = planned()
    assert.equal(line, 'new')
    assert.deepEqual(message, {
      name: 'Remind',
      on: 'before',
      minutes: 1440,
      to: 'guest',
      by: 'email',
      eventTypeIds: [],
      formIds: [],
      enabled: true,
      replaces: false,
      texts: { de: { subject: 'Soon: {{event.name}}', body: 'Hi {{guest.name}}' } },
    })
  })

  const moments = [
    ['NEW_EVENT', 'booked'],
    ['EVENT_CANCELLED', 'cancelled'],
    ['RESCHEDULE_EVENT', 'rescheduled'],
    ['AFTER_EVENT', 'after'],
    ['BOOKING_REJECTED', 'declined'],
    ['BOOKING_REQUESTED', 'requested'],
    ['BOOKING_NO_SHOW_UPDATED', 'no-show'],
    ['FORM_SUBMITTED_NO_EVENT', 'unbooked'],
  ] as const
  for (const [trigger, on] of moments) {
    it(`are sent when ${on} after ${trigger}, also without words of their own`, () => {
      const { message, line } = planned({ trigger }, { reminderBody: null, emailSubject: null })
      assert.equal(message?.on, on)
      assert.match(line, /no words of its own/)
      assert.notEqual(message?.texts.de?.body, '')
    })
  }

  const left = [
    [{ trigger: 'FORM_SUBMITTED' }, {}, {}, /not answers to a form/],
    [{ trigger: 'BOOKING_PAID' }, {}, {}, /Stripe’s receipts/],
    [{ trigger: 'FULL_MOON' }, {}, {}, /no message for this moment/],
    [{}, { action: 'EMAIL_ADDRESS' }, {}, /not to a fixed address/],
    [{}, { action: 'WHATSAPP_ATTENDEE' }, {}, /no WhatsApp/],
    [{}, { action: 'SMS_ATTENDEE' }, { smsOffered: false }, /Text messages are not offered/],
    [{}, { workflowId: 99 }, {}, /The workflow that it belongs to/],
    [{ userId: 99 }, {}, {}, /does not come along/],
  ] as const
  for (const [workflow, step, here, says] of left) {
    it(`stay there with ${JSON.stringify([workflow, step])}`, () => {
      const { message, line } = planned(workflow, step, here)
      assert.equal(message, undefined)
      assert.match(line, says)
    })
  }

  it('are about the event types that they were active on', () => {
    const WorkflowsOnEventTypes = [
      { id: 1, workflowId: 1, eventTypeId: 10 },
      { id: 2, workflowId: 1, eventTypeId: 99 },
    ]
    const some = planned({ isActiveOnAll: false }, {}, {}, { WorkflowsOnEventTypes })
    assert.deepEqual(some.message?.eventTypeIds, ['EventType/10'])
    assert.match(some.line, /only for those of its event types that belong to Ana/)
    const none = planned({ isActiveOnAll: false })
    assert.equal(none.message?.enabled, false)
    assert.match(planned({ trigger: 'NEW_EVENT' }).line, /Bookings that need approval/)
  })

  it('are about the forms that they were active on', () => {
    const App_RoutingForms_Form = ['a', 'b'].map((id) => ({
      id,
      name: `Form ${id}`,
      userId: 1,
      fields: [{ id: 'f', identifier: 'size', label: 'Size', type: 'text' }],
      routes: [{ id: 'r', isFallback: true, action: { type: 'customPageMessage', value: 'Thanks' } }],
    }))
    const on = (...forms: string[]) => ({
      App_RoutingForms_Form,
      WorkflowsOnRoutingForms: [
        ...forms.map((routingFormId, index) => ({ id: index + 1, workflowId: 1, routingFormId })),
        { id: 9, workflowId: 2, routingFormId: 'b' },
      ],
    })
    const workflow = { trigger: 'FORM_SUBMITTED_NO_EVENT', isActiveOnAll: false }
    const one = planned(workflow, {}, {}, on('a'))
    assert.deepEqual(
      [one.message?.formIds, one.message?.enabled, one.message?.eventTypeIds],
      [['App_RoutingForms_Form/a'], true, []],
    )
    assert.match(planned(workflow, {}, {}, on('a', 'gone')).line, /only for those of its forms/)
    const none = planned(workflow, {}, {}, on())
    assert.deepEqual([none.message?.formIds, none.message?.enabled], [[], false])
    const all = planned({ ...workflow, isActiveOnAll: true }, {}, {}, on('a'))
    assert.deepEqual([all.message?.formIds, all.message?.enabled], [[], true])
    assert.match(all.line, /for all forms/)
  })

  it('keep links, lists and emphasis, and name what can’t be filled in', () => {
    const reminderBody =
      '<p>Hi <strong>{ATTENDEE_FIRST_NAME}</strong>,</p><ul><li>{EVENT_DATE_ddd, MMM D} {EVENT_TIME} {TIMEZONE}</li><li>{YOUR_COMPANY}</li></ul><p><a href="{MEETING_URL}">Join</a> or <a href="https://example.org/a?b=1&amp;c=2">read</a><br>{ADDITIONAL_NOTES}https://x.example/{ATTENDEE_EMAIL} {{hack}}</p>'
    const { message, line } = planned({}, { reminderBody })
    assert.equal(
      message?.texts.de?.body,
      'Hi **{{guest.firstName}}**,\n\n- {{start | date}} {{start | time}}\n\n- {{answers.company}}\n\n[Join]({{link.join}}) or [read](https://example.org/a?b=1&c=2)\nhttps://x.example/ { {hack} }',
    )
    assert.equal(line, 'changed Not filled in here: ADDITIONAL_NOTES, ATTENDEE_EMAIL.')
  })

  it('become texts for phones', () => {
    const { message } = planned({}, { action: 'SMS_ATTENDEE', reminderBody: '<p>See you, {ATTENDEE}</p>' })
    assert.deepEqual(
      [message?.by, message?.texts.de],
      ['sms', { subject: '', body: 'See you, {{guest.name}}' }],
    )
  })

  it('have no errors in our language, whatever they say', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '{{',
      '}}',
      '{ATTENDEE}',
      '{EVENT_DATE_x}',
      '{X}',
      '<a href="',
      '">',
      '</a>',
      '[',
      '](',
      ')',
      'https://',
      'a',
      '\n',
      '<b>',
      '</b>',
      '*',
      '#if ',
      '/if',
      ' ',
      '|',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const place = { on: 'before', to: 'guest', answers: new Map() } as const
        assert.deepEqual(findErrors(place, toMarkdown(pieces.join(''), place).text), [])
      }),
      { numRuns: 500 },
    )
  })
})

describe('webhooks of a source', () => {
  const hook = (id: string, eventTriggers: readonly string[], more: SourceRow = {}): SourceRow => ({
    id,
    subscriberUrl: 'https://hooks.example.org/x',
    eventTriggers,
    userId: 1,
    active: true,
    ...more,
  })

  it('are told of the same events, under their old secrets', () => {
    const plan = planOf({
      ...TABLES,
      Webhook: [
        hook('a', ['BOOKING_CREATED', 'BOOKING_REQUESTED', 'RECORDING_READY'], {
          secret: 's3cret',
          payloadTemplate: '{}',
        }),
        hook('b', ['BOOKING_CANCELLED'], { userId: null, eventTypeId: 10 }),
        hook('c', ['RECORDING_READY']),
        hook('d', ['BOOKING_CREATED'], { subscriberUrl: 'nowhere' }),
        hook('e', ['FORM_SUBMITTED'], { userId: null, teamId: 5, active: false }),
      ],
    })
    assert.deepEqual(itemOf(plan, 'webhook', 'Webhook/a').content, {
      owner: 'users/1',
      url: 'https://hooks.example.org/x',
      format: 'calcom',
      events: ['BOOKING_CREATED', 'BOOKING_REQUESTED'],
      eventTypes: [],
      active: true,
      secret: 's3cret',
    })
    assert.deepEqual(itemOf(plan, 'webhook', 'Webhook/b').content.eventTypes, ['EventType/10'])
    assert.deepEqual(
      [
        itemOf(plan, 'webhook', 'Webhook/e').content.owner,
        itemOf(plan, 'webhook', 'Webhook/e').content.active,
      ],
      ['Team/5', false],
    )
    const lines = linesOf(plan)
    assert.match(
      lines['Webhook/a'] ?? '',
      /not told of these events here: RECORDING_READY\. It had a payload of its own/,
    )
    assert.match(lines['Webhook/c'] ?? '', /^left-out None of the events/)
    assert.match(lines['Webhook/d'] ?? '', /^left-out Its address/)
  })
})
