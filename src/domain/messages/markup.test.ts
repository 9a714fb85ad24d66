import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { nastyText } from '../../../test/nasty-text.ts'
import { messageHtml } from '../../format/message-body.ts'
import { plainText, readMarkup } from './markup.ts'
import { type Fill, fillTemplate, parseTemplate } from './template.ts'

const read = (source: string, values: Readonly<Record<string, string>> = {}) => {
  const fill: Fill = (name) => {
    const text = values[name] ?? ''
    return { text, url: name.startsWith('link.') ? text : '' }
  }
  return readMarkup(fillTemplate(parseTemplate(source).parts, fill))
}
const htmlOf = (source: string, values?: Readonly<Record<string, string>>) =>
  messageHtml(read(source, values), '#000000').html.replaceAll(/ (?:style|class|dir)="[^"]*"/g, '')
const textOf = (source: string, values?: Readonly<Record<string, string>>) => plainText(read(source, values))

describe('the markup of a message', () => {
  it('has paragraphs, emphasis, lists and links', () => {
    const source = 'Hi **you** and *me* and _us_\nagain\n\n- one\n- [two](https://example.org)\n\n1. a\n2. b'
    assert.equal(
      htmlOf(source),
      '<p>Hi <strong>you</strong> and <em>me</em> and <em>us</em><br>again</p>\n<ul><li>one</li><li><a href="https://example.org">two</a></li></ul>\n<ol><li>a</li><li>b</li></ol>\n',
    )
    assert.equal(
      textOf(source),
      'Hi you and me and us\nagain\n\n- one\n- two (https://example.org)\n\n1. a\n2. b',
    )
  })

  it('leaves words with underscores and lone stars alone', () => {
    assert.equal(htmlOf('a_b_c 2 * 3 * 4'), '<p>a_b_c 2 * 3 * 4</p>\n')
  })

  it('links to its own pages', () => {
    const values = { 'link.join': 'https://meet.example/1' }
    assert.equal(
      htmlOf('[Join]({{link.join}}) {{link.join}}', values),
      '<p><a href="https://meet.example/1">Join</a> <a href="https://meet.example/1">https://meet.example/1</a></p>\n',
    )
    assert.equal(htmlOf('[Join]({{link.join}})'), '<p>Join</p>\n')
  })

  it('drops a line that has only empty values', () => {
    assert.equal(textOf('One\n{{location}}\nTwo'), 'One\n\nTwo')
  })

  it('never lets a value become markup, a link or a template', () => {
    const markup = fc.constantFrom(
      '**bold**',
      '[a](https://evil.example)',
      '](https://evil.example)',
      '\n- item',
      '\n\n1. item',
      '*x*',
      '_x_',
      '\uFDD00\uFDD1',
      '{{guest.email}}',
      'https://evil.example',
    )
    const hostile = fc.oneof(
      nastyText,
      fc.array(markup, { maxLength: 5 }).map((parts) => parts.join('')),
    )
    const sources = fc.constantFrom(
      '{{guest.name}}',
      '**{{guest.name}}**',
      '[x]({{guest.name}})',
      '[{{guest.name}}](https://example.org)',
      '- {{guest.name}} *y*',
      '*{{guest.name}}',
      '[{{guest.name}}]({{link.join}}) _{{guest.name}}_',
    )
    const tags = (text: string) => text.match(/<[^>]*>/g) ?? []
    fc.assert(
      fc.property(sources, hostile, (source, value) => {
        fc.pre(value.trim() !== '')
        const known = { 'guest.email': 'leaked@example.org', 'link.join': 'https://meet.example/1' }
        const html = htmlOf(source, { ...known, 'guest.name': value })
        assert.deepEqual(tags(html), tags(htmlOf(source, { ...known, 'guest.name': 'Grace' })))
        assert.ok(!html.includes('leaked'))
      }),
    )
  })
})
