import type { en } from './en.ts'

/** Which mail it is. */
export type NoticeKind = keyof typeof en

/** The words of one mail, with `{name}` where something is filled in. */
interface NoticeText {
  readonly subject: string
  readonly heading: string
  readonly lead: string
  readonly button: string
  /** Why the reader gets this mail, or what happens if they ignore it. */
  readonly footer: string
}

export type NoticeTexts = Readonly<Record<NoticeKind, NoticeText>>
