import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { csvLine, readCsv } from '../../format/text/csv.ts'
import { Problem } from '../problem.ts'
import { say } from '../sentence.ts'
import {
  type Attribute,
  type AttributeValues,
  cellOf,
  changeValues,
  checkAttributes,
  planImport,
  refuseLostValues,
  valueAt,
} from './attributes.ts'

const REGION: Attribute = { key: 'region', label: 'Region', type: 'one', options: ['EMEA', 'APAC'] }
const LANGUAGES: Attribute = {
  key: 'languages',
  label: 'Languages',
  type: 'many',
  options: ['de', 'en', 'fr'],
}
const NOTE: Attribute = { key: 'note', label: 'Note', type: 'text', options: [] }
const ALL = [REGION, LANGUAGES, NOTE]

const refusedAt = (work: () => unknown, field: string | undefined, message: RegExp, code = 'invalid') =>
  assert.throws(work, (error) => {
    assert.ok(error instanceof Problem)
    assert.deepEqual([error.code, error.field], [code, field])
    assert.match(error.message, message)
    return true
  })

describe('checkAttributes', () => {
  it('trims labels and options, and keeps their order', () => {
    const given = { ...REGION, label: ' Region ', options: ['EMEA ', 'APAC'] }
    assert.deepEqual(checkAttributes([given, NOTE]), [REGION, NOTE])
  })

  it('names what is wrong', () => {
    const cases: [Attribute[], string, RegExp][] = [
      [[{ ...NOTE, key: 'a b' }], '0.key', /letters, digits/],
      [[{ ...NOTE, key: '__proto__' }], '0.key', /letters, digits/],
      [[NOTE, { ...NOTE, key: 'Email' }], '1.key', /reserved/],
      [[NOTE, { ...NOTE, key: 'NOTE' }], '1.key', /Two attributes/],
      [[{ ...NOTE, label: ' ' }], '0.label', /empty/],
      [[{ ...NOTE, options: ['x'] }], '0.options', /is text/],
      [[{ ...REGION, options: [] }], '0.options', /at least one option/],
      [[{ ...REGION, options: ['a', 'A '] }], '0.options.1', /twice/],
      [[{ ...LANGUAGES, options: ['a;b'] }], '0.options.0', /semicolon/],
      [[{ ...REGION, options: ['a', '\n'] }], '0.options.1', /empty/],
    ]
    for (const [given, field, message] of cases) refusedAt(() => checkAttributes(given), field, message)
  })
})

describe('changeValues', () => {
  it('changes what is given, clears what is null or empty, and leaves the rest', () => {
    const before = changeValues(
      ALL,
      {},
      { note: ' Knows SAP ', languages: ['FR', 'de', 'fr'], region: 'emea' },
    )
    assert.deepEqual(before, { region: 'EMEA', languages: ['de', 'fr'], note: 'Knows SAP' })
    assert.equal(JSON.stringify(Object.keys(before)), '["region","languages","note"]')
    assert.deepEqual(changeValues(ALL, before, { region: null, languages: [] }), { note: 'Knows SAP' })
    assert.deepEqual(changeValues(ALL, before, { note: ' ' }), { region: 'EMEA', languages: ['de', 'fr'] })
    assert.deepEqual(changeValues(ALL, before, {}), before)
  })

  it('names the attribute that does not fit', () => {
    const cases: [Record<string, unknown>, string, RegExp][] = [
      [{ colour: 'red' }, 'attributes.colour', /not an attribute/],
      [{ toString: 'red' }, 'attributes.toString', /not an attribute/],
      [{ region: 'LATAM' }, 'attributes.region', /"Region" has no option "LATAM".*EMEA, APAC/],
      [{ region: ['EMEA'] }, 'attributes.region', /must be text/],
      [{ languages: 'de' }, 'attributes.languages', /must be a list/],
      [{ languages: ['de', 'xx'] }, 'attributes.languages', /no option "xx"/],
      [{ note: 'two\nlines' }, 'attributes.note', /one line/],
      [{ note: 'x'.repeat(201) }, 'attributes.note', /at most 200/],
    ]
    for (const [given, field, message] of cases) refusedAt(() => changeValues(ALL, {}, given), field, message)
  })
})

