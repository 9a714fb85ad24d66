import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  type Answers,
  type Condition,
  type FormField,
  findAnswerProblem,
  type Leaf,
  matches,
  operatorsFor,
  type Target,
  TEXT_OPERATORS,
} from './routing.ts'
import { findRuleWarnings } from './warnings.ts'

const select = (id: string, required: boolean, ...options: string[]): FormField => ({
  id,
  label: id,
  type: 'select',
  required,
  options: options.map((option) => ({ id: option, label: option })),
})
const text = (id: string, required: boolean): FormField => ({
  id,
  label: id,
  type: 'text',
  required,
  options: [],
})
const FIELDS = [
  select('size', true, 's', 'm', 'l'),
  select('land', false, 'de', 'fr', 'de-ch'),
  select('paid', true, 'yes', 'no'),
  text('note', false),
  text('mail', true),
]
const to = (message: string): Target => ({ action: 'message', message })
const rulesOf = (...conditions: Condition[]) => conditions.map((when) => ({ when, target: to('here') }))
const is = (field: string, value: string): Leaf => ({ field, operator: 'equals', value })
const anything = () => true
const warningsOf = (...conditions: Condition[]) =>
  findRuleWarnings({ fields: FIELDS, rules: rulesOf(...conditions) }, anything)
const kindsOf = (...conditions: Condition[]) =>
  warningsOf(...conditions).map(({ rule, kind, by }) => [rule, kind, ...by])

/** What a look at every one of these answers finds, without any cleverness. */
function slowly(fields: readonly FormField[], conditions: readonly Condition[], answers: readonly Answers[]) {
  const valid = answers.filter((given) => findAnswerProblem(fields, given) === undefined)
  return conditions.flatMap((condition, rule) => {
    const matching = valid.filter((given) => matches(condition, given))
    if (matching.length === 0) return [{ rule, kind: 'never' }]
    const before = conditions.slice(0, rule)
    const decides = matching.some((given) => !before.some((other) => matches(other, given)))
    return decides ? [] : [{ rule, kind: 'shadowed' }]
  })
}

function allAnswers(choices: Readonly<Record<string, readonly string[]>>): Answers[] {
  return Object.entries(choices).reduce<Answers[]>(
    (all, [id, values]) => all.flatMap((given) => values.map((value) => ({ ...given, [id]: value }))),
    [{}],
  )
}

const treeOf = (leaf: fc.Arbitrary<Leaf>) =>
  fc.letrec<{ tree: Condition }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'tree' },
      leaf,
      fc.record({ all: fc.array(tie('tree'), { maxLength: 3 }) }),
      fc.record({ any: fc.array(tie('tree'), { maxLength: 3 }) }),
    ),
  })).tree
const leafOf = (field: fc.Arbitrary<string>, word: fc.Arbitrary<string>): fc.Arbitrary<Leaf> =>
  fc.oneof(
    fc.record({
      field,
      operator: fc.constantFrom(...TEXT_OPERATORS.filter((one) => one !== 'isAnyOf')),
      value: word,
    }),
    fc.record({
      field,
      operator: fc.constant('isAnyOf' as const),
      value: fc.array(word, { maxLength: 3 }),
    }),
  )

