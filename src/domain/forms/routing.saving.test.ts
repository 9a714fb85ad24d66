import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Problem } from '../problem.ts'
import {
  type Answers,
  checkForm,
  eventTypesOf,
  FORM_DEFAULTS,
  type FormContent,
  route,
  TEXT_OPERATORS,
} from './routing.ts'

const SELECT = {
  id: 'drink',
  label: 'What will you drink?',
  type: 'select',
  required: true,
  options: [
    { id: 'tea', label: 'Tea' },
    { id: 'milk', label: 'Milk' },
  ],
}
const TEXT = { id: 'name', label: 'Your name', type: 'text', required: false, options: [] }
const THANKS = { action: 'message', message: 'Thanks' }

/** A form as it may come in: with anything at all in its places. */
const formOf = (given: Record<string, unknown> = {}) =>
  ({
    slug: 'contact',
    name: 'Contact',
    description: null,
    fields: [SELECT, TEXT],
    rules: [],
    fallback: THANKS,
    abuse: FORM_DEFAULTS.abuse,
    tests: [],
    keepPersonalDataDays: null,
    ...given,
  }) as unknown as FormContent

const refused = (given: Record<string, unknown>, reason: RegExp) =>
  assert.throws(
    () => checkForm(formOf(given)),
    (error) => error instanceof Problem && error.code === 'invalid' && reason.test(error.message),
    JSON.stringify(given),
  )

const withRule = (when: unknown, target: unknown = THANKS) => ({ rules: [{ when, target }] })

