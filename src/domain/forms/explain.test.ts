import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { explainRoute } from './explain.ts'
import { type Condition, type FormField, route, type Target, TEXT_OPERATORS } from './routing.ts'

const FIELDS: FormField[] = [
  {
    id: 'size',
    label: 'How big are you?',
    type: 'select',
    required: true,
    options: [
      { id: 's', label: 'Small' },
      { id: 'l', label: 'Large' },
    ],
  },
  { id: 'email', label: 'Email', type: 'email', required: false, options: [] },
]
const to = (message: string): Target => ({ action: 'message', message })
const formOf = (...rules: Condition[]) => ({
  fields: FIELDS,
  rules: rules.map((when, index) => ({ when, target: to(`${index}`) })),
  fallback: to('fallback'),
})
const LARGE: Condition = { field: 'size', operator: 'equals', value: 'l' }
const OURS: Condition = { field: 'email', operator: 'endsWith', value: '@example.com' }
const anything = () => true

describe('explainRoute', () => {
  it('names the first condition that failed, as data and in words of the form', () => {
    const answers = { size: 'l', email: 'ann@guests.example' }
    const { rule, target, rules } = explainRoute(formOf({ all: [LARGE, OURS] }), answers, anything)
    assert.deepEqual([rule, target], [null, to('fallback')])
    assert.deepEqual(rules, [
      {
        matched: false,
        failed: { path: 'when.all.1', condition: OURS },
        reason: '"Email" is "ann@guests.example", which does not end with "@example.com".',
      },
    ])
    const [small] = explainRoute(formOf(LARGE), { size: 's' }, anything).rules
    assert.deepEqual(small?.reason, '"How big are you?" is "Small", not "Large".')
  })

  it('says when there were alternatives', () => {
    const [rule] = explainRoute(formOf({ any: [{ all: [LARGE] }, OURS] }), {}, anything).rules
    assert.equal(rule?.failed?.path, 'when.any.0.all.0')
    assert.equal(rule?.reason, 'No alternative matched. The first: "How big are you?" is empty, not "Large".')
  })

  it('tells rules that come too late from those that cannot be used', () => {
    const form = formOf(LARGE, LARGE, LARGE)
    const rules = form.rules.with(0, { when: LARGE, target: { action: 'routeToEvent', eventTypeId: 'gone' } })
    const explained = explainRoute({ ...form, rules }, { size: 'l' }, () => false)
    assert.equal(explained.rule, 1)
    assert.deepEqual(
      explained.rules.map(({ matched, failed, reason }) => [matched, failed, reason]),
      [
        [true, null, 'Matched, but skipped: its event type is hidden or deleted.'],
        [true, null, 'Matched.'],
        [true, null, 'Matched, but rule 2 comes first.'],
      ],
    )
  })

  it('agrees with what visitors get, for every operator and many trees', () => {
    const leaves = TEXT_OPERATORS.flatMap((operator): Condition[] =>
      operator === 'isEmpty' || operator === 'isNotEmpty'
        ? [{ field: 'email', operator }]
        : [{ field: 'email', operator, value: operator === 'isAnyOf' ? ['a', 'ab'] : 'a' }],
    )
    const trees = leaves.flatMap((one) => [
      one,
      ...leaves.flatMap((other): Condition[] => [{ all: [one, other] }, { any: [one, { all: [other] }] }]),
    ])
    for (const email of ['', 'a', 'ab', 'ba', 'c']) {
      for (const tree of trees) {
        const form = formOf(tree)
        const explained = explainRoute(form, { email }, anything)
        assert.deepEqual(explained.target, route(form, { email }, anything))
        const [rule] = explained.rules
        assert.equal(rule?.matched, explained.rule === 0)
        assert.equal(rule?.failed === null, rule?.matched)
        assert.match(rule?.reason ?? '', /\.$/)
      }
    }
  })

  it('shortens long answers', () => {
    const [rule] = explainRoute(formOf(OURS), { email: 'x'.repeat(5000) }, anything).rules
    assert.ok((rule?.reason.length ?? 0) < 200)
  })
})