describe('findRuleWarnings', () => {
  it('finds conditions that exclude each other, and answers that cannot be empty', () => {
    assert.deepEqual(
      warningsOf({ all: [is('size', 's'), is('size', 'm')] }, is('size', 's')).map(
        ({ sentence }) => sentence,
      ),
      ['Rule 1 can never match: no answers fulfil its conditions.'],
    )
    assert.deepEqual(kindsOf({ field: 'mail', operator: 'isEmpty' }), [[0, 'never']])
    assert.deepEqual(kindsOf({ field: 'note', operator: 'isEmpty' }), [])
  })

  it('names the rule that shadows another, or those that do so together', () => {
    const alone = warningsOf(is('paid', 'no'), is('size', 's'), { all: [is('size', 's'), is('land', 'de')] })
    assert.deepEqual(alone, [
      {
        rule: 2,
        kind: 'shadowed',
        by: [1],
        sentence: 'Rule 3 never decides: whenever it matches, rule 2 comes first.',
      },
    ])
    const [together] = warningsOf(is('size', 's'), is('land', 'fr'), is('paid', 'yes'), is('paid', 'no'), {
      field: 'size',
      operator: 'isAnyOf',
      value: ['m', 'l'],
    })
    assert.deepEqual(together?.by, [2, 3])
    assert.match(together?.sentence ?? '', /rule 3 or 4 comes first/)
  })

  it('names no rule that comes after the one it warns about', () => {
    const some: Leaf = { field: 'size', operator: 'isAnyOf', value: ['s', 'm'] }
    assert.deepEqual(kindsOf(is('size', 's'), is('size', 'm'), some, is('land', 'de')), [
      [2, 'shadowed', 0, 1],
    ])
  })

  it('lets no rule shadow others whose event type visitors cannot be sent to', () => {
    const rules = [
      { when: is('size', 's'), target: { action: 'routeToEvent', eventTypeId: 'hidden' } as const },
      { when: is('size', 's'), target: to('here') },
    ]
    assert.deepEqual(
      findRuleWarnings({ fields: FIELDS, rules }, () => false),
      [],
    )
    assert.equal(findRuleWarnings({ fields: FIELDS, rules }, anything).length, 1)
  })

  it('knows how beginnings, ends and parts of a text belong together', () => {
    const mail = (operator: Leaf['operator'], value: string): Leaf => ({ field: 'mail', operator, value })
    const ends = mail('endsWith', '@example.com')
    assert.deepEqual(kindsOf({ all: [ends, mail('endsWith', '@example.org')] }), [[0, 'never']])
    assert.deepEqual(kindsOf(mail('contains', 'EXAMPLE'), ends), [[1, 'shadowed', 0]])
    assert.deepEqual(kindsOf({ all: [mail('notContains', 'exam'), mail('contains', 'example')] }), [
      [0, 'never'],
    ])
    assert.deepEqual(kindsOf(mail('contains', 'b'), mail('startsWith', 'abc')), [[1, 'shadowed', 0]])
    assert.deepEqual(kindsOf(mail('startsWith', 'a'), mail('startsWith', 'Ab')), [[1, 'shadowed', 0]])
    assert.deepEqual(kindsOf(mail('startsWith', 'ab'), mail('startsWith', 'a')), [])
    assert.deepEqual(kindsOf({ all: [ends, mail('startsWith', 'a'), mail('contains', 'b')] }), [])
    assert.deepEqual(kindsOf(ends, mail('equals', 'ann@example.com')), [[1, 'shadowed', 0]])
  })

  it('finds for selects exactly what a look at all answers finds', () => {
    const answers = allAnswers({
      size: ['s', 'm', 'l'],
      land: ['', 'de', 'fr', 'de-ch'],
      paid: ['yes', 'no'],
    })
    const fields = FIELDS.filter(({ type }) => type === 'select')
    const leaf = leafOf(
      fc.constantFrom('size', 'land', 'paid'),
      fc.constantFrom('s', 'm', 'l', 'de', 'fr', 'de-ch', 'DE', 'yes', 'no', '', 'e'),
    )
    fc.assert(
      fc.property(fc.array(treeOf(leaf), { minLength: 1, maxLength: 5 }), (conditions) => {
        const found = findRuleWarnings({ fields, rules: rulesOf(...conditions) }, anything)
        assert.deepEqual(
          found.map(({ rule, kind }) => ({ rule, kind })),
          slowly(fields, conditions, answers),
        )
        for (const { rule, kind, by } of found) {
          if (kind === 'never') continue
          // These rules suffice, and none of them can be left out.
          const last = conditions[rule] as Condition
          const shadowedBy = (some: readonly number[]) =>
            slowly(fields, [...some.map((one) => conditions[one] as Condition), last], answers).some(
              (one) => one.rule === some.length && one.kind === 'shadowed',
            )
          assert.ok(shadowedBy(by))
          for (const one of by) assert.ok(!shadowedBy(by.filter((other) => other !== one)))
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('finds for numbers and several choices exactly what a look at all answers finds', () => {
    const fields: FormField[] = [
      { ...text('count', false), type: 'number' },
      { ...select('topics', true, 'a', 'b', 'c'), type: 'multiselect' },
    ]
    const choices = fc.subarray(['a', 'b', 'c'])
    const answers = ['', '0', '1', '1.5', '2', '2.5', '3', '9'].flatMap((count) =>
      [[], ['a'], ['b'], ['c'], ['a', 'b'], ['a', 'c'], ['b', 'c'], ['a', 'b', 'c']].map((topics) => ({
        count,
        topics,
      })),
    )
    const leaf: fc.Arbitrary<Leaf> = fc.oneof(
      fc.record({
        field: fc.constant('count'),
        operator: fc.constantFrom(...operatorsFor('number').filter((one) => !one.endsWith('mpty'))),
        value: fc.constantFrom(1, 2, 3),
      }),
      fc.record({
        field: fc.constant('topics'),
        operator: fc.constantFrom('contains' as const, 'notContains' as const),
        value: fc.constantFrom('a', 'b', 'c'),
      }),
      fc.record({
        field: fc.constant('topics'),
        operator: fc.constantFrom('isAnyOf' as const, 'isOnlyOf' as const),
        value: choices,
      }),
      fc.record({
        field: fc.constantFrom('count', 'topics'),
        operator: fc.constantFrom('isEmpty' as const, 'isNotEmpty' as const),
      }),
    )
    fc.assert(
      fc.property(fc.array(treeOf(leaf), { minLength: 1, maxLength: 5 }), (conditions) => {
        const found = findRuleWarnings({ fields, rules: rulesOf(...conditions) }, anything)
        assert.deepEqual(
          found.map(({ rule, kind }) => ({ rule, kind })),
          slowly(fields, conditions, answers),
        )
      }),
      { numRuns: 1000 },
    )
  })

  it('finds for short texts exactly what a look at all of them finds', () => {
    const texts = ['']
    for (const start of texts) if (start.length < 5) texts.push(...['a', 'b', 'x'].map((end) => start + end))
    const answers = texts.map((note) => ({ note }))
    const leaf = leafOf(fc.constant('note'), fc.constantFrom('a', 'b', 'A', ''))
    fc.assert(
      fc.property(
        fc.array(treeOf(leaf), { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        (conditions, required) => {
          const fields = [text('note', required)]
          const found = findRuleWarnings({ fields, rules: rulesOf(...conditions) }, anything)
          assert.deepEqual(
            found.map(({ rule, kind }) => ({ rule, kind })),
            slowly(fields, conditions, answers),
          )
        },
      ),
      { numRuns: 400 },
    )
  })

  it('never warns wrongly about longer texts', () => {
    const texts = ['']
    for (const start of texts) if (start.length < 5) texts.push(...['a', 'b', 'x'].map((end) => start + end))
    const leaf = leafOf(fc.constant('note'), fc.constantFrom('a', 'ab', 'ba', 'aba', 'abab', 'bb', 'x'))
    fc.assert(
      fc.property(fc.array(treeOf(leaf), { minLength: 1, maxLength: 4 }), (conditions) => {
        const fields = [text('note', false)]
        const found = findRuleWarnings({ fields, rules: rulesOf(...conditions) }, anything)
        for (const { rule } of found) {
          const decides = texts.find(
            (note) => conditions.findIndex((condition) => matches(condition, { note })) === rule,
          )
          assert.equal(decides, undefined)
        }
      }),
      { numRuns: 400 },
    )
  })

  it('gives up on rules that would take forever, without a warning', () => {
    // Nine pigeons in eight holes: no solver is quick at this.
    const holes = Array.from({ length: 8 }, (_, hole) => hole)
    const fields = Array.from({ length: 9 }, (_, pigeon) =>
      holes.map((hole) => select(`p${pigeon}-${hole}`, true, 'in', 'out')),
    ).flat()
    const sits = (pigeon: number, hole: number) => is(`p${pigeon}-${hole}`, 'in')
    const pigeons = Array.from({ length: 9 }, (_, pigeon) => pigeon)
    const all: Condition[] = [
      ...pigeons.map((pigeon) => ({ any: holes.map((hole) => sits(pigeon, hole)) })),
      ...holes.flatMap((hole) =>
        pigeons.flatMap((one) =>
          pigeons.slice(one + 1).map((other) => ({
            any: [is(`p${one}-${hole}`, 'out'), is(`p${other}-${hole}`, 'out')],
          })),
        ),
      ),
    ]
    assert.deepEqual(findRuleWarnings({ fields, rules: rulesOf({ all }) }, anything), [])
  })
})
