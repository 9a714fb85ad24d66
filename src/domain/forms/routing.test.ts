import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Problem } from '../problem.ts'
import {
  type Answers,
  type Condition,
  checkForm,
  checkFormAnswers,
  compileRules,
  FIELD_TYPES,
  FORM_DEFAULTS,
  type FormField,
  findRoute,
  type Leaf,
  matches,
  OPERATORS,
  type Operator,
  type RoutingForm,
  type Rule,
  route,
  type Target,
  TEXT_OPERATORS,
} from './routing.ts'

const when = (operator: Operator, value?: Leaf['value']): Leaf => ({
  field: 'q',
  operator,
  ...(value !== undefined && { value }),
})

const holds = (condition: Condition, answer: unknown) =>
  matches(condition, answer === undefined ? {} : { q: answer })

/** For each operator: a condition, answers that fulfil it, and answers that do not. */
const TRUTHS: Record<Operator, readonly { when: Leaf; yes: readonly unknown[]; no: readonly unknown[] }[]> = {
  equals: [
    { when: when('equals', 'Tea'), yes: ['Tea', 'TEA', ' tea\n'], no: ['te', 'tea!', '', undefined, 5] },
    { when: when('equals', 5), yes: ['5', '5.0', 5], no: ['50', 4, '', undefined] },
  ],
  notEquals: [{ when: when('notEquals', 'Tea'), yes: ['coffee', '', undefined, null], no: ['tea', ' TEA '] }],
  contains: [
    { when: when('contains', 'big'), yes: ['big', 'a BIG one', 'ambigu'], no: ['bi g', '', undefined] },
  ],
  notContains: [
    {
      when: when('notContains', 'big'),
      yes: ['small', '', undefined, ['bigger'], []],
      no: ['Bigger', ['Big', 'small']],
    },
  ],
  startsWith: [{ when: when('startsWith', 'ab'), yes: ['ABC', ' ab'], no: ['cab', 'a', undefined] }],
  endsWith: [{ when: when('endsWith', '.org'), yes: ['a.ORG', 'a.org '], no: ['a.org.uk', undefined] }],
  isEmpty: [{ when: when('isEmpty'), yes: ['', '  ', undefined, null, []], no: ['x', ' x ', ['x'], 0] }],
  isNotEmpty: [
    { when: when('isNotEmpty'), yes: ['x', ' x ', ['x'], 0], no: ['', '\t', undefined, null, []] },
  ],
  isAnyOf: [
    {
      when: when('isAnyOf', ['Tea', 'milk']),
      yes: ['tea', ' MILK '],
      no: ['te', 'tea, milk', '', undefined],
    },
    { when: when('isAnyOf', []), yes: [], no: ['tea', '', undefined] },
    {
      when: when('isAnyOf', ['tea', 'milk']),
      yes: [['tea'], ['rum', 'MILK']],
      no: [[], ['rum'], ['te']],
    },
  ],
  lessThan: [{ when: when('lessThan', 5), yes: ['4.9', -1, '-1e3'], no: ['5', 5, '40', '', undefined] }],
  atMost: [{ when: when('atMost', 5), yes: ['5.0', 5, 4], no: ['5.1', 6, '', undefined] }],
  greaterThan: [{ when: when('greaterThan', 5), yes: ['5.1', '40', 6], no: ['5', 4, '', undefined] }],
  atLeast: [{ when: when('atLeast', 5), yes: [' 5 ', 5, '1e2'], no: ['4', -7, '', undefined] }],
  isOnlyOf: [
    {
      when: when('isOnlyOf', ['tea', 'milk']),
      yes: [['tea'], ['Milk', 'tea']],
      no: [[], ['tea', 'rum'], '', undefined],
    },
  ],
}

