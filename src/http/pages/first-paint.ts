import { civilOf, type DayNumber, formatDate, weekdayOf } from '../../domain/calendar-date.ts'
import { offeredDurations } from '../../domain/event-types/durations.ts'
import { DAY } from '../../domain/interval.ts'
import {
  firstWeekday,
  LANGUAGE_NAMES,
  LANGUAGES,
  type Language,
  type Locale,
} from '../../domain/languages.ts'
import { formatPrices } from '../../domain/payments/price.ts'
import { writeDurations } from '../../format/duration.ts'
import { initialsOf } from '../../format/initials.ts'
import { writeNames } from '../../format/names.ts'
import { writeLength } from '../../format/price.ts'
import { type Html, html } from '../../format/text/html.ts'
import { plainText, richHtml } from '../../format/text/rich-text.ts'
import type {
  BookingData,
  EndedLinkData,
  EventTypeFacts,
  FactName,
  FormData,
  HostData,
  ProfileData,
} from './page-data.ts'

// The same boxes and classes as the pages in web/, so that nothing moves when the script takes over.

export function paintProfile({ host, eventTypes, locale, base }: ProfileData): Html {
  return frame(
    base,
    html`<main class="profile">
<header class="profile-head">${avatar(host, 'avatar-large')}<h1>${host.name}</h1>${host.bio !== '' && html`<p class="bio">${host.bio}</p>`}</header>
<ul class="event-cards">${eventTypes.map(
      (eventType) =>
        html`<li><a class="event-card" href="${base}/${host.slug}/${eventType.slug}"><h2>${eventType.name}</h2>${eventType.description !== '' && html`<p class="description">${plainText(eventType.description)}</p>`}${facts(eventType, locale.tag)}</a></li>`,
    )}</ul></main>`,
    locale.language,
  )
}

/** What the host's calendar shows. */
interface ShownMonth {
  /** Today where the host is. */
  readonly today: DayNumber
  /** A day of the month that is shown. */
  readonly shown: DayNumber
}

export function paintBooking(data: BookingData, month: ShownMonth): Html {
  const { host, eventType, locale, base } = data
  return frame(
    base,
    html`<main class="card booking"><section class="about">
${hostLine(host, base, data.embed === false)}
<h1>${eventType.name}</h1>${facts({ ...eventType, durations: [data.duration] }, locale.tag, data.members)}${eventType.description !== '' && richHtml(eventType.description)}${data.standIns.map(({ away, book, path }) => html`<p class="stand-in">${away} <a class="link" href="${base}${path}">${book}</a></p>`)}</section>
<section class="choose"><div class="calendar">${durationChoice(data)}${monthGrid(locale.tag, month)}<div class="zone"><span class="bar bar-wide"></span></div></div>
<div class="times"><div class="times-head"><span class="bar"></span></div><div class="slots">${Array.from({ length: 7 }, () => html`<span class="bar slot-bar"></span>`)}</div></div></section></main>`,
    locale.language,
  )
}

export function paintForm({ host, form, base, locale }: FormData): Html {
  return frame(
    base,
    html`<main class="card form-page">
${hostLine(host, base, false)}<h1>${form.name}</h1>
${form.description !== null && richHtml(form.description)}
<div class="fields">${form.fields.map((field) => html`<div class="field"><span class="label">${field.label}</span><span class="input bar ${field.type === 'textarea' && 'input-tall'}"></span></div>`)}</div></main>`,
    locale.language,
  )
}

export function paintEndedLink({ host, heading, hint, base, locale }: EndedLinkData): Html {
  return frame(
    base,
    html`<main class="card manage">${hostLine(host, base, false)}<h1>${heading}</h1><p class="muted">${hint}</p></main>`,
    locale.language,
  )
}

export function paintManage(base: string, { language }: Locale): Html {
  return frame(
    base,
    html`<main class="card manage"><span class="bar bar-title"></span><span class="bar bar-wide"></span><span class="bar"></span></main>`,
    language,
  )
}