describe('refuseLostValues', () => {
  const ada = { name: 'Ada', attributes: { region: 'EMEA', languages: ['de', 'en'], note: 'x' } }
  const ben = { name: 'Ben', attributes: { region: 'APAC', languages: ['en'] } }
  const refused = (after: readonly Attribute[], message: RegExp) =>
    refusedAt(() => refuseLostValues(ALL, after, [ada, ben]), undefined, message, 'in_use')

  it('names the members for whom something is set that would be lost', () => {
    refused([REGION, LANGUAGES], /^"Note" is set for Ada\. .*delete it/)
    refused([REGION, LANGUAGES, { ...NOTE, key: 'remark' }], /^"Note" is set for Ada\./)
    refused([{ ...REGION, type: 'many' }, LANGUAGES, NOTE], /^"Region" is set for Ada, Ben\. .*its type/)
    refused([{ ...REGION, options: ['EMEA'] }, LANGUAGES, NOTE], /^"APAC" \(Region\) is set for Ben\./)
    refused(
      [REGION, { ...LANGUAGES, options: ['de', 'fr'] }, NOTE],
      /^"en" \(Languages\) is set for Ada, Ben\./,
    )
  })

  it('lets go of what is not set, and allows new labels, options and orders', () => {
    const renamed = { ...LANGUAGES, label: 'Speaks', options: ['it', 'en', 'de'] }
    refuseLostValues(ALL, [NOTE, renamed, REGION], [ada, ben])
    refuseLostValues(ALL, [], [{ name: 'Cy', attributes: {} }])
  })

  it('does not list hundreds of names', () => {
    const members = Array.from({ length: 25 }, (_, index) => ({ ...ben, name: `M${index}` }))
    refusedAt(() => refuseLostValues(ALL, [], members), undefined, /M19 and 5 more\./, 'in_use')
  })
})

describe('planImport', () => {
  const ada = {
    userId: '1',
    name: 'Ada',
    email: 'ada@hosts.example',
    attributes: { region: 'EMEA', note: 'x' },
  }
  const ben = { userId: '2', name: 'Ben', email: 'ben@hosts.example', attributes: {} }
  const plan = (csv: string) => planImport(ALL, [ada, ben], readCsv(csv))

  it('says row by row what changes', () => {
    const rows = plan('Email,languages,REGION\nADA@hosts.example,de; fr,\n\nben@hosts.example,,APAC\n')
    assert.deepEqual(
      rows.map(({ row, name, changes, problem }) => ({ row, name, changes, problem })),
      [
        {
          row: 2,
          name: 'Ada',
          changes: [
            { key: 'region', before: 'EMEA', after: null },
            { key: 'languages', before: null, after: ['de', 'fr'] },
          ],
          problem: null,
        },
        { row: 4, name: 'Ben', changes: [{ key: 'region', before: null, after: 'APAC' }], problem: null },
      ],
    )
    assert.deepEqual(rows[0]?.attributes, { languages: ['de', 'fr'], note: 'x' })
  })

  it('says what is wrong with a row, and leaves its member alone', () => {
    const rows = plan(
      'email,region\nada@hosts.example,LATAM\neve@hosts.example,EMEA\nben@hosts.example,APAC\nben@hosts.example,EMEA\nada@hosts.example,EMEA,x',
    )
    assert.deepEqual(
      rows.map(({ row, problem, changes }) => [row, problem && say(problem), changes.length]),
      [
        [2, '"Region" has no option "LATAM". Choose from: EMEA, APAC.', 0],
        [3, 'No member of this team has this email address.', 0],
        [4, null, 1],
        [5, 'Row 4 is about the same member.', 0],
        [6, 'The row has more cells than there are columns.', 0],
      ],
    )
    assert.deepEqual(rows[0]?.attributes, ada.attributes)
  })

  it('refuses columns that are unknown, twice there or missing', () => {
    refusedAt(() => plan('email,colour\n'), undefined, /column "colour".*email, region, languages, note/)
    refusedAt(() => plan('email,note,NOTE\n'), undefined, /two columns/)
    refusedAt(() => plan('region\nEMEA\n'), undefined, /needs a column "email"/)
    refusedAt(() => plan(''), undefined, /needs a column "email"/)
  })

  it('brings back what was written to a file', () => {
    const line = fc.string({ minLength: 1, maxLength: 50 }).map((text) => text.replace(/^'+/, ''))
    const given = fc.record({
      region: fc.constantFrom(...REGION.options, null),
      languages: fc.subarray([...LANGUAGES.options]),
      note: line,
    })
    fc.assert(
      fc.property(given, (record) => {
        const values: AttributeValues = changeValues(ALL, {}, record)
        const cells = ALL.map(({ key }) => cellOf(valueAt(values, key)))
        const csv = csvLine(['email', ...ALL.map(({ key }) => key)]) + csvLine([ada.email, ...cells])
        const [row] = plan(csv)
        assert.deepEqual([row?.problem, row?.attributes], [null, values])
      }),
    )
  })
})
