import { at, DAY, type Seed, uuidOf } from './seed.ts'
import { ROUND_ROBIN } from './seeded-event-types.ts'

const TEAM_FORM = uuidOf(3, 1)
const OWN_FORM = uuidOf(3, 2)
const DISABLED_FORM = uuidOf(3, 3)

const field = (id: string, type: string, values: object = {}) => ({
  id,
  type,
  label: `Your ${id}`,
  identifier: id,
  required: false,
  ...values,
})

const options = (...labels: string[]) =>
  labels.map((label) => ({ id: `option-${label.toLowerCase()}`, label }))

const FIELDS = [
  field('email', 'email', { required: true }),
  field('name', 'text'),
  field('plan', 'select', { required: true, options: options('Free', 'Team', 'Company') }),
  field('topics', 'multiselect', { options: options('Prices', 'Hosting') }),
  field('seats', 'number'),
  field('mobile', 'phone'),
  field('story', 'textarea'),
  // As older versions wrote them: a line for each option.
  field('size', 'select', { selectText: 'Small\nLarge' }),
  field('former', 'text', { deleted: true }),
]

let rules = 0

const rule = (fieldId: string, operator: string, ...value: unknown[]) => {
  rules++
  return {
    [`rule-${rules}`]: {
      type: 'rule',
      properties: {
        field: fieldId,
        operator,
        value,
        valueSrc: value.map(() => 'value'),
        valueType: value.map(() => 'text'),
      },
    },
  }
}

const all = (...children: object[]) => group('AND', children)
const any = (...children: object[]) => group('OR', children)
const group = (conjunction: string, children: readonly object[]) => ({
  id: `group-${children.length}`,
  type: 'group',
  properties: { conjunction },
  children1: Object.assign({}, ...children),
})

const toDemo = { type: 'eventTypeRedirectUrl', value: 'team/sales/demo', eventTypeId: ROUND_ROBIN }
const toSite = { type: 'externalRedirectUrl', value: 'https://example.org/elsewhere' }
const toText = { type: 'customPageMessage', value: 'We will write to you.' }

/** Each operator that there is. */
const conditions = () => [
  all(rule('name', 'equal', 'Ada')),
  all(rule('name', 'not_equal', 'Ada'), rule('mobile', 'is_not_empty')),
  any(rule('story', 'like', 'urgent'), rule('story', 'like', 'today')),
  all(rule('story', 'not_like', 'spam')),
  all(rule('email', 'starts_with', 'info@')),
  any(rule('email', 'ends_with', '@example.com'), rule('name', 'is_empty')),
  all(rule('plan', 'select_equals', 'option-free')),
  all(rule('plan', 'select_not_equals', 'option-free')),
  all(rule('plan', 'select_any_in', ['option-team', 'option-company'])),
  all(rule('plan', 'select_not_any_in', ['option-team'])),
  all(rule('topics', 'multiselect_equals', ['option-prices', 'option-hosting'])),
  all(rule('topics', 'multiselect_some_in', ['option-prices'])),
  all(rule('topics', 'multiselect_not_some_in', ['option-prices'])),
  all(rule('seats', 'less', '5')),
  all(rule('seats', 'greater', '500')),
  all(rule('seats', 'between', '5', '500')),
  all(rule('seats', 'less_or_equal', '7')),
  all(rule('seats', 'greater_or_equal', '8')),
  all(rule('size', 'select_equals', 'Small')),
  // Nothing of ours does what this asks.
  all(rule('name', 'sounds_like', 'Ada')),
]

export function seedForms(seed: Seed): void {
  rules = 0
  const actions = [toDemo, toSite, toText]
  const routes: object[] = conditions().map((queryValue, index) => ({
    id: `route-${index + 1}`,
    queryValue,
    action: actions[index % actions.length],
  }))
  routes.splice(3, 0, {
    id: 'route-people',
    queryValue: all(rule('plan', 'select_equals', 'option-company')),
    attributesQueryValue: all(
      rule('region', 'select_equals', 'region-europe'),
      rule('languages', 'multiselect_some_in', ['languages-german']),
    ),
    fallbackAttributesQueryValue: all(rule('region', 'select_any_in', ['region-europe', 'region-asia'])),
    attributeRoutingConfig: { skipContactOwner: true },
    action: toDemo,
  })
  routes.push({
    id: 'fallback',
    isFallback: true,
    queryValue: { id: 'fallback-group', type: 'group' },
    action: toText,
  })
  const made = { updatedAt: at(seed.now - 20 * DAY), settings: { emailOwnerOnSubmission: false } }
  seed.add('App_RoutingForms_Form', {
    ...made,
    id: TEAM_FORM,
    name: 'Where to?',
    description: 'Finds the right person.',
    userId: 1,
    teamId: 101,
    fields: FIELDS,
    routes,
  })
  seed.add('App_RoutingForms_Form', {
    ...made,
    id: OWN_FORM,
    name: 'Ask me',
    userId: 1,
    fields: [field('email', 'email', { required: true }), field('name', 'text')],
    routes: [
      {
        id: 'named',
        queryValue: all(rule('name', 'is_not_empty')),
        action: { type: 'eventTypeRedirectUrl', value: 'person-1/intro', eventTypeId: 2001 },
      },
      { id: 'fallback', isFallback: true, queryValue: { id: 'none', type: 'group' }, action: toSite },
    ],
  })
  seed.add('App_RoutingForms_Form', {
    ...made,
    id: DISABLED_FORM,
    name: 'No longer used',
    userId: 2,
    disabled: true,
    fields: [],
    routes: null,
  })
  for (let id = 1; id <= 10; id++) {
    seed.add('App_RoutingForms_FormResponse', {
      id,
      uuid: uuidOf(4, id),
      formId: id === 10 ? uuidOf(3, 999) : TEAM_FORM,
      response: {
        email: { label: 'Your email', value: `asker${id}@example.com` },
        plan: { label: 'Your plan', value: 'Team', identifier: 'plan' },
      },
      createdAt: at(seed.now - id * DAY),
      chosenRouteId: 'route-9',
      routedToBookingUid: id === 1 ? 'booking-uid-1' : null,
    })
  }
}
