import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { itemOf, linesOf, planOf, TEAM } from '../../../../test/imports/rows.ts'
import { type Condition, type FormField, matches } from '../../forms/routing.ts'
import type { SourceRow } from '../source.ts'
import { negate } from './read-conditions.ts'

const rule = (field: string, operator: string, ...value: unknown[]) => ({
  type: 'rule',
  properties: { field, operator, value },
})
const group = (conjunction: string, children: readonly object[], not = false) => ({
  type: 'group',
  properties: { conjunction, not },
  children1: Object.fromEntries(children.map((child, index) => [`c${index}`, child])),
})

const FIELDS = [
  { id: 'u1', identifier: 'company', label: 'Company', type: 'text', required: true },
  {
    id: 'u2',
    identifier: 'plan',
    label: 'Plan',
    type: 'select',
    options: [
      { id: 'o1', label: 'Free' },
      { id: 'o2', label: 'Big one' },
    ],
  },
  {
    id: 'u3',
    identifier: 'topics',
    label: 'Topics',
    type: 'multiselect',
    options: [
      { id: 't1', label: 'Tea' },
      { id: 't2', label: 'Coffee' },
    ],
  },
  { id: 'u4', identifier: 'seats', label: 'Seats', type: 'number' },
  { id: 'u5', identifier: 'size', label: 'Size', type: 'select', selectText: 'Small\nLarge' },
  { id: 'u6', identifier: 'old', label: 'Old', type: 'text', deleted: true },
]

const MESSAGE = { type: 'customPageMessage', value: 'Thanks' }
const FALLBACK = { id: 'z', isFallback: true, queryValue: { type: 'group' }, action: MESSAGE }

const FORM: SourceRow = {
  id: 'f1',
  name: 'Where to?',
  userId: 1,
  teamId: 5,
  fields: FIELDS,
  routes: [FALLBACK],
  disabled: false,
}

const TABLES = {
  ...TEAM,
  EventType: [
    { id: 20, title: 'Demo', slug: 'demo', length: 30, teamId: 5, schedulingType: 'roundRobin' },
    { id: 10, title: 'Intro', slug: 'intro', length: 30, userId: 1 },
  ],
  Attribute: [
    { id: 'a', teamId: 7, type: 'SINGLE_SELECT', name: 'Region', slug: 'region', enabled: true },
    { id: 'b', teamId: 7, type: 'MULTI_SELECT', name: 'Languages', slug: 'languages', enabled: true },
  ],
  AttributeOption: [
    { id: 'a1', attributeId: 'a', value: 'EMEA' },
    { id: 'b1', attributeId: 'b', value: 'German' },
  ],
}

function planned(routes: readonly object[], more: SourceRow = {}) {
  const plan = planOf({
    ...TABLES,
    App_RoutingForms_Form: [{ ...FORM, routes: [...routes, FALLBACK], ...more }],
  })
  const { content } = itemOf(plan, 'form', 'App_RoutingForms_Form/f1')
  return { ...content.form, owner: content.owner, line: linesOf(plan)['App_RoutingForms_Form/f1'] ?? '' }
}

