import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parse, defaultTreeAdapter as tree } from 'parse5'
import { everyKind, sampleChange, sampleHost, sampleLinks } from '../../../test/changes.ts'
import { plainEventType } from '../../../test/kit.ts'
import { nastyText } from '../../../test/nasty-text.ts'
import type { BookingChange } from '../../domain/bookings/change.ts'
import { LANGUAGES } from '../../domain/languages.ts'
import { isLine } from '../../domain/text.ts'
import { printableProse, unlinked } from '../../format/text/printable.ts'
import { type ComposedMail, composeBookingMail, mailKindOf } from './compose.ts'
import type { MailKind } from './languages.ts'
import type { MailReader } from './reader.ts'

const GUEST: MailReader = { role: 'guest' }
const host = (given = {}): MailReader => ({ role: 'host', host: sampleHost(given) })

type Node = DefaultTreeAdapterTypes.ChildNode

/** The elements of a page in the order of their tags, and the addresses they lead to. */
function read(html: string) {
  const problems: string[] = []
  const page = parse(html, { onParseError: ({ code }) => problems.push(code) })
  const elements: string[] = []
  const links: string[] = []
  let text = ''
  const visit = (node: Node) => {
    if (tree.isTextNode(node)) text += node.value
    if (tree.isCommentNode(node)) elements.push('a comment')
    if (!tree.isElementNode(node)) return
    elements.push(node.tagName)
    for (const { name, value } of node.attrs) {
      assert.ok(!name.startsWith('on'), name)
      if (name === 'href' || name === 'src') links.push(value)
    }
    // A line break is one also for those who only look at the text.
    if (node.tagName === 'br') text += '\n'
    node.childNodes.forEach(visit)
  }
  page.childNodes.forEach(visit)
  return { problems, elements, links, text }
}