/** `language` is the present one, where others are offered; `query` is that of the address, for pages without a script. */
export function frame(base: string, content: Html, language: Language, query?: string): Html {
  const address = (other: Language) => {
    const others = new URLSearchParams(query)
    others.set('lang', other)
    return `?${others}`
  }
  const others = html`<ul class="languages">${LANGUAGES.map(
    (other) =>
      html`<li><a lang="${other}"${other === language && html` aria-current="true"`}${query !== undefined && html` href="${address(other)}"`}>${LANGUAGE_NAMES[other]}</a></li>`,
  )}</ul>`
  return html`<div class="page">${content}<footer class="foot">${others}<a href="${base}/docs">Punctual</a></footer></div>`
}

function avatar({ name, avatarUrl, branding }: HostData, size = ''): Html {
  const picture = avatarUrl || branding.logoUrl
  return picture === ''
    ? html`<span class="avatar ${size}" aria-hidden="true">${initialsOf(name)}</span>`
    : html`<img class="avatar ${size}" src="${picture}" alt="">`
}

function hostLine(host: HostData, base: string, linked: boolean): Html {
  const content = html`${avatar(host)}<span>${host.name}</span>`
  return html`<p class="host">${linked ? html`<a href="${base}/${host.slug}">${content}</a>` : content}</p>`
}

const known = (text: string) => html`<li><span class="icon"></span><span>${text}</span></li>`
/** A fact whose words the script knows. */
const UNKNOWN = html`<li><span class="icon"></span><span class="bar"></span></li>`

/** In the order of the page. */
const FACTS: Readonly<
  Record<FactName, (eventType: EventTypeFacts, tag: string) => Html | readonly Html[] | false>
> = {
  durationMinutes: (eventType, tag) => known(writeDurations(tag, offeredDurations(eventType))),
  location: ({ location, locations }) =>
    (locations.length > 0 ? locations : [{ ...location, label: '' }]).map(({ label, value }) =>
      label || value ? known(label || value) : UNKNOWN,
    ),
  requiresApproval: ({ requiresApproval }) => requiresApproval && UNKNOWN,
  seats: ({ seats }) => seats > 1 && UNKNOWN,
  price: (eventType, tag) =>
    eventType.price !== null && known(formatPrices(eventType.price, offeredDurations(eventType), tag)),
}

function facts(eventType: EventTypeFacts, tag: string, members?: BookingData['members']): Html {
  return html`<ul class="facts">${Object.values(FACTS).map((paint) => paint(eventType, tag))}${
    members !== undefined && members.names.length > 0 && known(writeNames(tag, members.names, members.all))
  }</ul>`
}

/** The lengths to choose from; they work once the script runs. */
function durationChoice({ eventType, duration, locale }: BookingData): Html | false {
  if (eventType.durations.length < 2) return false
  return html`<div class="segments durations">${eventType.durations.map(
    (minutes) =>
      html`<button type="button" disabled aria-pressed="${String(minutes === duration)}">${writeLength(eventType, minutes, locale.tag)}</button>`,
  )}</div>`
}

const WEEKS = 6

/** A month without the weeks that have passed. It marks no free days, since those depend on the guest's zone. */
function monthGrid(tag: string, { today, shown }: ShownMonth): Html {
  const { dayOfMonth, month } = civilOf(shown)
  const first = shown - dayOfMonth + 1
  const begins = first - ((weekdayOf(first) - firstWeekday(tag) + 7) % 7)
  const title = new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const weekday = new Intl.DateTimeFormat(tag, { weekday: 'short', timeZone: 'UTC' })
  const weekdays = Array.from({ length: 7 }, (_, day) => weekday.format((begins + day) * DAY))
  const weeks = Array.from({ length: WEEKS }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => begins + week * 7 + day),
  ).filter((week) => week.some((day) => civilOf(day).month === month && day >= today))
  return html`<div class="month-bar"><h2>${title.format(first * DAY)}</h2><span class="month-buttons"></span></div>
<div class="month-space"><table class="month"><thead><tr>${weekdays.map((name) => html`<th>${name}</th>`)}</tr></thead><tbody>${weeks.map(
    (week) =>
      html`<tr>${week.map((day) => (civilOf(day).month === month ? html`<td><span class="day" data-waiting="${formatDate(day)}">${civilOf(day).dayOfMonth}</span></td>` : html`<td></td>`))}</tr>`,
  )}</tbody></table></div>`
}