describe('matches', () => {
  for (const operator of OPERATORS) {
    it(`applies ${operator}`, () => {
      for (const { when: condition, yes, no } of TRUTHS[operator]) {
        for (const answer of yes) assert.equal(holds(condition, answer), true, JSON.stringify(answer))
        for (const answer of no) assert.equal(holds(condition, answer), false, JSON.stringify(answer))
      }
    })
  }

  it('treats composed and decomposed letters as equal', () => {
    assert.equal(holds(when('equals', 'Jos\u00e9'), 'jose\u0301'), true)
  })

  it('finds an empty all true and an empty any false', () => {
    assert.equal(matches({ all: [] }, {}), true)
    assert.equal(matches({ any: [] }, {}), false)
  })

  it('ignores inherited properties', () => {
    for (const field of ['constructor', 'toString', '__proto__']) {
      assert.equal(matches({ field, operator: 'isEmpty' }, {}), true, field)
    }
  })

  it('agrees with a simple reference on any tree', () => {
    const word = fc.constantFrom('', 'a', 'b', 'ab', 'A', ' ab ', 'abc')
    const field = fc.constantFrom('p', 'q', 'r')
    const leaf: fc.Arbitrary<Leaf> = fc.oneof(
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
    const { tree } = fc.letrec<{ tree: Condition }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4, depthIdentifier: 'tree' },
        leaf,
        fc.record({ all: fc.array(tie('tree'), { maxLength: 3 }) }),
        fc.record({ any: fc.array(tie('tree'), { maxLength: 3 }) }),
      ),
    }))
    const answers = fc.record({ p: word, q: word, r: word }, { requiredKeys: [] })
    fc.assert(
      fc.property(tree, answers, (condition, given) =>
        assert.equal(matches(condition, given), slowly(condition, given)),
      ),
      { numRuns: 1000 },
    )
  })
})

/** The meaning of a tree, spelled out without any of its code. */
function slowly(condition: Condition, answers: Answers): boolean {
  if ('all' in condition) {
    let count = 0
    for (const part of condition.all) if (slowly(part, answers)) count++
    return count === condition.all.length
  }
  if ('any' in condition) {
    let count = 0
    for (const part of condition.any) if (slowly(part, answers)) count++
    return count > 0
  }
  const plain = (text: unknown) =>
    String(text ?? '')
      .replace(/^\s+|\s+$/g, '')
      .toUpperCase()
  const answer = plain(answers[condition.field])
  const values = [condition.value ?? ''].flat().map(plain)
  const [value = ''] = values
  const meaning: Record<Operator, boolean> = {
    equals: answer === value,
    notEquals: !(answer === value),
    contains: answer.indexOf(value) >= 0,
    notContains: answer.indexOf(value) < 0,
    startsWith: answer.slice(0, value.length) === value,
    endsWith: value === '' || answer.slice(-value.length) === value,
    isEmpty: answer.length === 0,
    isNotEmpty: answer.length > 0,
    isAnyOf: values.indexOf(answer) >= 0,
    // Only for numbers and lists.
    ...{ lessThan: false, atMost: false, greaterThan: false, atLeast: false, isOnlyOf: false },
  }
  return meaning[condition.operator]
}

describe('route', () => {
  const message = (text: string): Target => ({ action: 'message', message: text })
  const toEvent = (eventTypeId: string): Target => ({ action: 'routeToEvent', eventTypeId })
  const always: Condition = { all: [] }
  const form = (rules: readonly Rule[], fallback = message('fallback')) => ({ rules, fallback })
  const standing = () => true

  it('follows the first rule that matches', () => {
    const rules = [
      { when: when('equals', 'x'), target: message('no') },
      { when: when('equals', 'tea'), target: message('first') },
      { when: always, target: message('second') },
    ]
    assert.deepEqual(route(form(rules), { q: 'tea' }, standing), message('first'))
  })

  it('falls back when no rule matches, and when there are none', () => {
    assert.deepEqual(
      route(form([{ when: { any: [] }, target: message('no') }]), {}, standing),
      message('fallback'),
    )
    assert.deepEqual(route(form([]), {}, standing), message('fallback'))
  })

  it('decides the same by compiled rules, whoever asks and however often', () => {
    const texts = ['Tea', ' TEA ', 'coffee', '', undefined, 5, ['Tea'], ['tea', 'milk'], []]
    const values = ['tea ', ['Tea', 'MILK'], 5, undefined]
    for (const operator of OPERATORS) {
      const rules = values.map((value) => ({
        when: { all: [{ any: [when(operator, value)] }] },
        target: message(`${operator} ${value}`),
      }))
      const compiled = compileRules(rules)
      for (const q of [...texts, ...texts]) {
        const [once, kept] = [undefined, compiled].map((known) =>
          findRoute(form(rules), { q }, standing, known),
        )
        assert.deepEqual(kept, once)
        assert.equal(
          once?.rule,
          rules.findIndex(({ when: condition }) => matches(condition, { q })),
        )
      }
    }
  })

  it('skips a rule whose event type is not routable', () => {
    const rules = [
      { when: always, target: toEvent('gone') },
      { when: always, target: toEvent('here') },
    ]
    assert.deepEqual(
      route(form(rules), {}, (id) => id === 'here'),
      toEvent('here'),
    )
    assert.deepEqual(
      route(form(rules), {}, () => false),
      message('fallback'),
    )
  })

  it('shows a message if the fallback’s event type is not routable', () => {
    const target = route(form([], toEvent('gone')), {}, () => false)
    assert.ok(target.action === 'message' && target.message.length > 0)
  })
})

