import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { marked, type Token, type Tokens } from 'marked'
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { nastyText } from '../../../test/nasty-text.ts'
import { code, codeBlock, markdown, quotation } from './markdown.ts'
import { printableLine, printableProse } from './printable.ts'

const MARKS = [
  '# Heading',
  '## ',
  '- item',
  '+ item',
  '* item',
  '1. item',
  '2) item',
  '---',
  '***',
  '===',
  '> quote',
  '    code',
  '\tcode',
  '```js',
  '~~~',
  '`code`',
  '``',
  '**bold**',
  '__bold__',
  '_em_',
  '~~gone~~',
  '[link](https://evil.example)',
  '![image](https://evil.example/i.png)',
  '[ref]: https://evil.example',
  '[ref]',
  '<https://evil.example>',
  'https://evil.example',
  'www.evil.example',
  'someone@evil.example',
  'mailto:someone@evil.example',
  '<b>',
  '<!--',
  '-->',
  '<script>',
  '&amp;',
  '&#60;b&#62;',
  '| a | b |',
  '|---|---|',
  '\\',
  '\\[',
  ' ',
  '  ',
  '\n',
  '\n\n',
  '[^1]',
  '- [ ] task',
  '{.class}',
  'a:b',
  '\u200b',
  '\u{e0041}',
]

/** What a host might type to write the rest of the document. */
const typed = fc.oneof(
  nastyText,
  fc.array(fc.constantFrom(...MARKS), { maxLength: 12 }).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...MARKS), { maxLength: 12 }).map((parts) => parts.join('\n')),
)

/** The types of all that a document is made of, but for words. */
function shapeOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    if (token.type === 'escape' || token.type === 'space' || (token.type === 'text' && !('tokens' in token)))
      return []
    const inside = [...((token as Tokens.Generic).tokens ?? []), ...((token as Tokens.List).items ?? [])]
    return [`${token.type}(`, ...shapeOf(inside), ')']
  })
}

/** The text of a document as a browser shows it. */
function wordsOf(text: string): string {
  const visit = (node: DefaultTreeAdapterTypes.Node): string => {
    if ('value' in node) return node.value
    return 'childNodes' in node ? node.childNodes.map(visit).join('') : ''
  }
  return visit(parseFragment(marked.parse(text, { async: false }))).trim()
}

const plain = (text: string) => text.replaceAll(/[\u200b\u2060\ufeff\u{e0000}-\u{e007f}]/gu, '').trim()

describe('Markdown', () => {
  it('keeps values plain text in headings, lists and paragraphs', () => {
    const page = (text: string) =>
      markdown`# ${text}\n\n${text}\n\n- ${text}\n- **${text}** and ${text}\n\n## End`.markdown
    const expected = shapeOf(marked.lexer(page('word')))
    fc.assert(
      fc.property(typed, (text) => {
        // Nothing at all is another shape, and never stands alone in a line of ours.
        fc.pre(plain(printableLine(text)) !== '')
        assert.deepEqual(shapeOf(marked.lexer(page(`a ${text}`))), expected)
        assert.deepEqual(shapeOf(marked.lexer(page(text))), expected)
      }),
      { numRuns: 2000 },
    )
  })

  it('renders exactly the typed text', () => {
    fc.assert(
      fc.property(typed, (text) => {
        const line = plain(printableLine(text))
        fc.pre(line !== '')
        assert.equal(wordsOf(markdown`${text}`.markdown), line)
      }),
      { numRuns: 1000 },
    )
  })

  it('quotes any number of lines, and all of them', () => {
    fc.assert(
      fc.property(typed, (prose) => {
        fc.pre(plain(printableProse(prose)) !== '')
        const tokens = marked.lexer(`# Begin\n\n${quotation(prose).markdown}\n\n## End`)
        const blocks = tokens.filter(({ type }) => type !== 'space')
        assert.deepEqual(
          blocks.map(({ type }) => type),
          ['heading', 'blockquote', 'heading'],
        )
        const inside = shapeOf((blocks[1] as Tokens.Blockquote).tokens)
        assert.deepEqual(
          inside.filter((type) => type !== 'paragraph(' && type !== ')'),
          [],
        )
      }),
      { numRuns: 2000 },
    )
  })

  it('lets nothing escape from code', () => {
    fc.assert(
      fc.property(typed, (text) => {
        fc.pre(printableLine(text) !== '')
        const spans = shapeOf(marked.lexer(markdown`x ${code(text)} y`.markdown))
        assert.deepEqual(spans, ['paragraph(', 'codespan(', ')', ')'])
        const block = codeBlock('json', JSON.stringify({ text }, null, 2)).markdown
        assert.deepEqual(shapeOf(marked.lexer(`${block}\n\nEnd`)), ['code(', ')', 'paragraph(', ')'])
      }),
      { numRuns: 1000 },
    )
  })

  it('leaves ordinary sentences as they are', () => {
    const sentence = 'Half an hour (or so), at 10:30 sharp: "e-mail" me + bring 2.5 questions!'
    assert.equal(markdown`${sentence}`.markdown, sentence)
  })
})
