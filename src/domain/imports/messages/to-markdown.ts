import { isLinkTarget } from '../../messages/markup.ts'
import { findErrors } from '../../messages/message.ts'
import { type Moment, namesOf, type Recipient } from '../../messages/moments.ts'
import { lookUp, withoutHtml } from '../values.ts'

/** A text of the source in our language. */
export interface Converted {
  readonly text: string
  /** Names of values that can't be filled in here. */
  readonly lost: readonly string[]
}

/** What our values are called there. */
const NAMES: Readonly<Record<string, string>> = {
  EVENT_NAME: 'event.name',
  EVENT_TYPE: 'event.name',
  ATTENDEE: 'guest.name',
  ATTENDEE_NAME: 'guest.name',
  ATTENDEE_FIRST_NAME: 'guest.firstName',
  ATTENDEE_EMAIL: 'guest.email',
  ORGANIZER: 'host.name',
  ORGANIZER_NAME: 'host.name',
  ORGANIZER_FIRST_NAME: 'host.name',
  EVENT_DATE: 'start | date',
  EVENT_START_DATE: 'start | date',
  EVENT_END_DATE: 'end | date',
  EVENT_TIME: 'start | time',
  EVENT_START_TIME: 'start | time',
  EVENT_END_TIME: 'end | time',
  EVENT_DURATION: 'duration',
  LOCATION: 'location',
  MEETING_URL: 'link.join',
  CANCEL_URL: 'link.cancel',
  RESCHEDULE_URL: 'link.reschedule',
  CANCELLATION_REASON: 'reason',
  REJECTION_REASON: 'reason',
}

/** Times are written with their zone here, so nothing is lost without it. */
const NEEDLESS: ReadonlySet<string> = new Set(['TIMEZONE'])

/** Dates and times may have a format of their own. */
const FORMATTED = /^(EVENT_(?:START_|END_)?(?:DATE|TIME))_/

const VARIABLE = /\{([^{}\n]{1,80})\}/g

/** Where a text is used, which decides what can be said. */
export interface Place {
  readonly on: Moment
  readonly to: Recipient
  /** Keys of questions, by what the source calls their answers. */
  readonly answers: ReadonlyMap<string, string>
}

/** Turns HTML or plain text into Markdown, and their variables into ours. */
export function toMarkdown(source: string, place: Place): Converted {
  return fillIn(isHtml(source) ? markdownOf(source) : withoutHtml(source), place)
}

/** The same without any markup, for subjects and phones. */
export const toPlain = (source: string, place: Place): Converted => fillIn(withoutHtml(source), place)

const isHtml = (text: string) => /<\/?[a-z][^<>]*>/i.test(text)

function fillIn(source: string, { on, to, answers }: Place): Converted {
  const known = new Set(namesOf(on, to))
  const lost = new Set<string>()
  // Our own braces would be read as values.
  const safe = source.replace(/\{(?=\{)/g, '{ ').replace(/\}(?=\})/g, '} ')
  let [text, end] = ['', 0]
  for (const found of safe.matchAll(VARIABLE)) {
    text += safe.slice(end, found.index)
    end = found.index + found[0].length
    const inner = found[1] as string
    const name = (FORMATTED.exec(inner)?.[1] ?? inner).trim()
    if (!/^[A-Z][A-Z0-9_]*$/.test(name)) text += found[0]
    else if (!NEEDLESS.has(name)) {
      const value = ownNameOf(name, answers, known)
      // Mail programs would read a value at the end of an address as part of it.
      const isGlued = /https?:\/\/[^\s<>(){}]*$/i.test(text)
      if (value === undefined || isGlued) lost.add(name)
      else text += `{{${value}}}`
    }
  }
  return { text: repaired(tidy(text + safe.slice(end)), { on, to }), lost: [...lost] }
}

/** What we call a value; undefined if there is none at this moment. */
function ownNameOf(name: string, answers: Place['answers'], known: ReadonlySet<string>): string | undefined {
  const key = answers.get(name)
  if (key !== undefined && !Object.hasOwn(NAMES, name)) return `answers.${key}`
  const value = lookUp(NAMES, name) ?? ''
  return known.has(value.split(' ')[0] as string) ? value : undefined
}

const MOST_REPAIRS = 200

/** Without what our language would refuse: links to nowhere, and values within an address. */
function repaired(text: string, place: Pick<Place, 'on' | 'to'>): string {
  let left = text
  for (let count = 0; count < MOST_REPAIRS; count++) {
    const [error] = findErrors(place, left)
    if (error === undefined) return left
    const rest = left.slice(error.at)
    left =
      left.slice(0, error.at) +
      (rest.startsWith('{{') ? ` ${rest.replace(/^\{\{[^{}\n]*\}*/, '')}` : rest.slice(1))
  }
  return ''
}

const tidy = (text: string) =>
  text
    .replace(/[ \t]+$/gm, '')
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/[ \t]+(?=[,.;:!?])/g, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

const LINK = /<a\b[^<>]*?\bhref\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')[^<>]*>([\s\S]{0,2000}?)<\/a>/gi

/** Links, lists and emphasis; everything else is plain text. */
function markdownOf(html: string): string {
  const marked = html
    .replace(/\r?\n/g, ' ')
    .replace(LINK, (_, double: string | undefined, single: string | undefined, inner: string) =>
      linkOf(double ?? single ?? '', inner),
    )
    .replace(/<li\b[^<>]*>\s*(?:<p\b[^<>]*>)?/gi, '\n- ')
    .replace(/<\/li>/gi, '\n')
    .replace(/<(strong|b)\b[^<>]*>([^<>*]{1,1000}?)<\/\1>/gi, (_, __, inner: string) =>
      emphasized('**', inner),
    )
    .replace(/<(em|i)\b[^<>]*>([^<>*]{1,1000}?)<\/\1>/gi, (_, __, inner: string) => emphasized('*', inner))
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<\/(?:p|div|h[1-6]|ul|ol|table|blockquote)>/gi, '\n\n')
  return withoutHtml(marked)
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
}

function emphasized(mark: string, inner: string): string {
  const text = inner.trim()
  return text === '' ? inner : `${mark}${text}${mark}`
}

/** Only an address, or one of our own links, can be a target. */
function linkOf(href: string, inner: string): string {
  const label = withoutHtml(inner)
    .replace(/[[\]\n]/g, ' ')
    .trim()
  const target = href.replaceAll('&amp;', '&').trim()
  const isOwn = /^\{(?:MEETING|CANCEL|RESCHEDULE)_URL\}$/.test(target)
  const isPlain = isLinkTarget(target) && !/[(){}\s]/.test(target)
  if (label === '' || label === target) return ` ${target} `
  return isOwn || isPlain ? `[${label}](${target})` : `${label} ${target}`
}