describe('composeBookingMail', () => {
  for (const language of LANGUAGES) {
    it(`has every kind of mail for everyone concerned in ${language}`, () => {
      const invitee = {
        name: 'Grace Guest',
        email: 'g@guests.example',
        phone: '',
        timeZone: 'UTC',
        locale: language,
      }
      const main = sampleHost({ locale: language })
      const kinds = everyKind({ booking: { invitee }, hosts: [main] })
      const readers: MailReader[] = [
        GUEST,
        { role: 'host', host: main },
        { role: 'formerHost', host: sampleHost({ locale: language }) },
      ]
      const seen = new Map<string, string>()
      for (const [kind, change] of [...Object.entries(kinds), ['reminder', sampleChange()] as const]) {
        for (const reader of readers) {
          const { subject, text, html } = composeBookingMail(
            { ...change, booking: { ...change.booking, invitee } },
            reader,
            sampleLinks,
            { kind: kind as MailKind },
          )
          for (const part of [subject, text, html.replace(/<style>.*?<\/style>/s, '')]) {
            assert.doesNotMatch(part, /undefined|null|\[object|NaN|[{}]/, `${kind} ${reader.role}`)
          }
          assert.ok(
            isLine(subject) && subject.includes('Grace Guest') !== subject.includes('Ada Host'),
            subject,
          )
          assert.ok(text.includes('Intro call') && html.includes('Intro call'))
          assert.match(html, new RegExp(`<html lang="${language}" dir="ltr">`))
          assert.deepEqual(read(html).problems, [], `${kind} ${reader.role}`)
          if (reader.role !== 'formerHost') seen.set(`${kind} ${reader.role}`, text.split('\n\n')[1] ?? '')
        }
      }
      // Each kind has a different text for each reader.
      assert.equal(new Set(seen.values()).size, seen.size)
    })
  }

  it('knows what each change means', () => {
    for (const [kind, change] of Object.entries(everyKind())) assert.equal(mailKindOf(change), kind)
  })

  it('says the same in text and in HTML', () => {
    const change = sampleChange({
      type: 'rescheduled',
      previousStartsAt: Date.UTC(2027, 0, 20, 9),
      booking: { notes: 'First line\nsecond <line>' },
    })
    const { text, html } = composeBookingMail(change, host(), sampleLinks)
    const shown = read(html).text
    for (const told of ['Intro call', 'Grace Guest', 'grace@guests.example', 'First line', 'second <line>']) {
      assert.ok(text.includes(told) && shown.includes(told), told)
    }
    for (const told of ['Tuesday, January 12, 2027', '7:00 AM – 7:30 AM', 'Wednesday, January 20, 2027']) {
      assert.ok(text.includes(told) && shown.includes(told), told)
    }
  })

  it('uses each reader’s language and time zone', () => {
    // Half past midnight UTC, an hour before the clocks in Berlin change.
    const startsAt = Date.UTC(2027, 2, 28, 0, 30)
    const change = sampleChange({
      startsAt,
      booking: {
        invitee: {
          name: 'Grace',
          email: 'g@guests.example',
          phone: '',
          timeZone: 'Europe/Berlin',
          locale: 'de',
        },
      },
    })
    const guests = composeBookingMail(change, GUEST, sampleLinks)
    assert.match(guests.text, /Sonntag, 28\. März 2027\n {2}01:30 – 03:00\n {2}Mitteleuropäische Normalzeit/)
    const hosts = composeBookingMail(
      change,
      host({ locale: 'fr', timeZone: 'America/New_York' }),
      sampleLinks,
    )
    assert.match(hosts.text, /samedi 27 mars 2027\n {2}20:30 – 21:00\n.*\(New York\)/)
    const onTwelve = composeBookingMail(
      change,
      host({ locale: 'fr', timeZone: 'America/New_York', timeFormat: '12h' }),
      sampleLinks,
    )
    assert.match(onTwelve.text, /samedi 27 mars 2027\n {2}8:30 PM – 9:00 PM\n/)
  })

  it('says du to guests of a host who wants that, and to hosts who want it themselves', () => {
    const { booking } = sampleChange()
    const invitee = { ...booking.invitee, locale: 'de' }
    const saysDu = sampleChange({ booking: { invitee }, scheduler: { germanAddress: 'du' } })
    const leadOf = (change: BookingChange, reader: MailReader) =>
      composeBookingMail(change, reader, sampleLinks).text
    assert.match(leadOf(saysDu, GUEST), /Dein Termin mit .* ist bestätigt/)
    assert.match(leadOf(sampleChange({ booking: { invitee } }), GUEST), /Ihr Termin mit .* ist bestätigt/)
    assert.match(leadOf(saysDu, host({ locale: 'de' })), /einen Termin mit Ihnen gebucht/)
    assert.match(leadOf(saysDu, host({ locale: 'de', germanAddress: 'du' })), /einen Termin mit dir gebucht/)
  })

  it('uses the language of the page where the guest named none, and English for those it does not speak', () => {
    const inLocale = (locale: string, pageLocale: string) => {
      const { booking } = sampleChange()
      const invitee = { ...booking.invitee, locale }
      return composeBookingMail(
        sampleChange({ booking: { invitee }, scheduler: { locale: pageLocale } }),
        GUEST,
        sampleLinks,
      ).subject
    }
    assert.match(inLocale('', 'es'), /^Confirmada/)
    assert.match(inLocale('pt-BR', 'es'), /^Confirmada.* com /)
    assert.match(inLocale('it', 'es'), /^Confirmed/)
    assert.match(inLocale('', 'it'), /^Confirmed/)
  })

  it('gives the guest a page to change the booking, and calendars to put it in', () => {
    const { links } = read(composeBookingMail(sampleChange(), GUEST, sampleLinks).html)
    assert.ok(links.includes(sampleLinks.manage))
    assert.ok(!links.includes(sampleLinks.dashboard))
    const google = new URL(links.find((link) => link.startsWith('https://calendar.google.com/')) ?? '')
    assert.equal(google.searchParams.get('dates'), '20270112T120000Z/20270112T123000Z')
    assert.equal(google.searchParams.get('text'), 'Intro call: Grace Guest & Ada Host')
    assert.ok(google.searchParams.get('details')?.includes(sampleLinks.calendarEntry))
    const outlook = new URL(links.find((link) => link.startsWith('https://outlook.live.com/')) ?? '')
    assert.equal(Date.parse(outlook.searchParams.get('startdt') ?? ''), Date.UTC(2027, 0, 12, 12))
  })

  it('never shows the host the guest’s page, nor a button that acts', () => {
    for (const change of Object.values(everyKind())) {
      const { html, text } = composeBookingMail(change, host(), sampleLinks)
      assert.ok(!html.includes('token=') && !text.includes('token='))
      assert.ok(read(html).links.includes(sampleLinks.dashboard))
      assert.ok(!/<(?:form|button|input)\b/.test(html))
    }
  })

  it('offers another time once a meeting is off', () => {
    for (const kind of ['declined', 'expired', 'cancelledByHost', 'cancelledByGuest'] as const) {
      const { links } = read(composeBookingMail(everyKind()[kind] as BookingChange, GUEST, sampleLinks).html)
      assert.ok(links.includes(sampleLinks.bookAgain) && !links.includes(sampleLinks.manage), kind)
    }
  })

  it('names no location for a meeting that is off, nor the link of one that is not agreed on', () => {
    const place = sampleChange().booking.location.value
    for (const [kind, change] of Object.entries(everyKind())) {
      const isOff = /^(?:declined|expired|cancelled|requested|moveRequested|requestReassigned)/.test(kind)
      for (const reader of [GUEST, host()]) {
        const { html, text } = composeBookingMail(change, reader, sampleLinks)
        assert.deepEqual([html.includes(place), text.includes(place)], [!isOff, !isOff], kind)
      }
    }
  })

  it('links a place only when it is a web address of a meeting', () => {
    const linksTo = (type: 'Video' | 'Link' | 'Phone' | 'InPerson', value: string) => {
      const eventType = plainEventType({ location: { type, value } })
      return read(composeBookingMail(sampleChange({ eventType }), GUEST, sampleLinks).html).links.includes(
        value,
      )
    }
    assert.ok(linksTo('Video', 'https://meet.example.com/a?b=c&d'))
    assert.ok(linksTo('Link', 'http://meet.example.com/'))
    for (const [type, value] of [
      ['Video', 'javascript:alert(1)'],
      ['Link', 'data:text/html,hello'],
      ['Video', 'Room 7'],
      ['Phone', 'https://meet.example.com/'],
      ['InPerson', 'https://maps.example.com/'],
    ] as const) {
      assert.ok(!linksTo(type, value), `${type} ${value}`)
    }
  })

  it('shows hosts all answers, and guests what they answered to questions', () => {
    const eventType = plainEventType({
      questions: [
        { key: 'team', label: 'How big is your team?', type: 'number', required: true, options: [] },
        { key: 'news', label: 'Newsletter', type: 'checkbox', required: false, options: [] },
        { key: 'skipped', label: 'Skipped', type: 'text', required: false, options: [] },
      ],
    })
    const { booking } = sampleChange()
    const change = sampleChange({
      eventType,
      booking: {
        customFields: { news: false, team: 12, extra: { deep: ['x'] } },
        invitee: { ...booking.invitee, phone: '+49 30 123456' },
      },
    })
    const { text } = composeBookingMail(change, host(), sampleLinks)
    assert.match(text, /How big is your team\? 12\nNewsletter: No\nextra: \{"deep":\["x"\]\}\n/)
    assert.match(text, /Phone: \+49 30 123456/)
    assert.doesNotMatch(text, /Skipped/)
    const guests = composeBookingMail(change, GUEST, sampleLinks)
    assert.match(guests.text, /\nHow big is your team\? 12\nNewsletter: No\n/)
    assert.doesNotMatch(guests.text, /123456|extra:/)
  })

  it('tells guests who, when, where, whom they bring, what they answered and until when, in this order', () => {
    const eventType = plainEventType({
      name: 'Intro call',
      cancelNoticeMinutes: 120,
      questions: [{ key: 'why', label: 'Why?', type: 'text', required: false, options: [] }],
    })
    const booking = {
      guests: ['bob@guests.example', 'eve@guests.example'],
      customFields: { why: 'See https://evil.example' },
      notes: 'Bring cake',
      location: { type: 'Video', value: 'https://meet.example.com/room' } as const,
    }
    const labels = (text: string) => [...text.matchAll(/^([A-Z][\w ]*[:?]) /gm)].map(([, label]) => label)
    const { text } = composeBookingMail(sampleChange({ eventType, booking }), GUEST, sampleLinks)
    assert.deepEqual(labels(text).slice(0, 8), [
      'Event:',
      'Host:',
      'When:',
      'Where:',
      'Guests:',
      'Why?',
      'Notes:',
      'Cancellation:',
    ])
    assert.match(text, /Where: Video call\n {2}Join: https:\/\/meet\.example\.com\/room\n/)
    assert.match(text, /Guests: bob@guests\.example\n {2}eve@guests\.example\n/)
    assert.match(text, /Why\? See https\[:\]\/\/evil\[\.\]example\n/)
    assert.match(text, /Cancellation: You can cancel until Tue, Jan 12, 11:00\sAM\.\n/)

    const linkless = { ...booking, location: { type: 'Video', value: '' } as const }
    const later = composeBookingMail(sampleChange({ eventType, booking: linkless }), GUEST, sampleLinks)
    assert.match(later.text, /Where: Video call: the link follows by email\n/)
    const { cancelledByHost } = everyKind({ eventType, booking })
    const off = composeBookingMail(cancelledByHost as BookingChange, GUEST, sampleLinks).text
    assert.deepEqual(labels(off).slice(0, 4), ['Event:', 'Host:', 'When:', 'Notes:'])
  })

  it('names the money where it moves: to the guest and the hosts, not to those whom the guest brings', () => {
    const payment = { checkoutId: 'c', status: 'paid', amount: 4900, currency: 'EUR', refunded: 0 } as const
    const said = (given: Parameters<typeof sampleChange>[0], kind: MailKind, reader: MailReader = GUEST) => {
      const { text } = composeBookingMail(sampleChange(given), reader, sampleLinks, { kind })
      return /^Payment: (.*)$/m.exec(text)?.[1]
    }
    const paid = { booking: { payment } }
    assert.equal(said({}, 'confirmed'), undefined)
    assert.equal(said(paid, 'confirmed'), '€49.00 paid')
    assert.equal(said(paid, 'confirmed', host()), '€49.00 paid')
    assert.equal(
      said(paid, 'confirmed', { role: 'addedGuest', email: 'other@guests.example', index: 0 }),
      undefined,
    )
    assert.equal(said({ ...paid, together: ['a', 'b', 'c'] }, 'confirmed'), '€147.00 paid')
    assert.equal(said(paid, 'movedByHost'), undefined)
    const reserved = { booking: { payment: { ...payment, status: 'authorised' as const } } }
    assert.equal(said(reserved, 'requested'), '€49.00 reserved until the request is answered')
    assert.equal(said(reserved, 'approved'), '€49.00, charged with this approval')
    assert.equal(
      said({ ...paid, refund: 2450 }, 'cancelledByGuest'),
      '€24.50 goes back; banks may need a few days',
    )
    assert.equal(said(paid, 'cancelledByHost'), 'Nothing is refunded')
    const failed = { booking: { payment: { ...payment, status: 'failed' as const } } }
    assert.equal(said(failed, 'declined'), 'The card isn’t charged')
  })

  it('shows who of a team comes with their picture, if that is on this server', () => {
    const picture = '/images/01890000-0000-7000-8000-000000000000'
    const written = (avatarUrl: string) => {
      const hosts = [sampleHost({ name: 'Bea Host', avatarUrl })]
      return composeBookingMail(
        sampleChange({ hosts, scheduler: { kind: 'team', name: 'A Team' } }),
        GUEST,
        sampleLinks,
      )
    }
    assert.ok(read(written(picture).html).links.includes(sampleLinks.site + picture))
    const other = written('https://pictures.example/bea.png')
    assert.ok(!other.html.includes('pictures.example'))
    assert.match(read(other.html).text, /BHBea Host/)
  })

  it('includes the reason and the previous time', () => {
    const { declined, movedByHost } = everyKind()
    assert.match(
      composeBookingMail(declined as BookingChange, GUEST, sampleLinks).text,
      /Message: I am away\./,
    )
    const moved = composeBookingMail(movedByHost as BookingChange, GUEST, sampleLinks)
    assert.match(moved.text, /Previously: Wednesday, January 13, 2027\n {2}1:00 PM – 1:30 PM/)
    assert.match(moved.text, /When: Tuesday, January 12, 2027\n/)
  })

  it('tells a former host which time they have back, and who has the meeting now', () => {
    const change = sampleChange({
      type: 'rescheduled',
      previousStartsAt: Date.UTC(2027, 0, 20, 15),
      hosts: [sampleHost({ name: 'Bo Other' })],
    })
    const { text } = composeBookingMail(change, { role: 'formerHost', host: sampleHost() }, sampleLinks)
    assert.match(text, /Bo Other will host it/)
    assert.match(text, /When: Wednesday, January 20, 2027\n {2}10:00 AM/)
    assert.doesNotMatch(text, /January 12/)
  })

  it('cuts long names where it shows them short', () => {
    const { booking } = sampleChange()
    const change = sampleChange({
      booking: { invitee: { ...booking.invitee, name: `Grace ${'x'.repeat(300)}` } },
    })
    const { subject, text } = composeBookingMail(change, host(), sampleLinks)
    assert.ok(subject.length < 150 && subject.includes('…'), subject)
    assert.ok(text.includes('x'.repeat(300)))
  })

  it('makes no link of what was typed in the guest’s name, which may be a stranger’s', () => {
    const { booking } = sampleChange()
    const typed = 'Prize: https://evil.example/x or www.evil.example, mail me@evil.example'
    for (const type of ['created', 'cancelled'] as const) {
      const change = sampleChange({
        type,
        by: 'guest',
        reason: typed,
        booking: { notes: typed, invitee: { ...booking.invitee, name: 'Win at evil.example' } },
      })
      const { subject, text, html } = composeBookingMail(change, GUEST, sampleLinks)
      for (const part of [subject, text, html]) assert.doesNotMatch(part, /evil\.example/)
      assert.match(text, /https\[:\]\/\/evil\[\.\]example\/x/)
      // The host reads it as it was typed.
      assert.ok(composeBookingMail(change, host(), sampleLinks).text.includes(typed))
    }
    // What the host writes stays a link.
    const byHost = sampleChange({ type: 'cancelled', by: 'host', reason: 'See https://ada.example/away' })
    assert.match(composeBookingMail(byHost, GUEST, sampleLinks).text, /https:\/\/ada\.example\/away/)
  })

  it('shows everything that people type as plain text', () => {
    const plain = composedWith('x', 'x', 'x', 'x', 'x')
    fc.assert(
      fc.property(
        nastyText,
        nastyText,
        nastyText,
        nastyText,
        nastyText,
        (name, notes, reason, answer, event) => {
          for (const role of ['host', 'guest'] as const) {
            const { subject, html } = composedWith(name, notes, reason, answer, event)[role]
            assert.ok(isLine(subject) && subject.isWellFormed(), subject)
            assert.ok(html.isWellFormed())
            const { problems, elements, links, text } = read(html)
            assert.deepEqual(problems, [])
            const allowed = read(plain[role].html)
            // Of what may differ, only how many lines and rows there are.
            const kinds = (list: readonly string[]) => new Set(list)
            assert.deepEqual([...kinds(elements).difference(kinds(allowed.elements))], [])
            const fixed = (list: readonly string[]) =>
              list.filter((tag) => !['br', 'tr', 'th', 'td'].includes(tag))
            assert.deepEqual(fixed(elements), fixed(allowed.elements))
            assert.equal(links.length, allowed.links.length)
            const shown = role === 'guest' ? unlinked(printableProse(notes)) : printableProse(notes)
            if (shown.length < 4000) assert.ok(text.includes(shown), shown)
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})

function composedWith(
  name: string,
  notes: string,
  reason: string,
  answer: string,
  event: string,
): Record<'host' | 'guest', ComposedMail> {
  const eventType = plainEventType({
    name: event,
    location: { type: 'InPerson', value: answer },
    questions: [{ key: 'q', label: reason, type: 'text', required: false, options: [] }],
  })
  const { booking } = sampleChange()
  const change = sampleChange({
    type: 'rescheduled',
    previousStartsAt: Date.UTC(2027, 0, 20, 9),
    reason,
    eventType,
    scheduler: { name },
    hosts: [sampleHost({ name }), sampleHost({ name })],
    booking: { notes, customFields: { q: answer }, invitee: { ...booking.invitee, name } },
  })
  return {
    host: composeBookingMail(change, host({ name }), sampleLinks),
    guest: composeBookingMail(change, GUEST, sampleLinks),
  }
}
