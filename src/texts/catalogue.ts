import type { GapsIn, Plural, Text } from '../domain/tell.ts'
import type { EventTypeFieldName } from '../format/event-type-schema.ts'
import type codeMails from './en/code-mails.ts'
import type dashboard from './en/dashboard.ts'
import type guestPages from './en/guest-pages.ts'
import type labels from './en/labels.ts'
import type mail from './en/mail.ts'
import type messages from './en/messages.ts'
import type moveIn from './en/move-in.ts'
import type notices from './en/notices.ts'
import type serverPages from './en/server-pages.ts'

/** The same texts in any language: the keys of the English ones, with the gaps that English has. */
type Translated<English> = English extends string
  ? TextLike<GapsIn<English>>
  : English extends { readonly one: string; readonly other: string }
    ? Plural<GapsIn<English['one'] | English['other']>>
    : English extends readonly string[]
      ? readonly string[]
      : { readonly [Key in keyof English]: Translated<English[Key]> }

type TextLike<Gap extends string> = [Gap] extends [never] ? string : Text<Gap>

/** What differs from other texts. */
export type Part<Whole> = Whole extends string | readonly string[] | Plural
  ? Whole
  : { readonly [Key in keyof Whole]?: Part<Whole[Key]> }

/** The cities of time zones, by the ids of the zones; those that are left out have the name in the id. */
export type Cities = Readonly<Record<string, string>>

export type CodeMails = Translated<typeof codeMails>
export type GuestPages = Translated<typeof guestPages>
export type Labels = Translated<typeof labels>
export type MailTexts = Translated<typeof mail>
export type ServerPages = Translated<typeof serverPages>

/** What the dashboard says. */
export type Words = Translated<typeof dashboard>

/** What the editors of messages say, on top. */
export type MessageWords = Translated<typeof messages>

/** What the pages for moving in say, on top. */
export type MoveInWords = Translated<typeof moveIn>

/** Which mail from the service itself it is. */
export type NoticeKind = keyof typeof notices

/** The words of one mail. */
interface NoticeText {
  readonly subject: Text
  readonly heading: string
  readonly lead: Text
  readonly button: string
  /** Why the reader gets this mail, or what happens if they ignore it. */
  readonly footer: string
}

export type NoticeTexts = Readonly<Record<NoticeKind, NoticeText>>

/** Our sentences in one language, by their English patterns, and the names of fields by their English ones. */
export type Refusals = Readonly<Record<string, string>> & Readonly<Record<EventTypeFieldName, string>>

/** Texts of which some are replaced. */
export const withPart = <Whole extends object>(whole: Whole, part: Part<Whole>): Whole =>
  replace(whole, part) as Whole

function replace(whole: object, part: object): object {
  const before = whole as Readonly<Record<string, unknown>>
  const replaced = Object.entries(part).map(([key, value]) => {
    const old = before[key]
    return [key, isGroup(value) && isGroup(old) ? replace(old, value) : value]
  })
  return { ...whole, ...Object.fromEntries(replaced) }
}

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