const field = (type: FormField['type'], given: Partial<FormField> = {}): FormField => ({
  id: 'q',
  label: `Your ${type}`,
  type,
  required: false,
  options:
    type === 'select' || type === 'multiselect'
      ? [
          { id: 'tea', label: 'Tea' },
          { id: 'milk', label: 'Milk' },
        ]
      : [],
  ...given,
})

describe('checkFormAnswers', () => {
  const FITTING: Record<FormField['type'], { fits: readonly unknown[]; misfits: readonly unknown[] }> = {
    select: { fits: ['tea', 'milk'], misfits: ['Tea', 'water', 'TEA', 5, true, ['tea'], {}] },
    multiselect: { fits: [['tea'], ['milk', 'tea']], misfits: ['tea', ['Tea'], ['tea', 'rum'], [[]], 5, {}] },
    number: {
      fits: [0, -1.5, '12', ' 7 ', '1e3'],
      misfits: ['twelve', '1,5', 'Infinity', true, [], [5], {}],
    },
    text: { fits: ['a line'], misfits: ['two\nlines', 'bell\u0007', 5, false, [], {}] },
    email: { fits: ['a@b.example', ' a@b.example '], misfits: ['a@b', 'a\u0007@b.example', 5, [], {}] },
    phone: { fits: ['+49 30 901820'], misfits: ['call me', '123', '+49\n30901820', 4930901820, [], {}] },
    textarea: { fits: ['two\nlines'], misfits: ['bell\u0007', 5, true, [], {}] },
  }
  const check = (asked: FormField, answer: unknown) => checkFormAnswers([asked], { q: answer })
  const namingTheLabel = (error: unknown) =>
    error instanceof Problem && error.code === 'invalid' && error.message.startsWith('"Your ')

  for (const type of FIELD_TYPES) {
    it(`accepts answers of type ${type}, and names the label of others`, () => {
      for (const answer of FITTING[type].fits) check(field(type), answer)
      for (const answer of FITTING[type].misfits) {
        assert.throws(() => check(field(type), answer), namingTheLabel, JSON.stringify(answer))
      }
    })

    it(`accepts no answer of type ${type} unless it is required`, () => {
      for (const blank of [undefined, null, '', ' \n']) {
        check(field(type), blank)
        assert.throws(
          () => check(field(type, { required: true }), blank),
          namingTheLabel,
          JSON.stringify(blank),
        )
      }
      assert.throws(() => checkFormAnswers([field(type, { required: true })], {}), namingTheLabel)
    })
  }

  it('accepts text up to 5,000 characters', () => {
    for (const type of ['text', 'textarea'] as const) {
      check(field(type), 'a'.repeat(5000))
      assert.throws(() => check(field(type), 'a'.repeat(5001)), namingTheLabel)
    }
  })

  it('ignores unknown ids', () => {
    const shortJson = fc.jsonValue().filter((value) => JSON.stringify(value).length <= 200)
    fc.assert(
      fc.property(fc.dictionary(fc.string(), shortJson, { maxKeys: 20 }), ({ q: _, ...unknown }) => {
        checkFormAnswers([field('text', { required: true })], { ...unknown, q: 'here' })
      }),
    )
  })

  it('ignores inherited properties', () => {
    for (const id of ['constructor', 'toString', '__proto__']) {
      assert.throws(() => checkFormAnswers([field('text', { id, required: true })], {}), namingTheLabel, id)
      checkFormAnswers([field('text', { id })], {})
    }
  })
})

