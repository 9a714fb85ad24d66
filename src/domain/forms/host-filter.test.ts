import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Attribute, AttributeValues } from '../people/attributes.ts'
import { Problem } from '../problem.ts'
import { checkFilteredAttributes, refuseBrokenFilters } from './form-attributes.ts'
import {
  checkHostFilter,
  comparableValues,
  compileFilter,
  describeFilter,
  describeMiss,
  type HostFilter,
} from './host-filter.ts'
import { checkForm, FORM_DEFAULTS, type FormContent } from './routing.ts'

const ATTRIBUTES: Attribute[] = [
  { key: 'region', label: 'Region', type: 'one', options: ['EMEA', 'APAC'] },
  { key: 'languages', label: 'Languages', type: 'many', options: ['de', 'en', 'fr'] },
  { key: 'product', label: 'Product', type: 'text', options: [] },
]
const FIELDS = new Set(['where', 'what'])

const passes = (filter: HostFilter, values: AttributeValues, answers: Record<string, unknown> = {}) =>
  compileFilter(filter, (id) => answers[id])(comparableValues(values))

const refusedAt = (work: () => unknown, field: string | undefined, message: RegExp, code = 'invalid') =>
  assert.throws(work, (error) => {
    assert.ok(error instanceof Problem, String(error))
    assert.deepEqual([error.code, error.field], [code, field])
    assert.match(error.message, message)
    return true
  })

describe('compileFilter', () => {
  const ada = { region: 'EMEA', languages: ['de', 'en'], product: 'Warehouse Suite' }

  it('compares text and single options as a whole, without case', () => {
    assert.ok(passes({ attribute: 'region', is: ' emea ' }, ada))
    assert.ok(!passes({ attribute: 'region', is: 'APAC' }, ada))
    assert.ok(!passes({ attribute: 'product', is: 'Warehouse' }, ada))
    assert.ok(passes({ attribute: 'region', isAnyOf: ['APAC', 'Emea'] }, ada))
    assert.ok(!passes({ attribute: 'region', isNot: 'emea' }, ada))
    assert.ok(passes({ attribute: 'region', isNot: 'APAC' }, ada))
  })

  it('finds parts of text, and options among several', () => {
    assert.ok(passes({ attribute: 'product', contains: 'SUITE' }, ada))
    assert.ok(passes({ attribute: 'languages', contains: 'DE' }, ada))
    assert.ok(!passes({ attribute: 'languages', contains: 'd' }, ada))
    assert.ok(passes({ attribute: 'languages', isAnyOf: ['fr', 'en'] }, ada))
    assert.ok(!passes({ attribute: 'languages', isAnyOf: ['fr'] }, ada))
  })

  it('lets only isNot pass for what is not set', () => {
    for (const attribute of ['region', 'languages', 'product', 'toString']) {
      assert.ok(passes({ attribute, isNot: 'x' }, {}))
      assert.ok(!passes({ attribute, is: 'x' }, {}))
      assert.ok(!passes({ attribute, isAnyOf: ['x'] }, {}))
      assert.ok(!passes({ attribute, contains: 'x' }, {}))
    }
  })

  it('fills in answers, and an answer that is missing equals nothing', () => {
    const answer = { answerOf: 'where' }
    assert.ok(passes({ attribute: 'region', is: answer }, ada, { where: 'emea' }))
    assert.ok(passes({ attribute: 'region', isAnyOf: ['APAC', answer] }, ada, { where: 'emea' }))
    for (const where of [undefined, '', ' ', 5, null]) {
      assert.ok(!passes({ attribute: 'region', is: answer }, ada, { where }))
      assert.ok(!passes({ attribute: 'product', contains: answer }, ada, { where }))
      assert.ok(!passes({ attribute: 'languages', isAnyOf: [answer] }, ada, { where }))
      assert.ok(passes({ attribute: 'region', isNot: answer }, ada, { where }))
    }
  })

  it('combines comparisons', () => {
    const inEmea: HostFilter = { attribute: 'region', is: 'EMEA' }
    const french: HostFilter = { attribute: 'languages', contains: 'fr' }
    assert.ok(!passes({ all: [inEmea, french] }, ada))
    assert.ok(passes({ any: [french, inEmea] }, ada))
    assert.ok(passes({ all: [inEmea, { any: [french, { attribute: 'product', contains: 'ware' }] }] }, ada))
  })
})

