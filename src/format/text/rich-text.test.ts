import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { plainText, richHtml } from './rich-text.ts'

const inside = (text: string) => /^<div class="description rich">(.*)<\/div>$/s.exec(richHtml(text).html)?.[1]
const link = (url: string, text: string) =>
  `<a class="link" href="${url}" rel="noreferrer nofollow" target="_blank">${text}</a>`

describe('rich text', () => {
  it('has paragraphs, lists, bold text and links', () => {
    assert.equal(
      inside(
        'Hello\nthere.\n\n- **Bring** tea\n- See [our guide](https://example.com/a?b=1&c)\n1. One\n2) Two',
      ),
      `<p>Hello<br>there.</p><ul><li><strong>Bring</strong> tea</li><li>See ${link(
        'https://example.com/a?b=1&amp;c',
        'our guide',
      )}</li></ul><ol><li>One</li><li>Two</li></ol>`,
    )
    assert.equal(
      inside('At https://example.com/x.'),
      `<p>At ${link('https://example.com/x', 'https://example.com/x')}.</p>`,
    )
    assert.equal(
      inside('[Write](mailto:ada@example.com)'),
      `<p>${link('mailto:ada@example.com', 'Write')}</p>`,
    )
  })

  it('leaves everything else as it was typed', () => {
    for (const text of [
      '2 * 3 * 4',
      '-5 degrees',
      '[x](javascript:alert(1))',
      '# Title',
      '**',
      '`code`',
      '[a]',
    ]) {
      assert.equal(inside(text), `<p>${text}</p>`)
    }
    assert.equal(inside('<script>alert(1)</script>'), '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
  })

  it('is plain where a link cannot be', () => {
    assert.equal(
      plainText('**Bold** [guide](https://example.com)\n\n- one\n- two'),
      'Bold guide\n• one\n• two',
    )
  })

  it('never becomes anything but these elements, with safe links', () => {
    const pieces = fc.constantFrom(
      '**',
      '[',
      ']',
      '(',
      ')',
      'https://a',
      'javascript:',
      '<b>',
      '"',
      "'",
      '&',
      '\n',
      '- ',
      '1. ',
      'x',
      ' ',
      'mailto:',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const check = (node: DefaultTreeAdapterTypes.Node): void => {
          if ('tagName' in node) {
            assert.ok(
              ['div', 'p', 'br', 'ul', 'ol', 'li', 'strong', 'a'].includes(node.tagName),
              node.tagName,
            )
            const href = node.attrs.find(({ name }) => name === 'href')?.value
            if (node.tagName === 'a') assert.match(href ?? '', /^(?:https?:\/\/|mailto:)/i)
          }
          if ('childNodes' in node) node.childNodes.forEach(check)
        }
        check(parseFragment(richHtml(parts.join('')).html))
      }),
    )
  })
})