describe('checkForm, given untrusted input', () => {
  it('refuses values that are not conditions', () => {
    for (const when of [undefined, null, 5, 'all', true, [], {}, { operator: 'equals', value: 'x' }]) {
      refused(withRule(when), /about one field, or it is a group: all or any/)
    }
  })

  it('refuses ambiguous conditions', () => {
    refused(withRule({ all: [], any: [] }), /one field, or it is a group/)
    refused(withRule({ field: 'name', operator: 'isEmpty', all: [] }), /one field, or it is a group/)
    refused(withRule({ all: [{ any: [{ field: 'name', any: [] }] }] }), /one field, or it is a group/)
  })

  it('refuses an all or any that is not a list', () => {
    for (const list of [undefined, null, 'x', 5, {}, { length: 1, 0: { field: 'name' } }]) {
      refused(withRule({ all: list }), /all must be a list/)
      refused(withRule({ any: list }), /any must be a list/)
    }
  })

  it('refuses an empty any, and accepts an empty all', () => {
    refused(withRule({ any: [] }), /at least one condition/)
    refused(withRule({ all: [{ any: [] }] }), /at least one condition/)
    checkForm(formOf(withRule({ all: [] })))
  })

  it('refuses unknown operators, and lists the known ones', () => {
    for (const operator of [
      undefined,
      null,
      '',
      'Equals',
      'matches',
      'toString',
      '__proto__',
      5,
      ['equals'],
    ]) {
      refused(withRule({ field: 'name', operator, value: 'x' }), /“is”, “is not”, .*“is one of”/)
    }
  })

  it('refuses unknown fields of any name', () => {
    for (const field of [undefined, null, '', 5, ['name'], 'toString', '__proto__', 'nope']) {
      refused(withRule({ field, operator: 'isEmpty' }), /which is not a field/)
    }
  })

  it('refuses to compare with anything but text', () => {
    for (const value of [5, true, {}, { length: 1 }]) {
      refused(withRule({ field: 'name', operator: 'equals', value }), /compares with text/)
      refused(withRule({ field: 'name', operator: 'isAnyOf', value: ['x', value] }), /compares with text/)
    }
    refused(withRule({ field: 'name', operator: 'equals', value: 'x'.repeat(5001) }), /5000/)
    refused(withRule({ field: 'name', operator: 'equals', value: 'a\u0000b' }), /compares with text/)
    refused(withRule({ field: 'name', operator: 'equals', value: '\ud800' }), /compares with text/)
  })

  it('refuses to compare with blank text, which everything contains', () => {
    for (const operator of TEXT_OPERATORS.filter((one) => !one.endsWith('mpty') && one !== 'isAnyOf')) {
      for (const value of [undefined, null, '', ' \t']) {
        refused(withRule({ field: 'name', operator, value }), /needs something to compare with/)
      }
    }
    refused(
      withRule({ field: 'name', operator: 'isAnyOf', value: ['a', ' '] }),
      /needs something to compare with/,
    )
  })

  it('requires a list for isAnyOf only', () => {
    refused(withRule({ field: 'drink', operator: 'isAnyOf', value: 'tea' }), /“is one of” takes a list/)
    refused(withRule({ field: 'name', operator: 'startsWith', value: ['a'] }), /Only “is one of”/)
    const many = Array.from({ length: 201 }, (_, i) => `v${i}`)
    refused(withRule({ field: 'name', operator: 'isAnyOf', value: many }), /at most 200/)
  })

  it('compares numbers with numbers, and several choices with options', () => {
    const number = { ...TEXT, id: 'size', type: 'number' }
    const several = { ...SELECT, id: 'drinks', type: 'multiselect' }
    const withFields = (when: unknown) => ({ fields: [number, several], ...withRule(when) })
    for (const value of ['5', '', Infinity, true, {}]) {
      refused(withFields({ field: 'size', operator: 'atLeast', value }), /compares with a number/)
    }
    refused(withFields({ field: 'size', operator: 'contains', value: 5 }), /needs an operator: one of “is”/)
    refused(withRule({ field: 'name', operator: 'atLeast', value: 5 }), /needs an operator/)
    refused(withFields({ field: 'drinks', operator: 'equals', value: 'tea' }), /needs an operator/)
    refused(withFields({ field: 'drinks', operator: 'isOnlyOf', value: 'tea' }), /“is only” takes a list/)
    refused(withFields({ field: 'drinks', operator: 'contains', value: 'te' }), /not one of its options/)
    refused({ fields: [{ ...several, options: [] }] }, /at least one option/)
    const { rules } = checkForm(formOf(withFields({ field: 'size', operator: 'equals', value: 5 })))
    assert.deepEqual(rules[0]?.when, { field: 'size', operator: 'equals', value: 5 })
    checkForm(formOf(withFields({ field: 'drinks', operator: 'isOnlyOf', value: ['tea'] })))
  })

  it('requires exact option ids', () => {
    for (const value of ['TEA', ' tea', 'Tea', 'water', 'toString']) {
      refused(withRule({ field: 'drink', operator: 'equals', value }), /not one of its options/)
    }
  })

  it('refuses incomplete targets', () => {
    const reasons: [unknown, RegExp][] = [
      [undefined, /action must be one of routeToEvent, redirect, message/],
      [null, /action must be one of routeToEvent, redirect, message/],
      ['message', /action must be one of routeToEvent, redirect, message/],
      [[], /action must be one of routeToEvent, redirect, message/],
      [{}, /action must be one of routeToEvent, redirect, message/],
      [{ action: 'explode' }, /action must be one of routeToEvent, redirect, message/],
      [{ action: 'routeToEvent' }, /Choose one of the owner’s event types/],
      [{ action: 'routeToEvent', eventTypeId: null }, /Choose one of the owner’s event types/],
      [{ action: 'redirect' }, /address/],
      [{ action: 'redirect', url: 5 }, /address/],
      [{ action: 'message' }, /message must not be empty/],
      [{ action: 'message', message: 5 }, /message must not be empty/],
      [{ action: 'message', message: 'ding\u0007' }, /control characters/],
    ]
    for (const [target, reason] of reasons) {
      refused({ fallback: target }, reason)
      refused({ rules: [{ when: { all: [] }, target }] }, reason)
    }
  })

  it('refuses redirects that are not valid https addresses', () => {
    for (const url of [
      'http://example.com/',
      'ftp://example.com/',
      'javascript:alert(1)',
      'data:text/html,x',
      'java\nscript:alert(1)',
      '//example.com/',
      'https:example.com',
      'https://',
      'https://exa\tmple.com/',
      'https://example.com/\r\nx: y',
      'http://localhost.example.com/',
      'http://127.0.0.1.example.com/',
      'http://localhost@example.com/',
      ' https://example.com/',
    ]) {
      refused({ fallback: { action: 'redirect', url } }, /cannot be sent to/)
    }
  })

  it('refuses invalid ids of fields and options', () => {
    for (const id of ['', 'a b', 'a.b', 'ä', 'a/b', '__proto__', 'x'.repeat(65), 'a\n']) {
      refused({ fields: [{ ...TEXT, id }] }, /fields\.0\.id must be 1 to 64 letters/)
      refused(
        { fields: [{ ...SELECT, options: [{ id, label: 'X' }] }] },
        /fields\.0\.options\.0\.id must be 1 to 64 letters/,
      )
    }
    for (const id of ['A', '0', '-', '_', 'Reason_for-2', 'x'.repeat(64)]) {
      checkForm(formOf({ fields: [{ ...SELECT, id, options: [{ id, label: 'X' }] }] }))
    }
  })

  it('refuses options that rules could not tell apart', () => {
    const options = [
      { id: 'tea', label: 'Tea' },
      { id: 'TEA', label: 'Strong tea' },
    ]
    refused({ fields: [{ ...SELECT, options }] }, /same id/)
  })

  it('refuses options of other field types', () => {
    refused({ fields: [{ ...TEXT, options: SELECT.options }] }, /cannot have options/)
  })

  it('refuses names and labels that are blank, broken or longer than a line', () => {
    for (const text of ['', ' ', 'two\nlines', 'nul\u0000', 'half \ud83d']) {
      refused({ name: text }, /name/)
      refused({ fields: [{ ...TEXT, label: text }] }, /label/)
      refused({ fields: [{ ...SELECT, options: [{ id: 'x', label: text }] }] }, /label/)
    }
    refused({ description: 'nul\u0000' }, /description/)
    checkForm(formOf({ description: 'two\nlines' }))
  })

  it('refuses unknown properties of conditions', () => {
    const tea = { field: 'drink', operator: 'equals', value: 'tea' }
    const whens = [{ ...tea, vlaue: 'x' }, { all: [{ any: [tea], evil: true }] }, { all: [tea], evil: true }]
    for (const when of whens) {
      refused({ fields: [SELECT], rules: [{ when, target: THANKS }] }, /Unknown field "rules\.0\.when\./)
    }
  })

  it('drops other unknown properties', () => {
    const noise = { evil: true, schedulerId: 'someone' }
    const tea = { field: 'drink', operator: 'equals', value: 'tea' }
    const given = formOf({
      ...noise,
      fields: [{ ...SELECT, ...noise, options: SELECT.options.map((option) => ({ ...option, ...noise })) }],
      rules: [
        {
          ...noise,
          when: { all: [{ any: [tea] }] },
          target: { action: 'redirect', url: 'https://example.com/', message: 'x', ...noise },
        },
        { when: { field: 'drink', operator: 'isEmpty', value: 'tea' }, target: THANKS },
      ],
      fallback: { ...THANKS, url: 'javascript:alert(1)', ...noise },
      abuse: { ...FORM_DEFAULTS.abuse, ...noise },
      tests: [
        {
          name: 'One',
          answers: { drink: 'tea' },
          expect: { ...THANKS, ...noise },
          ...noise,
        },
      ],
    })
    assert.deepEqual(checkForm(given), {
      slug: 'contact',
      name: 'Contact',
      description: null,
      keepPersonalDataDays: null,
      fields: [SELECT],
      rules: [
        { when: { all: [{ any: [tea] }] }, target: { action: 'redirect', url: 'https://example.com/' } },
        { when: { field: 'drink', operator: 'isEmpty' }, target: THANKS },
      ],
      fallback: THANKS,
      abuse: FORM_DEFAULTS.abuse,
      tests: [{ name: 'One', answers: { drink: 'tea' }, expect: THANKS }],
    })
  })

  it('either refuses a rule or can apply it to any answers', () => {
    const json = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom('name', 'drink', 'tea', ...TEXT_OPERATORS),
        fc.record(
          {
            all: fc.array(tie('any'), { maxLength: 2 }),
            any: fc.array(tie('any'), { maxLength: 2 }),
            field: fc.constantFrom('name', 'drink', 'nope'),
            operator: fc.constantFrom(...TEXT_OPERATORS, 'nope'),
            value: tie('any'),
          },
          { requiredKeys: [] },
        ),
      ),
    })).any
    const answers = fc.dictionary(fc.constantFrom('name', 'drink', 'x'), fc.jsonValue({ maxDepth: 1 }))
    fc.assert(
      fc.property(json, answers, (when, given) => {
        let form: FormContent
        try {
          form = checkForm(formOf(withRule(when)))
        } catch (error) {
          assert.ok(error instanceof Problem, String(error))
          return
        }
        assert.deepEqual(checkForm(form), form)
        assert.equal(route(form, given as Answers, () => true).action, 'message')
      }),
      { numRuns: 2000 },
    )
  })
})

describe('eventTypesOf', () => {
  it('returns the event types of rules and fallback', () => {
    const { rules, fallback } = checkForm(
      formOf({
        rules: [
          { when: { all: [] }, target: { action: 'routeToEvent', eventTypeId: 'one' } },
          { when: { all: [] }, target: THANKS },
        ],
        fallback: { action: 'routeToEvent', eventTypeId: 'two' },
      }),
    )
    assert.deepEqual(eventTypesOf({ rules, fallback }), ['one', 'two'])
  })
})