describe('checkForm', () => {
  type Saved = Omit<RoutingForm, 'id' | 'schedulerId'>
  const form = (given: Partial<Saved> = {}): Saved => ({
    ...FORM_DEFAULTS,
    slug: 'contact',
    name: 'Contact',
    fields: [field('select'), field('text', { id: 't' })],
    rules: [],
    fallback: { action: 'message', message: 'Thanks' },
    ...given,
  })
  const rule = (condition: Condition, target: Target = { action: 'message', message: 'Here' }): Rule => ({
    when: condition,
    target,
  })
  const refused = (given: Partial<Saved>, reason: RegExp) =>
    assert.throws(
      () => checkForm(form(given)),
      (error) => error instanceof Problem && error.code === 'invalid' && reason.test(error.message),
      JSON.stringify(given),
    )
  const nested = (depth: number): Condition => (depth === 1 ? when('isEmpty') : { all: [nested(depth - 1)] })

  it('accepts every operator', () => {
    checkForm(
      form({
        rules: TEXT_OPERATORS.map((operator) =>
          rule({
            field: 't',
            operator,
            ...(operator === 'isAnyOf' ? { value: ['a'] } : !operator.endsWith('mpty') && { value: 'a' }),
          }),
        ),
      }),
    )
  })

  it('refuses bad slugs and blank names', () => {
    refused({ slug: 'Contact us' }, /slug/)
    refused({ name: ' ' }, /name/)
  })

  it('refuses fields with duplicate ids, blank labels or no options', () => {
    refused({ fields: [field('text'), field('email')] }, /id "q"/)
    refused({ fields: [field('text', { label: '' })] }, /label/)
    refused({ fields: [field('select', { options: [] })] }, /at least one option/)
    const twice = { id: 'tea', label: 'Tea' }
    refused({ fields: [field('select', { options: [twice, twice] })] }, /same id/)
  })

  it('refuses rules about unknown fields and options', () => {
    refused({ rules: [rule({ field: 'nope', operator: 'isEmpty' })] }, /nope/)
    refused({ rules: [rule({ any: [{ all: [{ field: 'nope', operator: 'isEmpty' }] }] })] }, /nope/)
    for (const operator of ['equals', 'notEquals'] as const) {
      refused({ rules: [rule(when(operator, 'water'))] }, /water/)
    }
    refused({ rules: [rule(when('isAnyOf', ['tea', 'water']))] }, /water/)
    checkForm(form({ rules: [rule(when('isAnyOf', ['tea', 'milk']))] }))
  })

  it('refuses comparing with nothing, or with a list where one is wanted', () => {
    const about = (operator: Operator, value?: Leaf['value']) =>
      rule({ ...when(operator, value), field: 't' })
    refused({ rules: [about('equals')] }, /something to compare with/)
    refused({ rules: [about('isAnyOf', [])] }, /something to compare with/)
    refused({ rules: [about('contains', ['a'])] }, /“is one of”/)
  })

  it('refuses trees deeper than eight', () => {
    checkForm(form({ rules: [rule(nested(8))] }))
    refused({ rules: [rule(nested(9))] }, /deep/)
  })

  it('refuses incomplete and unsafe targets', () => {
    const redirect = (url: string): Target => ({ action: 'redirect', url })
    for (const url of [
      'javascript:alert(1)',
      'http://example.com',
      '/relative',
      '',
      'https://exa\nmple.com',
    ]) {
      refused({ fallback: redirect(url) }, /cannot be sent to/)
      refused({ rules: [rule({ all: [] }, redirect(url))] }, /cannot be sent to/)
    }
    for (const url of [
      'https://example.com/',
      'http://localhost:3000/',
      'http://127.0.0.1/',
      'http://[::1]/',
    ]) {
      checkForm(form({ fallback: redirect(url) }))
    }
    refused({ fallback: { action: 'message', message: ' ' } }, /must not be empty/)
  })
})
