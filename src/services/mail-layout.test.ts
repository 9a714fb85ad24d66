import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DefaultTreeAdapterTypes, parse, defaultTreeAdapter as tree } from 'parse5'
import { everyKind, sampleHost, sampleLinks } from '../../test/changes.ts'
import { accentOf, contrastOf } from '../format/contrast.ts'
import { composeBookingMail } from './mail/compose.ts'
import { MAIL_COLOURS, type MailContent, writeHtml } from './mail-layout.ts'
import { writeNotice } from './mail-notice.ts'

type Element = DefaultTreeAdapterTypes.Element

/** From this size on, Gmail hides the rest of a mail. */
const CLIPPED = 102 * 1024

const UPLOADED = '/images/019a8f2e-0000-7000-8000-000000000001'
const LONG = 'A long answer, with a bit of <b>markup</b>. '.repeat(100)

function elementsOf(html: string): Element[] {
  const problems: string[] = []
  const page = parse(html, { onParseError: ({ code }) => problems.push(code) })
  assert.deepEqual(problems, [])
  const found: Element[] = []
  const visit = (node: DefaultTreeAdapterTypes.ChildNode) => {
    if (!tree.isElementNode(node)) return
    found.push(node)
    node.childNodes.forEach(visit)
  }
  page.childNodes.forEach(visit)
  return found
}

const attribute = (element: Element, name: string) => element.attrs.find((one) => one.name === name)?.value

function mails(scheduler: { readonly logoUrl?: string; readonly avatarUrl?: string } = {}) {
  const given = { reason: LONG, scheduler, booking: { notes: LONG, customFields: { why: LONG, how: LONG } } }
  const changes = Object.values(everyKind(given))
  const readers = [{ role: 'guest' }, { role: 'host', host: sampleHost() }] as const
  return [
    ...changes.flatMap((change) =>
      readers.map((reader) => composeBookingMail(change, reader, sampleLinks).html),
    ),
    writeNotice({
      to: 'ada@hosts.example',
      locale: 'en',
      kind: 'signIn',
      href: 'https://book.example.com/app',
    }).html,
  ]
}

describe('the layout of mails', () => {
  it('is whole, readable without pictures, and small enough to be shown whole', () => {
    for (const html of mails()) {
      assert.ok(Buffer.byteLength(html) < CLIPPED, `${Buffer.byteLength(html)} bytes`)
      const elements = elementsOf(html)
      const named = (name: string) => elements.filter(({ tagName }) => tagName === name)
      assert.equal(attribute(named('html')[0] as Element, 'lang'), 'en')
      assert.equal(attribute(named('html')[0] as Element, 'dir'), 'ltr')
      assert.deepEqual([named('h1').length, named('img').length, named('b').length], [1, 0, 0])
      // Tables that only place things say so; the others have headings.
      for (const table of named('table')) {
        assert.equal(attribute(table, 'class') === 'rows', attribute(table, 'role') !== 'presentation')
      }
      for (const heading of named('th')) assert.equal(attribute(heading, 'scope'), 'row')
      const links = named('a').map((link) => attribute(link, 'href') ?? '')
      assert.ok(links.length > 0)
      for (const link of links) assert.match(link, /^(?:https:\/\/[a-z]|mailto:)/)
    }
  })

  it('needs no letter beyond ASCII, also for a host’s own words', () => {
    const told = 'Grüße, 世界 👋 <b>'
    const row = { label: told, value: told }
    const content: MailContent = {
      language: 'de',
      brand: { name: told, colour: '#2563eb', imageUrl: '' },
      heading: told,
      lead: told,
      whenLabel: told,
      when: { date: told, time: told, zone: told },
      off: false,
      rows: [row],
      buttons: [{ label: told, href: 'https://book.example.com' }],
      calendars: { label: told, links: [] },
      footer: told,
    }
    const opening = [
      { kind: 'paragraph' as const, lines: [[{ text: told, style: 'plain' as const, url: '' }]] },
    ]
    const written = 'Gr&#252;&#223;e, &#19990;&#30028; &#128075; &lt;b&gt;'
    const timesIn = (html: string) => {
      assert.doesNotMatch(html, /[^\n\x20-\x7e]/)
      return html.split(written).length - 1
    }
    assert.equal(timesIn(writeHtml(content)), 13)
    assert.equal(timesIn(writeHtml({ ...content, opening })), 12)
  })

  it('shows the host’s uploaded picture, and never one from another server', () => {
    const pictures = (scheduler: Parameters<typeof mails>[0]) =>
      elementsOf(mails(scheduler)[0] ?? '').filter(({ tagName }) => tagName === 'img')
    for (const scheduler of [
      { logoUrl: UPLOADED },
      { avatarUrl: UPLOADED },
      { logoUrl: 'https://cdn.example/logo.png', avatarUrl: UPLOADED },
    ]) {
      const [picture, ...more] = pictures(scheduler)
      assert.ok(picture && more.length === 0)
      assert.equal(attribute(picture, 'src'), `https://book.example.com${UPLOADED}`)
      assert.equal(attribute(picture, 'alt'), '', 'the name is next to it')
    }
    for (const logoUrl of ['https://cdn.example/logo.png', '/images/../x', '//cdn.example/images/abc']) {
      assert.deepEqual(pictures({ logoUrl }), [], logoUrl)
    }
  })

  it('can be read in light and dark, in any colour of a host', () => {
    for (const theme of ['light', 'dark'] as const) {
      const { page, paper, panel, ink, quiet } = MAIL_COLOURS[theme]
      for (const under of [page, paper, panel]) {
        for (const text of [ink, quiet]) assert.ok(contrastOf(text, under) >= 4.5, `${text} on ${under}`)
      }
      for (const colour of ['#000000', '#ffffff', '#fde047', '#777777', '#2563eb', '#ff0000']) {
        const { fill, onFill, text } = accentOf(colour)
        assert.ok(contrastOf(onFill[theme], fill[theme]) >= 4.5, `a button in ${colour}`)
        for (const under of [paper, page]) {
          assert.ok(contrastOf(text[theme], under) >= 4.5, `a link in ${colour} on ${under}`)
        }
      }
    }
  })
})