describe('forms of a source', () => {
  it('keep their fields by identifier and their options by label', () => {
    const { fields, slug, fallback, line, owner } = planned([])
    assert.deepEqual([slug, owner, line], ['where-to', 'Team/5', 'new'])
    assert.deepEqual(fallback, { action: 'message', message: 'Thanks' })
    assert.deepEqual(
      fields.map(({ id, type, options }) => [id, type, options.map((option) => option.id)]),
      [
        ['company', 'text', []],
        ['plan', 'select', ['Free', 'big-one']],
        ['topics', 'multiselect', ['Tea', 'Coffee']],
        ['seats', 'number', []],
        ['size', 'select', ['Small', 'Large']],
      ],
    )
  })

  const conditions: readonly (readonly [object, Condition])[] = [
    [rule('u1', 'equal', 'Acme'), { field: 'company', operator: 'equals', value: 'Acme' }],
    [rule('u1', 'like', 'Ac'), { field: 'company', operator: 'contains', value: 'Ac' }],
    [rule('company', 'is_empty'), { field: 'company', operator: 'isEmpty' }],
    [rule('u2', 'select_equals', 'o2'), { field: 'plan', operator: 'equals', value: 'big-one' }],
    [rule('u5', 'select_equals', 'Small'), { field: 'size', operator: 'equals', value: 'Small' }],
    [
      rule('u2', 'select_any_in', ['o1', 'o2']),
      { field: 'plan', operator: 'isAnyOf', value: ['Free', 'big-one'] },
    ],
    [rule('u2', 'select_not_any_in', ['o1']), { field: 'plan', operator: 'notEquals', value: 'Free' }],
    [rule('u3', 'multiselect_some_in', ['t1']), { field: 'topics', operator: 'isAnyOf', value: ['Tea'] }],
    [
      rule('u3', 'multiselect_not_some_in', ['t1']),
      { field: 'topics', operator: 'notContains', value: 'Tea' },
    ],
    [
      rule('u3', 'multiselect_equals', ['t1']),
      {
        all: [
          { field: 'topics', operator: 'contains', value: 'Tea' },
          { field: 'topics', operator: 'isOnlyOf', value: ['Tea'] },
        ],
      },
    ],
    [
      rule('u4', 'between', 5, '9'),
      {
        all: [
          { field: 'seats', operator: 'atLeast', value: 5 },
          { field: 'seats', operator: 'atMost', value: 9 },
        ],
      },
    ],
    [
      group('AND', [rule('u1', 'equal', 'A'), rule('u4', 'less', 5)], true),
      {
        any: [
          { field: 'company', operator: 'notEquals', value: 'A' },
          {
            any: [
              { field: 'seats', operator: 'atLeast', value: 5 },
              { field: 'seats', operator: 'isEmpty' },
            ],
          },
        ],
      },
    ],
    [
      group('OR', [rule('u1', 'equal', 'A'), rule('u1', 'equal', 'B')]),
      {
        any: [
          { field: 'company', operator: 'equals', value: 'A' },
          { field: 'company', operator: 'equals', value: 'B' },
        ],
      },
    ],
    [group('AND', []), { all: [] }],
  ]
  for (const [query, when] of conditions) {
    it(`ask ${JSON.stringify(when)}`, () => {
      assert.deepEqual(planned([{ queryValue: query, action: MESSAGE }]).rules, [
        { when, target: { action: 'message', message: 'Thanks' } },
      ])
    })
  }

  it('leave out rules that can’t be said, and say which', () => {
    const { rules, line } = planned([
      { queryValue: rule('u1', 'sounds_like', 'x'), action: MESSAGE },
      { queryValue: rule('u6', 'equal', 'x'), action: MESSAGE },
      { queryValue: group('AND', [rule('u1', 'starts_with', 'x')], true), action: MESSAGE },
      { queryValue: rule('u2', 'select_equals', 'gone'), action: MESSAGE },
      {
        queryValue: rule('u1', 'equal', 'x'),
        action: { type: 'externalRedirectUrl', value: 'javascript:alert(1)' },
      },
    ])
    assert.deepEqual(rules, [])
    assert.match(line, /Rule 1 asks.*Rule 2 asks.*Rule 3 asks.*Rule 4 asks.*Rule 5 leads/)
  })

  it('lead to event types by id or path, to addresses, and to some hosts', () => {
    const { rules, line } = planned([
      {
        queryValue: rule('u1', 'equal', '1'),
        action: { type: 'eventTypeRedirectUrl', value: 'team/sales/demo' },
      },
      {
        queryValue: rule('u1', 'equal', '2'),
        action: { type: 'eventTypeRedirectUrl', value: 'x', eventTypeId: 20 },
        attributesQueryValue: group('AND', [
          rule('a', 'select_equals', '{field:u2}'),
          rule('b', 'multiselect_some_in', ['b1']),
        ]),
      },
      {
        queryValue: rule('u1', 'equal', '3'),
        action: { type: 'externalRedirectUrl', value: 'https://example.org/x' },
      },
      { queryValue: rule('u1', 'equal', '4'), action: { type: 'eventTypeRedirectUrl', value: 'ana/intro' } },
    ])
    assert.deepEqual(
      rules.map(({ target }) => target),
      [
        { action: 'routeToEvent', eventTypeId: 'EventType/20' },
        {
          action: 'routeToEvent',
          eventTypeId: 'EventType/20',
          hosts: {
            all: [
              { attribute: 'region', is: { answerOf: 'plan' } },
              { attribute: 'languages', isAnyOf: ['German'] },
            ],
          },
        },
        { action: 'redirect', url: 'https://example.org/x' },
      ],
    )
    assert.equal(line, 'changed Rule 4 leads to a place that forms can’t lead to here, so it was left out.')
  })

  it('belong to the team that they lead to', () => {
    const route = {
      queryValue: rule('u1', 'equal', '1'),
      action: { type: 'eventTypeRedirectUrl', value: '', eventTypeId: 20 },
    }
    const { owner, rules } = planned([route], { teamId: null })
    assert.deepEqual([owner, rules.length], ['Team/5', 1])
    assert.equal(planned([], { teamId: null }).owner, 'users/1')
  })

  it('stay there when they are switched off or have no owner', () => {
    const App_RoutingForms_Form = [
      { ...FORM, disabled: true },
      { ...FORM, id: 'f2', teamId: 99 },
    ]
    assert.deepEqual(
      Object.entries(linesOf(planOf({ ...TABLES, App_RoutingForms_Form }))).filter(([key]) =>
        key.startsWith('App_'),
      ),
      [
        ['App_RoutingForms_Form/f1', 'left-out It is switched off there.'],
        ['App_RoutingForms_Form/f2', 'left-out The person or team that it belongs to does not come along.'],
      ],
    )
  })
})

