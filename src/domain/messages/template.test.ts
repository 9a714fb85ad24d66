import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRandom } from '../../../test/seeded-random.ts'
import { say } from '../sentence.ts'
import { readMarkup } from './markup.ts'
import { findErrors, findHoles } from './message.ts'
import { type Fill, fillTemplate, parseTemplate, positionOf } from './template.ts'

const errorsIn = (source: string, on: Parameters<typeof findErrors>[0]['on'] = 'booked') =>
  findErrors({ on, to: 'guest' }, source).map(({ at, reason }) => {
    const { line, column } = positionOf(source, at)
    return `${line}:${column} ${say(reason)}`
  })

const filled = (source: string, values: Readonly<Record<string, string>>) => {
  const fill: Fill = (name) => ({ text: values[name] ?? '', url: '' })
  return fillTemplate(parseTemplate(source).parts, fill)
    .map((piece) => ('own' in piece ? piece.own : piece.value.text))
    .join('')
}

describe('a template', () => {
  it('fills in values', () => {
    assert.equal(filled('Hello {{ guest.name }}!', { 'guest.name': 'Grace' }), 'Hello Grace!')
  })

  it('chooses a part by whether a value is given', () => {
    const source = 'Hello{{#if answers.company}}, {{answers.company}}{{else}} there{{/if}}.'
    assert.equal(filled(source, { 'answers.company': 'Acme' }), 'Hello, Acme.')
    assert.equal(filled(source, {}), 'Hello there.')
  })

  it('never reads a value again', () => {
    const value = '{{guest.email}}{{#if start}}'
    assert.equal(filled('{{guest.name}}', { 'guest.name': value, 'guest.email': 'x' }), value)
  })

  it('says where an error is', () => {
    assert.deepEqual(errorsIn('Dear\nyou {{guest.nmae}}'), ['2:5 There is no value called "guest.nmae".'])
    assert.deepEqual(errorsIn('😀 {{guest'), ['1:3 This {{ has no }} on its line.'])
    assert.deepEqual(errorsIn('{{#if start}}x'), ['1:1 This {{#if}} has no {{/if}}.'])
    assert.deepEqual(errorsIn('x{{/if}}'), ['1:2 There is no {{#if}} before this {{/if}}.'])
    assert.deepEqual(errorsIn('{{else}}'), ['1:1 There is no {{#if}} before this {{else}}.'])
    assert.deepEqual(errorsIn('{{#if start}}{{else}}{{else}}{{/if}}'), [
      '1:22 This {{#if}} has a second {{else}}.',
    ])
    assert.deepEqual(errorsIn('{{#each answers}}'), ['1:1 Only {{#if NAME}} opens a block.'])
    assert.deepEqual(errorsIn('{{constructor}}'), ['1:1 There is no value called "constructor".'])
    assert.deepEqual(errorsIn('{{guest.name | date}}'), [
      '1:1 Only start and end can be written with "| date" or "| time".',
    ])
    assert.deepEqual(errorsIn('{{start | date}} {{end | time}}'), [])
  })

  it('nests at most three deep', () => {
    const nested = (depth: number) => '{{#if start}}'.repeat(depth) + '{{/if}}'.repeat(depth)
    assert.deepEqual(errorsIn(nested(3)), [])
    assert.deepEqual(errorsIn(nested(4)), ['1:40 At most 3 {{#if}} can be inside each other.'])
  })

  it('knows the names of each moment', () => {
    assert.deepEqual(errorsIn('{{reason}}', 'cancelled'), [])
    assert.deepEqual(errorsIn('{{reason}}'), ['1:1 There is no reason in a message of this kind.'])
    assert.deepEqual(errorsIn('{{start}}', 'unbooked'), ['1:1 There is no start in a message of this kind.'])
    assert.deepEqual(errorsIn('{{link.cancel}}', 'unbooked'), [
      '1:1 There is no link.cancel in a message of this kind.',
    ])
    assert.deepEqual(errorsIn('{{answers.any-key_1}}', 'unbooked'), [])
  })

  it('allows links to the web, to mail, and to its own pages alone', () => {
    const bad = 'A link leads to an address with https:, http: or mailto:, or is one of the link values.'
    assert.deepEqual(errorsIn('[a](https://example.org/x_(y)) [b](mailto:a@b.example)'), [])
    assert.deepEqual(errorsIn('[Move]({{ link.reschedule }})'), [])
    assert.deepEqual(errorsIn('x [a](javascript:alert(1))'), [`1:3 ${bad}`])
    assert.deepEqual(errorsIn('[a](data:text/html,x)'), [`1:1 ${bad}`])
    assert.deepEqual(errorsIn('[a](https://example.org/{{guest.name}})').length > 0, true)
    assert.deepEqual(errorsIn('[a]({{guest.name}})'), [`1:1 ${bad}`])
    assert.deepEqual(errorsIn('https://example.org/{{guest.name}}'), [
      '1:21 A value can’t be part of a web address.',
    ])
  })

  it('warns of values that may leave a hole', () => {
    const source = '{{guest.name}} {{answers.company}} {{#if reason}}{{reason}}{{/if}}'
    assert.deepEqual(findHoles(source), [{ at: 15, name: 'answers.company' }])
  })

  it('reads any text without failing, in time that grows with its length', () => {
    const random = seededRandom(30)
    const pieces = [
      '{{',
      '}}',
      '{',
      '}',
      '#if ',
      '/if',
      'else',
      'start',
      '|',
      'date',
      '.',
      '[',
      '](',
      ')',
      '*',
      '_',
      '\n',
      ' ',
      'é',
    ]
    for (let round = 0; round < 500; round++) {
      const source = Array.from({ length: 40 }, () => pieces[Math.floor(random() * pieces.length)]).join('')
      const { parts, errors } = parseTemplate(source)
      for (const { at } of errors) assert.equal(source.slice(at, at + 2), '{{', source)
      if (errors.length === 0) fillTemplate(parts, () => ({ text: 'x', url: '' }))
      errorsIn(source)
    }
    // Each of these would take minutes if its time grew with the square of its length.
    for (const piece of [
      '{{',
      '{{#if start}}',
      '{{a',
      '[',
      '[a](',
      '[a]((',
      '*',
      '_a',
      'https://{',
      '{{/if}}',
      '**a',
      '[a',
      '- x\n',
    ]) {
      findErrors({ on: 'booked', to: 'guest' }, piece.repeat(100_000))
      readMarkup([{ own: piece.repeat(100_000) }])
    }
  })
})
