import { createHash } from 'node:crypto'
import type { LinkEnd } from '../../domain/bookings/private-link.ts'
import { START_AGAIN } from '../../domain/forms/route.ts'
import type { Language, Locale } from '../../domain/languages.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import type { Sentence } from '../../domain/sentence.ts'
import { tellIn } from '../../domain/tell.ts'
import { type Html, html } from '../../format/text/html.ts'
import type { StandIn } from '../../services/event-types/find-stand-ins.ts'
import { readTexts } from '../../texts/read.ts'
import { sayIn } from '../language.ts'
import type { Starter } from './built-pages.ts'
import { frame } from './first-paint.ts'

const wordsIn = (language: Language) => readTexts(language, 'server-pages').notice

export function noticeTitle(locale: Locale, status: number): string {
  const { missing, trouble } = wordsIn(locale.language)
  return status === 404 ? missing : trouble
}

/** What happened to a private link, and whom to ask. */
export function endedLinkWords(locale: Locale, end: LinkEnd, name: string) {
  const { used, expired, ask } = readTexts(locale.language, 'server-pages').endedLink
  const tell = tellIn(locale.tag)
  return { heading: end === 'used' ? used : expired, hint: tell(ask, { name }) }
}

/** When a host is away, and who stands in. */
export function standInWords(
  { language, tag }: Locale,
  { name: host, timeZone }: Pick<Scheduler, 'name' | 'timeZone'>,
  standIns: readonly StandIn[],
) {
  const { away, book } = readTexts(language, 'server-pages').standIn
  const tell = tellIn(tag)
  return standIns.map(({ startsAt, endsAt, wholeDays, name, path }) => {
    const timeStyle = wholeDays ? undefined : 'short'
    const dates = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle, timeZone })
    // Whole days end with the day before midnight.
    const time = dates.formatRange(startsAt, wholeDays ? endsAt - 1 : endsAt)
    return { away: tell(away, { host, time }), book: tell(book, { name }), path }
  })
}

/** What a page says instead of what it would show. */
export interface Notice {
  readonly status: number
  readonly sentence: Sentence
}

const STATUS_SCRIPT = `parent.postMessage({punctual:1,event:'failed',data:{status:+document.querySelector('.notice-mark').textContent}},'*')`

/** Tells Cal.com's script on the site around the page why its link failed: the status, and nothing else. */
export const TELL_STATUS: Starter = {
  text: STATUS_SCRIPT,
  hash: `sha256-${createHash('sha256').update(STATUS_SCRIPT).digest('base64')}`,
}

/** A page that says what went wrong and what to do next. */
export function paintNotice(base: string, locale: Locale, { status, sentence }: Notice, query: string): Html {
  return frame(
    base,
    html`<main class="card notice"><p class="notice-mark" aria-hidden="true">${status}</p>
<h1>${noticeTitle(locale, status)}</h1><p>${hintFor(locale, status, sentence)}</p></main>`,
    locale.language,
    query,
  )
}

function hintFor({ language }: Locale, status: number, sentence: Sentence): string {
  if (status === 404) return wordsIn(language).hint
  return sentence === START_AGAIN ? wordsIn(language).startAgain : sayIn(language, sentence).text
}
