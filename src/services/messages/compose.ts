import type { BookedMeeting } from '../../domain/bookings/change.ts'
import { chooseLocale, type Language } from '../../domain/languages.ts'
import { plainText, readMarkup } from '../../domain/messages/markup.ts'
import { type MessageContent, textFor } from '../../domain/messages/message.ts'
import { fitSms } from '../../domain/messages/sms.ts'
import { fillTemplate, parseTemplate } from '../../domain/messages/template.ts'
import type { GermanAddress } from '../../domain/people/scheduler.ts'
import { tellIn } from '../../domain/tell.ts'
import { printableLine, shortened } from '../../format/text/printable.ts'
import { brandOf, type ComposedMail, type OwnWords, previewOf } from '../mail/compose.ts'
import { languageOf, type MailLanguage } from '../mail/languages.ts'
import { isHost, type MailLinks, type MailReader, namesIn } from '../mail/reader.ts'
import { writeHtml, writeText } from '../mail-layout.ts'
import { factsOf, fillWith, type MessageFacts } from './facts.ts'

/** Who reads a message, as far as its language depends on them. */
interface Readership {
  /** The reader's locale; empty: the owner's. */
  readonly locale: string
  readonly ownersLocale: string
  readonly germanAddress?: GermanAddress | undefined
}

/** A message's words, filled in. */
export interface FilledWords extends OwnWords {
  readonly language: MailLanguage
}

export const speaks = (locale: string): Language => chooseLocale(undefined, undefined, locale).language

/** Whose language a message to this reader is in. */
export function readershipOf({ booking, scheduler }: BookedMeeting, reader: MailReader): Readership {
  return isHost(reader)
    ? { locale: reader.host.locale, ownersLocale: scheduler.locale, germanAddress: reader.host.germanAddress }
    : {
        locale: booking.invitee.locale,
        ownersLocale: scheduler.locale,
        germanAddress: scheduler.germanAddress,
      }
}

/** The language of the words for these readers: theirs with its region, or the one that there are words in. */
function languageFor(
  message: Pick<MessageContent, 'texts'>,
  { locale, ownersLocale, germanAddress }: Readership,
) {
  const wanted = locale === '' ? ownersLocale : locale
  const { language, text } = textFor(message, speaks(wanted), speaks(ownersLocale))
  return { text, language: languageOf(speaks(wanted) === language ? wanted : language, germanAddress) }
}

const LONGEST_SUBJECT = 200

/** Fills in a message's words for its readers. */
export function fillWords(
  message: Pick<MessageContent, 'texts'>,
  readership: Readership,
  findFacts: (tag: string) => MessageFacts,
): FilledWords {
  const { text, language } = languageFor(message, readership)
  const facts = findFacts(language.tag)
  const fill = fillWith(facts, language)
  const pieces = (source: string) => fillTemplate(parseTemplate(source).parts, fill)
  const subject = pieces(text.subject)
    .map((piece) => ('own' in piece ? piece.own : piece.value.text))
    .join('')
  return {
    subject: shortened(printableLine(subject), LONGEST_SUBJECT) || facts.eventName,
    opening: readMarkup(pieces(text.body)),
    language,
  }
}

/** The words of a message about a meeting, for one reader. */
export const wordsFor = (
  message: Pick<MessageContent, 'texts'>,
  meeting: BookedMeeting,
  reader: MailReader,
  links: MailLinks,
): FilledWords =>
  fillWords(message, readershipOf(meeting, reader), (tag) => factsOf(meeting, reader, links, tag))

/** The text of a message for phones. Other spaces than the usual one would halve the room. */
export const phoneText = ({ opening }: FilledWords): string =>
  fitSms(plainText(opening).replaceAll('\u00a0', ' '))

/** A mail that has a message's words alone. */
export function composeOwnMail(
  words: FilledWords,
  meeting: BookedMeeting,
  reader: MailReader,
  { site, unsubscribe }: Pick<MailLinks, 'site'> & { readonly unsubscribe?: string | undefined },
): ComposedMail {
  const { texts, tag } = words.language
  const footer = texts.footer[reader.role === 'guest' || reader.role === 'addedGuest' ? reader.role : 'host']
  return writeOwn(words, {
    brand: brandOf(meeting, { site }),
    footer: tellIn(tag)(footer, namesIn(meeting, reader, tag)),
    unsubscribe,
  })
}

interface Around {
  readonly brand: ReturnType<typeof brandOf>
  readonly footer: string
  readonly unsubscribe?: string | undefined
}

/** Puts a message's words into the layout of all mails. */
export function writeOwn(
  { subject, opening, language: { texts, tag } }: FilledWords,
  { brand, footer, unsubscribe }: Around,
): ComposedMail {
  const content = {
    language: tag,
    brand,
    heading: subject,
    lead: previewOf(opening),
    opening,
    whenLabel: '',
    when: undefined,
    off: false,
    rows: [],
    buttons: [],
    calendars: undefined,
    footer,
    unsubscribe:
      unsubscribe === undefined ? undefined : { label: texts.button.unsubscribe, href: unsubscribe },
  }
  return { subject, text: writeText(content), html: writeHtml(content) }
}