describe('checkHostFilter', () => {
  const cases: [unknown, string, RegExp][] = [
    [{}, '', /one attribute, or it is a group/],
    [[], '', /one attribute, or it is a group/],
    [{ all: [], any: [] }, '', /one attribute, or it is a group/],
    [{ all: [] }, '.all', /at least one condition/],
    [{ any: 'x' }, '.any', /at least one condition/],
    [{ all: [{ attribute: 'a', is: 'x' }], note: 1 }, '.note', /Unknown field/],
    [{ attribute: 5, is: 'x' }, '.attribute', /key of an attribute/],
    [{ attribute: 'a' }, '', /has one of “is”, “is not”/],
    [{ attribute: 'a', is: 'x', isNot: 'y' }, '', /has one of/],
    [{ attribute: 'a', equals: 'x' }, '.equals', /Unknown field/],
    [{ attribute: 'a', is: ' ' }, '.is', /1 to 200 characters/],
    [{ attribute: 'a', is: 'a\0' }, '.is', /1 to 200 characters/],
    [{ attribute: 'a', is: ['x'] }, '.is', /text, or with the answer/],
    [{ attribute: 'a', isAnyOf: 'x' }, '.isAnyOf', /takes a list/],
    [{ attribute: 'a', isAnyOf: ['x', 5] }, '.isAnyOf.1', /text, or with the answer/],
    [
      { all: [{ attribute: 'a', is: { answerOf: 'gone' } }] },
      '.all.0.is.answerOf',
      /"gone", which is not a field/,
    ],
    [{ attribute: 'a', is: { answerOf: 'where', or: 'x' } }, '.is.or', /Unknown field/],
  ]

  it('names the place that is wrong', () => {
    for (const [given, place, message] of cases) {
      refusedAt(() => checkHostFilter(given, FIELDS, 'hosts'), `hosts${place}`, message)
    }
  })

  it('keeps what is right, and limits depth', () => {
    const filter: HostFilter = {
      any: [
        { all: [{ attribute: 'region', is: { answerOf: 'where' } }] },
        { attribute: 'a', isAnyOf: ['x'] },
      ],
    }
    assert.deepEqual(checkHostFilter(filter, FIELDS, 'hosts'), filter)
    let deep: unknown = { attribute: 'a', is: 'x' }
    for (let depth = 0; depth < 8; depth++) deep = { all: [deep] }
    assert.throws(() => checkHostFilter(deep, FIELDS, 'hosts'), /at most 8 deep/)
  })
})

describe('host filters of a form', () => {
  const formOf = (hosts: unknown) =>
    checkForm({
      ...FORM_DEFAULTS,
      slug: 'contact',
      name: 'Contact',
      fields: [{ id: 'where', label: 'Where', type: 'text', required: false, options: [] }],
      rules: [{ when: { all: [] }, target: { action: 'routeToEvent', eventTypeId: 'x', hosts } }],
      fallback: { action: 'message', message: 'Thanks' },
    } as FormContent)

  it('fit the team’s attributes', () => {
    const check = (hosts: HostFilter) => checkFilteredAttributes(formOf(hosts), ATTRIBUTES)
    check({
      all: [
        { attribute: 'region', is: 'emea' },
        { attribute: 'product', contains: 'x' },
      ],
    })
    check({ attribute: 'languages', isAnyOf: ['de', { answerOf: 'where' }] })
    const at = 'rules.0.target.hosts'
    refusedAt(
      () => check({ attribute: 'colour', is: 'x' }),
      `${at}.attribute`,
      /"colour" is not an attribute/,
    )
    refusedAt(
      () => check({ attribute: 'languages', is: 'de' }),
      `${at}.is`,
      /“contains”, “is one of”, not by “is”/,
    )
    refusedAt(
      () => check({ any: [{ attribute: 'region', contains: 'E' }] }),
      `${at}.any.0.contains`,
      /not by “contains”/,
    )
    refusedAt(
      () => check({ attribute: 'region', isAnyOf: ['EMEA', 'LATAM'] }),
      `${at}.isAnyOf.1`,
      /not an option/,
    )
    refusedAt(() => formOf({ attribute: 'a', is: { answerOf: 'gone' } }), `${at}.is.answerOf`, /not a field/)
  })

  it('hold the attributes that they need', () => {
    const form = formOf({ attribute: 'region', is: 'EMEA' })
    refuseBrokenFilters(ATTRIBUTES, [form])
    const refused = (after: Attribute[]) =>
      refusedAt(
        () => refuseBrokenFilters(after, [form]),
        undefined,
        /^The form "Contact" chooses hosts/,
        'in_use',
      )
    refused([])
    refused([{ key: 'region', label: 'Region', type: 'many', options: ['EMEA'] }])
    refused([{ key: 'region', label: 'Region', type: 'one', options: ['APAC'] }])
  })
})

describe('in words', () => {
  const answerTo = (id: string) => ({ where: 'apac' })[id]
  const filter: HostFilter = {
    all: [
      { attribute: 'region', is: { answerOf: 'where' } },
      {
        any: [
          { attribute: 'languages', contains: 'de' },
          { attribute: 'product', isNot: 'x' },
        ],
      },
    ],
  }

  it('a filter is a sentence', () => {
    const sentence = describeFilter(filter, answerTo, ATTRIBUTES)
    assert.equal(sentence, 'Region is "apac" and (Languages contains "de" or Product is not "x").')
    const long = { all: Array.from({ length: 30 }, () => filter) }
    assert.ok(describeFilter(long, answerTo, ATTRIBUTES).length <= 201)
  })

  it('a miss names what kept a host out', () => {
    const why = (values: AttributeValues, given: HostFilter = filter) =>
      describeMiss(given, answerTo, values, ATTRIBUTES)
    assert.equal(why({ region: 'EMEA' }), '"Region" is "EMEA", not "apac".')
    assert.equal(why({}), '"Region" is not set, not "apac".')
    assert.equal(
      why({ region: 'APAC', product: 'X', languages: ['en', 'fr'] }),
      'No alternative fits. The first: "Languages" is "en", "fr", which does not contain "de".',
    )
    assert.equal(why({ region: 'APAC' }), undefined)
    assert.equal(
      why({ region: 'APAC' }, { attribute: 'region', is: { answerOf: 'gone' } }),
      '"Region" is "APAC", not an answer that was not given.',
    )
  })
})