describe('the opposite of a condition', () => {
  it('matches exactly what the condition does not', () => {
    const options = ['a', 'b', 'c'].map((id) => ({ id, label: id }))
    const field = (id: string, type: FormField['type']): FormField => ({
      id,
      label: id,
      type,
      required: false,
      options: [],
    })
    const fields = new Map([
      ['text', field('text', 'text')],
      ['number', field('number', 'number')],
      ['one', { ...field('one', 'select'), options }],
      ['many', { ...field('many', 'multiselect'), options }],
    ])
    const option = fc.constantFrom('a', 'b', 'c')
    const lists = fc.uniqueArray(option, { minLength: 1, maxLength: 3 })
    const leaf: fc.Arbitrary<Condition> = fc.oneof(
      fc.record({
        field: fc.constant('text'),
        operator: fc.constantFrom('equals', 'notEquals', 'contains', 'notContains'),
        value: option,
      }),
      fc.record({
        field: fc.constant('number'),
        operator: fc.constantFrom('equals', 'lessThan', 'atMost', 'greaterThan', 'atLeast'),
        value: fc.integer({ min: 0, max: 3 }),
      }),
      fc.record({ field: fc.constant('one'), operator: fc.constant('isAnyOf'), value: lists }),
      fc.record({
        field: fc.constant('many'),
        operator: fc.constantFrom('isAnyOf', 'isOnlyOf'),
        value: lists,
      }),
      fc.record({
        field: fc.constant('many'),
        operator: fc.constantFrom('contains', 'notContains'),
        value: option,
      }),
    ) as fc.Arbitrary<Condition>
    const tree = fc.oneof(
      leaf,
      fc.array(leaf, { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
      fc.array(leaf, { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
    )
    const answers = fc.record({
      text: fc.constantFrom('', 'a', 'ab'),
      number: fc.constantFrom('', '0', '1', '3'),
      one: fc.constantFrom('', 'a', 'b'),
      many: fc.subarray(['a', 'b', 'c']),
    })
    fc.assert(
      fc.property(tree, answers, (condition, given) => {
        const opposite = negate(condition, fields)
        assert.ok(opposite !== undefined)
        assert.equal(matches(opposite, given), !matches(condition, given))
      }),
      { numRuns: 500 },
    )
  })
})
